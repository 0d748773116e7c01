import type { SupersededReason } from '../../parsed-transcript.ts';
import { CallRegistry } from './call-registry.ts';
import type { GeminiMessage } from './gemini-message.ts';
import { mergeMessages } from './merge-messages.ts';
import { MessageList } from './message-list.ts';

/**
 * `full`: all messages, with those the program dropped kept and flagged. `program`: what the program
 * itself would load.
 */
export type TranscriptView = 'full' | 'program';

/** A message on the timeline. */
export interface LedgerEntry {
  message: GeminiMessage;
  /** The calls of the message, from all its records. */
  calls: CallIds;
  readonly order: number;
  /** Its index in the program's list, if it is there. */
  place: number;
  /** Byte offset of its first line. */
  readonly offset: number;
  /** Set while the message is dropped; messages dropped together share the object. */
  dropped: Drop | undefined;
  /** The model message the program generates after a compaction summary. */
  readonly isAcknowledgement: boolean;
  /** For a compaction: the messages before it that the model still sees. */
  kept: readonly LedgerEntry[];
  /** Calls recorded with another message but made after this one. */
  lateCalls: CallIds;
  /** Own calls that belong after a later message. */
  movedCalls: CallIds;
}

/** Most messages have none and share one set; others extend their own. */
type CallIds = ReadonlySet<string>;

export interface Drop {
  readonly reason: SupersededReason;
}

/** Replays a chat file: messages replace one another by id, checkpoints and rewinds drop some. */
export class MessageLedger {
  readonly calls = new CallRegistry();
  readonly #view: TranscriptView;
  readonly #timeline: LedgerEntry[] = [];
  readonly #known = new Map<string, LedgerEntry>();
  #current = new MessageList();
  /** Notices that are not dropped, by their order. */
  readonly #notices: LedgerEntry[] = [];
  /** The list of a chat restarted by a resume; applied once it is clear that no checkpoint restores it. */
  #restart: readonly GeminiMessage[] | undefined;

  /** Byte offset of the line being read. */
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
    return this.#current.entries;
  }

  append(given: GeminiMessage): void {
    this.#settleRestart();
    this.#current.add(this.#put(given, false));
  }

  checkpoint(messages: readonly GeminiMessage[], isRestart: boolean): void {
    if (isRestart) {
      this.#restart = messages;
      return;
    }
    this.#restart = undefined;
    this.#replaceList(messages);
  }

  /** Drops the message and all after it; an unknown id drops everything, as in the program. */
  rewind(id: string): void {
    this.#settleRestart();
    const removed = this.#current.cutFrom(this.#known.get(id));
    const drop: Drop = { reason: 'rewind' };
    const order = removed[0]?.order ?? Number.POSITIVE_INFINITY;
    const notices = this.#notices.splice(this.#placeOfNotice(order));
    for (const entry of removed) entry.dropped ??= drop;
    for (const entry of notices) entry.dropped ??= drop;
  }

  /** Where a notice with this order is or would be. */
  #placeOfNotice(order: number): number {
    let [low, high] = [0, this.#notices.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#notices[middle]?.order ?? order) < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #trackNotice(entry: LedgerEntry): void {
    if (!isNotice(entry)) return;
    const place = this.#placeOfNotice(entry.order);
    if (this.#notices[place] !== entry) this.#notices.splice(place, 0, entry);
  }

  #settleRestart(): void {
    const messages = this.#restart;
    if (messages === undefined) return;
    this.#restart = undefined;
    this.#replaceList(messages, 'reset');
  }

  #replaceList(given: readonly GeminiMessage[], reason?: SupersededReason): void {
    const before = this.#current.entries;
    const messages = this.#withSnapshot(given);
    const isCompaction = messages.some(
      ({ id, snapshot }) => snapshot !== undefined && !this.#known.has(id),
    );
    const after = new MessageList();
    const copies = isCompaction ? new KeptMessages(before) : undefined;
    let isAfterSnapshot = false;
    let snapshot: LedgerEntry | undefined;
    for (const message of messages) {
      const isNew = !this.#known.has(message.id);
      const original = isNew ? copies?.originalOf(message) : undefined;
      if (original !== undefined) this.#known.set(message.id, original);
      const entry = this.#put(message, isNew && isAfterSnapshot);
      after.add(entry);
      isAfterSnapshot = isNew && message.snapshot !== undefined;
      if (isAfterSnapshot) snapshot = entry;
    }
    if (snapshot !== undefined) snapshot.kept = keptAfter(snapshot, after.entries);
    this.#current = after;
    if (!isCompaction) this.#markDropped(before, after.entries, reason);
  }

  /** A summary without the usual tag is recognised by the generated answer after it. */
  #withSnapshot(messages: readonly GeminiMessage[]): readonly GeminiMessage[] {
    const index = messages.findIndex(({ id, type, userContent }, place) => {
      const next = messages[place + 1];
      const isNew = !this.#known.has(id) && !this.#known.has(next?.id ?? id);
      return isNew && type === 'user' && typeof userContent === 'string' && isGeneratedAnswer(next);
    });
    return messages.map((message, place) =>
      place === index && typeof message.userContent === 'string'
        ? { ...message, userContent: undefined, sent: undefined, snapshot: message.userContent }
        : message,
    );
  }

  #put(given: GeminiMessage, isAcknowledgement: boolean): LedgerEntry {
    const message = this.calls.register(given);
    const known = this.#known.get(message.id);
    if (known !== undefined) {
      this.#update(known, message);
      if (known.dropped !== undefined) this.#trackNotice(known);
      known.dropped = undefined;
      return known;
    }
    const entry: LedgerEntry = {
      message,
      calls: withCalls(NO_CALLS, message),
      order: this.#timeline.length,
      place: -1,
      offset: this.calls.offset,
      kept: NONE_KEPT,
      dropped: undefined,
      isAcknowledgement: isAcknowledgement && message.type === 'gemini',
      lateCalls: NO_CALLS,
      movedCalls: NO_CALLS,
    };
    this.#timeline.push(entry);
    this.#trackNotice(entry);
    this.#known.set(message.id, entry);
    return entry;
  }

  #update(entry: LedgerEntry, message: GeminiMessage): void {
    if (this.#view === 'program') {
      entry.message = message;
      entry.calls = withCalls(NO_CALLS, message);
      return;
    }
    const last = this.#timeline.at(-1);
    if (last !== undefined && last !== entry) placeNewCalls(entry, message, last);
    entry.calls = withCalls(entry.calls, message);
    entry.message = mergeMessages(entry.message, message);
  }

  #markDropped(
    old: readonly LedgerEntry[],
    after: readonly LedgerEntry[],
    reason: SupersededReason | undefined,
  ): void {
    const kept = new Set(after);
    const isDropped = (entry: LedgerEntry) => !kept.has(entry) && !isNotice(entry);
    // A failed turn removes the end of the list; anything else replaces the chat.
    const lastKept = old.findLastIndex((entry) => kept.has(entry));
    const isEnd = lastKept !== -1 && old.findIndex(isDropped) > lastKept;
    const drop: Drop = { reason: reason ?? (isEnd ? 'retry' : 'reset') };
    for (const entry of old) if (isDropped(entry)) entry.dropped = drop;
  }
}

/** The messages in the list after a summary that were there before it. */
function keptAfter(
  { place, order }: LedgerEntry,
  entries: readonly LedgerEntry[],
): readonly LedgerEntry[] {
  return entries.slice(place + 1).filter((entry) => entry.order < order);
}

function isGeneratedAnswer(message: GeminiMessage | undefined): boolean {
  return (
    message?.type === 'gemini' && message.text === 'Got it. Thanks for the additional context!'
  );
}

/** In ACP mode the program adds later calls to an early message; they belong after the last message. */
function placeNewCalls(entry: LedgerEntry, message: GeminiMessage, last: LedgerEntry): void {
  const fresh = message.calls.filter(({ id }) => !entry.calls.has(id));
  entry.movedCalls = withCalls(entry.movedCalls, { calls: fresh });
  last.lateCalls = withCalls(last.lateCalls, { calls: fresh });
}

/** Extends the set itself, unless it is the empty one that all share. */
function withCalls(ids: CallIds, { calls }: Pick<GeminiMessage, 'calls'>): CallIds {
  if (calls.length === 0) return ids;
  const own = ids instanceof OwnCallIds ? ids : new OwnCallIds();
  for (const { id } of calls) own.add(id);
  return own;
}

class OwnCallIds extends Set<string> {}

/** Notices are not part of the model's history, so checkpoints never contain them. */
function isNotice({ message }: LedgerEntry): boolean {
  return message.type === 'info' || message.type === 'warning' || message.type === 'error';
}

/** A compaction can keep the end of a chat under new ids; such a copy is not a new message. */
class KeptMessages {
  readonly #candidates: readonly LedgerEntry[];
  /** Places of the candidates by their content, the first one last. */
  readonly #places = new Map<string, number[]>();
  #from = 0;

  constructor(before: readonly LedgerEntry[]) {
    this.#candidates = before;
    for (const [place, { message, calls }] of [...before.entries()].reverse()) {
      const content = contentOf(message, [...calls]);
      if (content === undefined) continue;
      const places = this.#places.get(content);
      if (places === undefined) this.#places.set(content, [place]);
      else places.push(place);
    }
  }

  originalOf(message: GeminiMessage): LedgerEntry | undefined {
    const asked = message.calls.map(({ id }) => id);
    const wanted = contentOf(message, asked);
    const places = wanted === undefined ? undefined : this.#places.get(wanted);
    let place = places?.pop();
    while (place !== undefined && place < this.#from) place = places?.pop();
    if (place === undefined) return undefined;
    this.#from = place + 1;
    return this.#candidates[place];
  }
}

function contentOf(message: GeminiMessage, asked: readonly string[]): string | undefined {
  const { type, userContent, text, responses } = message;
  if (userContent === undefined && text === '' && asked.length + responses.length === 0)
    return undefined;
  const answered = responses.map(({ callId }) => callId);
  return JSON.stringify([type, userContent, text, asked, answered]);
}

const NONE_KEPT: readonly LedgerEntry[] = [];
const NO_CALLS: CallIds = new Set();
