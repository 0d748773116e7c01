import type { SupersededReason } from '../../parsed-transcript.ts';
import { CallRegistry } from './call-registry.ts';
import type { GeminiMessage } from './gemini-message.ts';
import { mergeMessages } from './merge-messages.ts';

/**
 * `full`: everything that was said, what the program has dropped kept and flagged. `program`: what the program
 * itself would load, no more and no less.
 */
export type TranscriptView = 'full' | 'program';

/** A message in its place in time. */
export interface LedgerEntry {
  message: GeminiMessage;
  readonly order: number;
  /** The byte at which its first line begins. */
  readonly offset: number;
  /** Set while the program has dropped the message; messages dropped at once share the object. */
  dropped: Drop | undefined;
  /** The model's polite answer to a compacted chat, which the program made up. */
  readonly isAcknowledgement: boolean;
  /** Of a compaction: the messages before it that the model still reads. */
  kept: readonly LedgerEntry[];
  /** Calls that were recorded with another message but made after this one. */
  lateCalls: readonly string[];
  /** Own calls that have their place after a later message. */
  movedCalls: ReadonlySet<string>;
}

export interface Drop {
  readonly reason: SupersededReason;
}

/** Replays a chat file: messages replace one another by id, checkpoints and rewinds drop some. */
export class MessageLedger {
  readonly calls = new CallRegistry();
  readonly #view: TranscriptView;
  readonly #timeline: LedgerEntry[] = [];
  readonly #known = new Map<string, LedgerEntry>();
  /** The program's list, in its order. */
  #current = new Map<string, LedgerEntry>();
  /** A chat that was begun anew for a resume; counts once it is clear that nothing is put back. */
  #restart: readonly GeminiMessage[] | undefined;

  /** Where the line begins that is being read. */
  set offset(offset: number) {
    this.calls.offset = offset;
  }

  constructor(view: TranscriptView) {
    this.#view = view;
  }

  /** All messages in order of time, or in the program's view its list. */
  entries(): readonly LedgerEntry[] {
    if (this.#view === 'full') return this.#timeline;
    this.#settleRestart();
    return [...this.#current.values()];
  }

  append(given: GeminiMessage): void {
    this.#settleRestart();
    const entry = this.#put(given, false);
    this.#current.set(given.id, entry);
  }

  checkpoint(messages: readonly GeminiMessage[], isRestart: boolean): void {
    if (isRestart) {
      this.#restart = messages;
      return;
    }
    this.#restart = undefined;
    this.#replaceList(messages);
  }

  /** Drops the message and all after it; an unknown one drops everything, as the program does it. */
  rewind(id: string): void {
    this.#settleRestart();
    const ids = [...this.#current.keys()];
    const from = Math.max(0, ids.indexOf(id));
    const gone = ids.slice(from).flatMap((each) => this.#current.get(each) ?? []);
    const drop: Drop = { reason: 'rewind' };
    const order = gone[0]?.order ?? Number.POSITIVE_INFINITY;
    const notices = this.#timeline.filter((entry) => entry.order >= order && isNotice(entry));
    for (const entry of [...gone, ...notices]) entry.dropped ??= drop;
    for (const each of ids.slice(from)) this.#current.delete(each);
  }

  #settleRestart(): void {
    const messages = this.#restart;
    if (messages === undefined) return;
    this.#restart = undefined;
    this.#replaceList(messages, 'reset');
  }

  #replaceList(given: readonly GeminiMessage[], reason?: SupersededReason): void {
    const before = this.#current;
    const messages = this.#withSnapshot(given);
    const isCompaction = messages.some(
      ({ id, snapshot }) => snapshot !== undefined && !this.#known.has(id),
    );
    const after = new Map<string, LedgerEntry>();
    const copies = isCompaction ? new KeptCopies(before) : undefined;
    let isAfterSnapshot = false;
    let snapshot: LedgerEntry | undefined;
    for (const message of messages) {
      const isNew = !this.#known.has(message.id);
      const original = isNew ? copies?.originalOf(message) : undefined;
      if (original !== undefined) this.#known.set(message.id, original);
      const entry = this.#put(message, isNew && isAfterSnapshot);
      after.set(message.id, entry);
      isAfterSnapshot = isNew && message.snapshot !== undefined;
      if (isAfterSnapshot) snapshot = entry;
      else if (snapshot !== undefined && entry.order < snapshot.order) {
        snapshot.kept = [...snapshot.kept, entry];
      }
    }
    this.#current = after;
    if (!isCompaction) this.#markDropped(before, after, reason);
  }

  /** A summary under any mark is known by the answer that the program makes up for it. */
  #withSnapshot(messages: readonly GeminiMessage[]): readonly GeminiMessage[] {
    const index = messages.findIndex(({ id, type, said }, place) => {
      const next = messages[place + 1];
      const isNew = !this.#known.has(id) && !this.#known.has(next?.id ?? id);
      return isNew && type === 'user' && typeof said === 'string' && isMadeUpAnswer(next);
    });
    return messages.map((message, place) =>
      place === index && typeof message.said === 'string'
        ? { ...message, said: undefined, sent: undefined, snapshot: message.said }
        : message,
    );
  }

  #put(given: GeminiMessage, isAcknowledgement: boolean): LedgerEntry {
    const message = this.calls.adopt(given);
    const known = this.#known.get(message.id);
    if (known !== undefined) {
      known.dropped = undefined;
      this.#update(known, message);
      return known;
    }
    const entry: LedgerEntry = {
      message,
      order: this.#timeline.length,
      offset: this.calls.offset,
      kept: NONE_KEPT,
      dropped: undefined,
      isAcknowledgement: isAcknowledgement && message.type === 'gemini',
      lateCalls: NO_CALLS,
      movedCalls: NONE_MOVED,
    };
    this.#timeline.push(entry);
    this.#known.set(message.id, entry);
    return entry;
  }

  #update(entry: LedgerEntry, message: GeminiMessage): void {
    if (this.#view === 'program') {
      entry.message = message;
      return;
    }
    const last = this.#timeline.at(-1);
    if (last !== undefined && last !== entry) placeNewCalls(entry, message, last);
    entry.message = mergeMessages(entry.message, message);
  }

  #markDropped(
    before: ReadonlyMap<string, LedgerEntry>,
    after: ReadonlyMap<string, LedgerEntry>,
    reason: SupersededReason | undefined,
  ): void {
    const kept = new Set(after.values());
    const old = [...before.values()];
    const isGone = (entry: LedgerEntry) => !kept.has(entry) && !isNotice(entry);
    // A failed turn takes the end of the list with it; anything else puts another chat in its place.
    const lastKept = old.findLastIndex((entry) => kept.has(entry));
    const isEnd = lastKept !== -1 && old.findIndex(isGone) > lastKept;
    const drop: Drop = { reason: reason ?? (isEnd ? 'retry' : 'reset') };
    for (const entry of old) if (isGone(entry)) entry.dropped = drop;
  }
}

function isMadeUpAnswer(message: GeminiMessage | undefined): boolean {
  return (
    message?.type === 'gemini' && message.text === 'Got it. Thanks for the additional context!'
  );
}

/** In ACP mode the program adds later calls to an early message; they belong after what was said last. */
function placeNewCalls(entry: LedgerEntry, message: GeminiMessage, last: LedgerEntry): void {
  if (message.calls.length === 0) return;
  const known = new Set(entry.message.calls.map(({ id }) => id));
  const fresh = message.calls.map(({ id }) => id).filter((id) => !known.has(id));
  entry.movedCalls = new Set([...entry.movedCalls, ...fresh]);
  last.lateCalls = [...last.lateCalls, ...fresh];
}

/** Notices are shown to people and are no part of the model's history, so checkpoints never hold them. */
function isNotice({ message }: LedgerEntry): boolean {
  return message.type === 'info' || message.type === 'warning' || message.type === 'error';
}

/** A compaction can keep the end of a chat under new ids; such a copy is no new message. */
class KeptCopies {
  readonly #candidates: readonly LedgerEntry[];
  readonly #words: readonly (string | undefined)[];
  #from = 0;

  constructor(before: ReadonlyMap<string, LedgerEntry>) {
    this.#candidates = [...before.values()];
    this.#words = this.#candidates.map(({ message }) => wordsOf(message));
  }

  originalOf(message: GeminiMessage): LedgerEntry | undefined {
    const wanted = wordsOf(message);
    const index = wanted === undefined ? -1 : this.#words.indexOf(wanted, this.#from);
    if (index === -1) return undefined;
    this.#from = index + 1;
    return this.#candidates[index];
  }
}

function wordsOf(message: GeminiMessage): string | undefined {
  const { type, said, text, calls, responses } = message;
  if (said === undefined && text === '' && calls.length + responses.length === 0) return undefined;
  const asked = calls.map(({ id }) => id);
  const answered = responses.map(({ callId }) => callId);
  return JSON.stringify([type, said, text, asked, answered]);
}

const NONE_KEPT: readonly LedgerEntry[] = [];
const NO_CALLS: readonly string[] = [];

const NONE_MOVED: ReadonlySet<string> = new Set();
