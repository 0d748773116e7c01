import { isDeepStrictEqual } from 'node:util';
import type { Message, SessionLogEntry } from '@robota-sdk/agent-core';
import { LogReader, SessionFold, type SessionState } from '@robota-sdk/agent-core/log';
import { entryOf, recoverTurn } from '@robota-sdk/agent-session';
import type { Property } from './order.ts';
import { essence, strictProvider } from './strict-provider.ts';

/** Everything that is left of a session when the story is over. */
export interface Evidence {
  readonly id: string;
  readonly lines: readonly {
    readonly text: string;
    readonly place: number;
    readonly fence: number;
  }[];
  /** Ids of prompts that somebody was told are kept. */
  readonly acknowledged: readonly string[];
  /** The copies that two processes made of the session. */
  readonly forks: readonly unknown[];
  /** The conversation as a process opens it: its checkpoint and what the log holds after that. */
  readonly opened: unknown;
}

/** What tools and models saw while the story was told. */
export interface Witness {
  /** One call for every time a tool ran. */
  readonly effects: readonly string[];
  /** Why a strict provider would have refused a request. */
  readonly refusals: readonly string[];
}

export interface Violation {
  readonly property: Property;
  readonly what: string;
}

/** Places in a log at which it is opened as if it ended there. */
const SAMPLES = 20;

/** Looks for a broken promise in what is left. */
export function judge(
  sessions: readonly Evidence[],
  { effects, refusals }: Witness,
): readonly Violation[] {
  const ran = new Set(effects);
  return [
    ...sessions.flatMap((evidence) => judgeSession(evidence, ran)),
    ...repeats(effects).map((call) => violation('effects', `${call} was run twice`)),
    ...refusals.map((refusal) => violation('checkpoint', `a request is refused: ${refusal}`)),
  ];
}

function judgeSession(evidence: Evidence, ran: ReadonlySet<string>): Violation[] {
  const { id, lines, acknowledged, forks, opened } = evidence;
  const found: Violation[] = [];
  const add = (property: Property, what: string) =>
    found.push(violation(property, `${id}: ${what}`));
  const reader = new LogReader({ detail: 'folds' });
  const fold = new SessionFold();
  const every = Math.max(1, Math.floor(lines.length / SAMPLES));
  const prompts: string[] = [];
  const asked: string[] = [];
  const recoveries = new Recoveries(ran, (what) => add('recovery', what));
  let [place, fence, n] = [0, 0, 0];
  let open = 0;
  for (const line of lines) {
    if (line.place !== place + 1) add('prefix', `line ${line.place} follows ${place}`);
    if (line.fence < fence) add('prefix', `line ${line.place} is of an earlier holder`);
    ({ place, fence } = line);
    const entries = reader.read(line.text);
    if (entries === null) add('prefix', `line ${place} is no line of a log`);
    for (const entry of entries ?? []) {
      if ((entry.n ?? 0) < n) add('prefix', `entry ${entry.n} comes after ${n}`);
      n = Math.max(n, entry.n ?? 0);
      if (entry.event === 'prompt') {
        open += 1;
        prompts.push(String(entry.display));
        if (open > 1)
          add('checkpoint', `${String(entry.display)} began before the turn before it ended`);
      }
      if (entry.event === 'user') asked.push(String(entry.content));
      if (entry.event === 'turn_end') open -= 1;
      recoveries.before(entry, fold.state);
      fold.apply(entryOf(entry));
      recoveries.after(entry, fold.state);
    }
    if (place % every === 0) for (const one of judgePrefix(fold.state)) add(one.property, one.what);
  }
  for (const messageId of acknowledged) {
    if (!prompts.includes(messageId))
      add('prefix', `${messageId} was acknowledged and is not there`);
  }
  for (const prompt of repeats(asked)) add('consume', `${prompt} was asked twice`);
  if (open !== 0) add('prefix', 'a turn has no end');
  for (const one of judgePrefix(fold.state)) add(one.property, one.what);
  if (forks.some((copy) => !isDeepStrictEqual(copy, forks[0]))) add('fork', 'two copies differ');
  if (!isDeepStrictEqual(opened, essenceOf(fold.state)))
    add('checkpoint', 'it opens to something else than its log says');
  return found;
}

/** A log that ends here opens to a conversation that a strict provider takes, the same every time. */
function judgePrefix(state: SessionState): Violation[] {
  const { messages } = recoverTurn(structuredClone(state));
  const refusal = strictProvider(messages);
  return refusal === undefined ? [] : [violation('checkpoint', `entry ${state.n}: ${refusal}`)];
}

/** What processes did to settle the turns that others had left open, against what the log says they had to. */
class Recoveries {
  readonly #ran: ReadonlySet<string>;
  readonly #add: (what: string) => void;
  #expected: readonly unknown[] | undefined;

  constructor(ran: ReadonlySet<string>, add: (what: string) => void) {
    this.#ran = ran;
    this.#add = add;
  }

  before({ event, n }: SessionLogEntry, state: SessionState): void {
    if (event !== 'session_resumed' || state.turn === null) return;
    const before = this.#expected;
    this.#expected = spoken(recoverTurn(structuredClone(state)).messages);
    // The process that settled it was killed on the way.
    if (before && !isDeepStrictEqual(before, this.#expected))
      this.#add(`entry ${n}: a second recovery differs from the first`);
  }

  after({ event, n, code }: SessionLogEntry, state: SessionState): void {
    for (const call of event === 'history_mutation' ? notRun(state.messages.at(-1)) : []) {
      if (this.#ran.has(call)) this.#add(`entry ${n}: ${call} ran and is said not to have run`);
    }
    if (event !== 'turn_end') return;
    const expected = this.#expected;
    this.#expected = undefined;
    if (
      expected &&
      (code !== 'process_ended' || !isDeepStrictEqual(expected, spoken(state.messages)))
    )
      this.#add(`entry ${n}: the turn was not settled as its log says`);
  }
}

function notRun(message: Message | undefined): readonly string[] {
  if (message?.role !== 'tool' || message.metadata?.errorCode !== 'not_run') return [];
  return [message.toolCallId];
}

/** As it comes out of another process. */
function essenceOf({ messages }: SessionState): unknown {
  return JSON.parse(JSON.stringify(messages.map(essence)));
}

/** Without the system message, which each process sets anew. */
function spoken(messages: readonly Message[]): readonly unknown[] {
  return messages.filter(({ role }) => role !== 'system').map(essence);
}

function repeats(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

function violation(property: Property, what: string): Violation {
  return { property, what };
}
