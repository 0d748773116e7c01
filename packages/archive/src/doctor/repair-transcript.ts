import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CALL_RULES, type CallRules, type TranscriptLine } from './call-rules.ts';

/** A transcript of another agent, by the agent's type. */
export interface ForeignTranscript {
  readonly type: string;
  readonly path: string;
}

/** Why the agent's own program would refuse or misread a transcript. */
export interface TranscriptFault {
  readonly kind: 'torn_line' | 'orphan_result' | 'repeated_result' | 'unanswered_call';
  /** Counted from 1. */
  readonly line: number;
  /** A sentence for the user. */
  readonly message: string;
}

/** Faults of a transcript; empty for a valid one, and for agents whose transcripts are not line-based. */
export function examineTranscript({ type, path }: ForeignTranscript): readonly TranscriptFault[] {
  const rules = rulesFor(type, path);
  return rules === undefined ? [] : examine(readLines(path), rules).faults;
}

/** A repaired copy and the faults it fixes. */
export interface RepairedTranscript {
  /** The repaired copy; the transcript itself is never changed. */
  readonly path: string;
  readonly faults: readonly TranscriptFault[];
}

/** Writes a copy without the faults into `directory`; undefined when there are none. */
export function repairTranscript(
  transcript: ForeignTranscript,
  directory: string,
): RepairedTranscript | undefined {
  const rules = rulesFor(transcript.type, transcript.path);
  if (rules === undefined) return undefined;
  const lines = readLines(transcript.path);
  const { faults, orphans, unanswered } = examine(lines, rules);
  if (faults.length === 0) return undefined;
  const repaired = repair(lines, { rules, orphans, unanswered });
  const path = join(directory, basename(transcript.path));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, repaired.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(`Cannot write the repaired copy ${path}`, { cause: error });
  }
  return { path, faults };
}

function rulesFor(type: string, path: string): CallRules | undefined {
  return path.endsWith('.jsonl') ? CALL_RULES.get(type) : undefined;
}

interface ReadLine {
  readonly text: string;
  /** Undefined if it cannot be parsed. */
  readonly record: TranscriptLine | undefined;
}

function readLines(path: string): ReadLine[] {
  const bytes = readFileSync(path);
  const lines: ReadLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    lines.push(readLine(bytes.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}

const NEWLINE = 0x0a;
/** Longer lines are not read by the catalogue either. */
const MAX_LINE_BYTES = 1 << 27;
const START_BYTES = 64;

function readLine(bytes: Buffer): ReadLine {
  if (bytes.length > MAX_LINE_BYTES)
    return { text: bytes.toString('latin1', 0, START_BYTES), record: undefined };
  const text = bytes.toString('utf8');
  return { text, record: parse(text) };
}

function parse(text: string): TranscriptLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as TranscriptLine) : undefined;
  } catch {
    // Torn by a crash or a full disk; reported as a fault.
    return undefined;
  }
}

interface Examination {
  readonly faults: readonly TranscriptFault[];
  /** Results to remove, by the index of their line. */
  readonly orphans: ReadonlyMap<number, ReadonlySet<string>>;
  /** Calls to answer, by the index of the line after which the result belongs. */
  readonly unanswered: ReadonlyMap<number, readonly string[]>;
}

function examine(lines: readonly ReadLine[], rules: CallRules): Examination {
  const pairs = new CallPairs(rules);
  for (const [index, line] of lines.entries()) pairs.read(line, index);
  const unanswered = new Map<number, string[]>();
  const { faults, orphans } = pairs;
  for (const [id, index] of pairs.open()) {
    const place = endOfMessage(lines, index, rules);
    // The very last call may still be running, and programs resume from it themselves.
    if (!isFollowed(lines, place)) continue;
    unanswered.set(place, [...(unanswered.get(place) ?? []), id]);
    faults.push(unansweredCall(index, id));
  }
  return { faults: faults.sort((one, other) => one.line - other.line), orphans, unanswered };
}

/** Pairs calls with their results, line by line. */
class CallPairs {
  readonly faults: TranscriptFault[] = [];
  readonly orphans = new Map<number, Set<string>>();
  readonly #rules: CallRules;
  readonly #called = new Map<string, number>();
  readonly #answered = new Set<string>();

  constructor(rules: CallRules) {
    this.#rules = rules;
  }

  read({ text, record }: ReadLine, index: number): void {
    if (record === undefined) {
      if (text.trim() !== '') this.faults.push(tornLine(index));
      return;
    }
    for (const id of this.#rules.calls(record)) this.#called.set(id, index);
    for (const id of this.#rules.results(record)) this.#answer(id, index);
  }

  /** Calls without a result, with the index of their line. */
  open(): readonly (readonly [id: string, index: number])[] {
    return [...this.#called].filter(([id]) => !this.#answered.has(id));
  }

  #answer(id: string, index: number): void {
    const isCalled = this.#called.has(id);
    if (isCalled && !this.#answered.has(id)) {
      this.#answered.add(id);
      return;
    }
    this.orphans.set(index, (this.orphans.get(index) ?? new Set()).add(id));
    this.faults.push(isCalled ? repeatedResult(index, id) : orphanResult(index, id));
  }
}

function isFollowed(lines: readonly ReadLine[], index: number): boolean {
  return lines.slice(index + 1).some(({ record }) => record !== undefined);
}

function endOfMessage(lines: readonly ReadLine[], index: number, rules: CallRules): number {
  const message = rules.messageOf?.(lines[index]?.record ?? {});
  if (message === undefined) return index;
  return lines.findLastIndex(({ record }) => record && rules.messageOf?.(record) === message);
}

interface Repair extends Pick<Examination, 'orphans' | 'unanswered'> {
  readonly rules: CallRules;
}

/** Unchanged lines stay byte for byte the same. */
function repair(lines: readonly ReadLine[], { rules, orphans, unanswered }: Repair): string[] {
  /** Replacement parent ids, for lines that were removed or got a result inserted. */
  const moved = new Map<unknown, unknown>();
  const { id, parent } = rules.links ?? { id: '', parent: '' };
  const out: string[] = [];
  for (const [index, { text, record }] of lines.entries()) {
    if (record === undefined) continue;
    const linked = relink(record, rules.links, moved);
    const kept = rules.withoutResults(linked, orphans.get(index) ?? NOTHING);
    if (kept === undefined) {
      moved.set(record[id], linked[parent]);
      continue;
    }
    out.push(kept === record ? text : JSON.stringify(kept));
    const open = unanswered.get(index);
    if (open === undefined) continue;
    const answers = rules.answer(kept, open);
    for (const answer of answers) out.push(JSON.stringify(answer));
    moved.set(record[id], answers.at(-1)?.[id]);
  }
  return out;
}

const NOTHING: ReadonlySet<string> = new Set();

function relink(
  record: TranscriptLine,
  links: CallRules['links'],
  moved: ReadonlyMap<unknown, unknown>,
): TranscriptLine {
  if (links === undefined) return record;
  const parent = record[links.parent];
  if (parent === undefined || parent === null || !moved.has(parent)) return record;
  return { ...record, [links.parent]: moved.get(parent) ?? null };
}

function tornLine(index: number): TranscriptFault {
  return { kind: 'torn_line', line: index + 1, message: 'The line is cut off or is not JSON.' };
}

function orphanResult(index: number, id: string): TranscriptFault {
  const message = `A result answers the call ${id}, which was never made.`;
  return { kind: 'orphan_result', line: index + 1, message };
}

function repeatedResult(index: number, id: string): TranscriptFault {
  const message = `The call ${id} is answered a second time.`;
  return { kind: 'repeated_result', line: index + 1, message };
}

function unansweredCall(index: number, id: string): TranscriptFault {
  const message = `The call ${id} has no result, although the conversation continues.`;
  return { kind: 'unanswered_call', line: index + 1, message };
}
