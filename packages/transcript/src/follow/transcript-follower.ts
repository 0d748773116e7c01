import type { TranscriptSource } from '../architectures/read-transcript-file.ts';
import type { ConversationBlock } from '../blocks.ts';
import { applyStreamEvent } from '../fold/apply-stream-event.ts';
import { type ConversationState, EMPTY_CONVERSATION } from '../fold/conversation-state.ts';
import { diffConversation } from '../fold/diff-conversation.ts';
import type { ModelRequest } from '../model-request.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import type { StreamEvent } from '../stream-events.ts';
import { diffAgentTail, diffTail } from './diff-tail.ts';
import { type FolderWatch, watchFolder } from './folder-watch.ts';
import { type ReadResult, SessionReading } from './session-reading.ts';

/** An event of a followed session. */
export type FollowedEvent =
  /** The first event: the existing conversation. */
  | { readonly type: 'opened'; readonly conversation: ConversationState }
  | { readonly type: 'stream_event'; readonly event: StreamEvent }
  /** A change that stream events cannot express; replaces everything emitted before. */
  | { readonly type: 'resync'; readonly conversation: ConversationState };

export interface FollowerOptions {
  readonly onEvent: (event: FollowedEvent) => void;
  /** Receives the first of consecutive failures; following continues. */
  readonly onError: (error: Error) => void;
  /** Poll interval when watches are active, in milliseconds. */
  readonly pollMs?: number | undefined;
  /** Poll interval without watches, in milliseconds. */
  readonly unwatchedPollMs?: number | undefined;
  /** `false` disables watches, so that files are only polled. */
  readonly watches?: boolean | undefined;
  /** Adjusts a reading to the conversation already shown. */
  readonly adjust?:
    | ((read: ConversationState, shown: ConversationState) => ConversationState)
    | undefined;
  /** Whether following keeps the process alive. */
  readonly keepsAlive?: boolean | undefined;
}

/** Follows the files of one session and emits what happens in it. Read-only. */
export class TranscriptFollower {
  readonly #options: FollowerOptions;
  readonly #reading: SessionReading;
  readonly #foldersToWatch: () => Promise<readonly string[]>;
  readonly #watches = new Map<string, FolderWatch>();
  #conversation: ConversationState = EMPTY_CONVERSATION;
  /** The end of the main conversation, so that a long one is not searched for every line. */
  #lastBlocks: readonly ConversationBlock[] | undefined;
  #requests: readonly ModelRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #roundMs = 0;
  /** Duration of the last full parse. */
  #fullMs = 0;
  #fullDueAt: number | undefined;
  #tailsSince: number | undefined;
  #isOpened = false;
  #isStopped = false;
  #isPaused = false;
  #hasFailed = false;

  constructor(source: TranscriptSource, path: string, options: FollowerOptions) {
    this.#options = options;
    this.#reading = new SessionReading(source, path);
    this.#foldersToWatch = async () =>
      (await source.layout.foldersToWatch?.(this.#reading.path)) ?? [];
  }

  get conversation(): ConversationState {
    return this.#conversation;
  }

  /** Model requests so far, as of the last full parse. */
  get requests(): readonly ModelRequest[] {
    return this.#requests;
  }

  get path(): string {
    return this.#reading.path;
  }

  /** Emits the existing conversation and starts following. Rejects if the transcript cannot be read. */
  async start(): Promise<void> {
    await this.#read('full');
    await this.#watchFolders();
    if (!this.#isStopped) this.#pollSoon();
  }

  /** Reads now; on return, everything written before the call has been emitted. */
  refresh(): Promise<void> {
    return this.#enqueue('full');
  }

  /** Reads the files without emitting anything. */
  async peek(): Promise<ConversationState> {
    let read = EMPTY_CONVERSATION;
    const reading = this.#round.then(async () => {
      await this.#reading.read();
      const parsed = this.#reading.parse();
      this.#requests = parsed.requests ?? [];
      read = conversationOf(parsed);
      this.#fullDueAt = 0;
    });
    this.#round = reading.catch(() => undefined);
    await reading;
    return read;
  }

  /** Stops emitting until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Continues from `conversation` as the emitted state. */
  resume(conversation: ConversationState): void {
    this.#lastBlocks = undefined;
    this.#conversation = conversation;
    this.#isPaused = false;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#poll);
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    await this.#round;
  }

  #enqueue(extent: 'full' | 'needed'): Promise<void> {
    const result = this.#round.then(() => this.#read(extent));
    this.#round = result.catch(() => undefined);
    return result;
  }

  /** Coalesces changes; slow readings lead to longer delays. */
  readonly #schedule = (): void => {
    if (this.#isStopped || this.#isPaused || this.#timer !== undefined) return;
    const wait = Math.max(COALESCE_MS, Math.min(2 * this.#roundMs, MAX_DELAY_MS));
    this.#timer = this.#setTimer(() => {
      this.#timer = undefined;
      this.#enqueue('needed').then(
        () => {
          this.#hasFailed = false;
        },
        (error: Error) => {
          if (!this.#hasFailed) this.#options.onError(error);
          this.#hasFailed = true;
        },
      );
    }, wait);
  };

  /** Polls as well, because watches can be missing, lost or silent on some file systems. */
  #pollSoon(): void {
    const { pollMs = 1000, unwatchedPollMs = 250 } = this.#options;
    const isWatched = this.#watches.size > 0 && [...this.#watches.values()][0]?.isOn === true;
    const wait = isWatched ? pollMs : Math.min(pollMs, unwatchedPollMs);
    this.#poll = this.#setTimer(() => {
      this.#schedule();
      if (!this.#isStopped) this.#pollSoon();
    }, wait);
  }

  #setTimer(work: () => void, ms: number): NodeJS.Timeout {
    const timer = setTimeout(work, ms);
    if (this.#options.keepsAlive === false) timer.unref();
    return timer;
  }

  async #watchFolders(): Promise<void> {
    if (this.#options.watches === false) return;
    for (const folder of await this.#foldersToWatch()) {
      if (this.#isStopped || this.#watches.get(folder)?.isOn) continue;
      this.#watches.get(folder)?.close();
      this.#watches.set(folder, watchFolder(folder, this.#schedule));
    }
  }

  async #read(extent: 'full' | 'needed'): Promise<void> {
    if (this.#isStopped || (this.#isPaused && this.#isOpened)) return;
    const startedAt = performance.now();
    const found = await this.#reading.read();
    const hasGrown = found.isRestarted || found.hasMainGrown || found.grownAgents.length > 0;
    const isDue = this.#fullDueAt !== undefined && startedAt >= this.#fullDueAt;
    if (!this.#isOpened || isDue) this.#emitFull();
    else if (hasGrown) await this.#emitChanges(found, extent);
    else if (extent === 'full' && this.#fullDueAt !== undefined) this.#emitFull();
    if (hasGrown) await this.#watchFolders();
    this.#roundMs = performance.now() - startedAt;
  }

  async #emitChanges(found: ReadResult, extent: 'full' | 'needed'): Promise<void> {
    const isCheap = this.#fullMs < CHEAP_MS;
    if (isCheap || found.isRestarted || extent === 'full') return this.#emitFull();
    const events = await this.#eventsOfTails(found);
    if (events === undefined) return this.#emitFull();
    this.#emitEvents(events);
    // Tails are not complete, so a full parse follows when the files are idle, or after a while.
    const now = performance.now();
    this.#tailsSince ??= now;
    this.#fullDueAt = Math.min(now + IDLE_MS, this.#tailsSince + MAX_TAILS_MS);
  }

  /** Events from the ends of the files; `undefined` if a full parse is needed. */
  async #eventsOfTails(found: ReadResult): Promise<readonly StreamEvent[] | undefined> {
    const events: StreamEvent[] = [];
    if (found.hasMainGrown) {
      const tail = this.#reading.parseTail();
      const shown = this.#lastBlocks ?? this.#conversation.blocks.slice(-LAST_BLOCKS);
      const added = tail && diffTail(shown, tail);
      if (tail === undefined || added === undefined) return undefined;
      events.push(...added);
      this.#lastBlocks = tail;
    }
    for (const id of found.grownAgents) {
      const thread = this.#conversation.subagents.find((one) => one.id === id);
      const added = thread && diffAgentTail(thread, await this.#reading.parseAgent(id));
      if (added === undefined) return undefined;
      events.push(...added);
    }
    return events;
  }

  #emitFull(): void {
    this.#lastBlocks = undefined;
    const startedAt = performance.now();
    const parsed = this.#reading.parse();
    this.#fullMs = performance.now() - startedAt;
    this.#fullDueAt = undefined;
    this.#tailsSince = undefined;
    this.#requests = parsed.requests ?? [];
    const now = conversationOf(parsed);
    if (!this.#isOpened) {
      this.#isOpened = true;
      this.#conversation = now;
      this.#options.onEvent({ type: 'opened', conversation: now });
      return;
    }
    const adjusted = this.#options.adjust?.(now, this.#conversation) ?? now;
    const { events, isWhole } = diffConversation(this.#conversation, adjusted);
    if (isWhole) {
      this.#emitEvents(events);
      return;
    }
    this.#conversation = adjusted;
    this.#options.onEvent({ type: 'resync', conversation: adjusted });
  }

  #emitEvents(events: readonly StreamEvent[]): void {
    for (const event of events) {
      this.#conversation = applyStreamEvent(this.#conversation, event);
      this.#options.onEvent({ type: 'stream_event', event });
    }
  }
}

/** Leaves out the usage table, which would be sent again with every request. */
function conversationOf(parsed: ParsedTranscript): ConversationState {
  const { usageByMessage: _table, ...metadata } = parsed.metadata;
  const { blocks, subagents, superseded } = parsed;
  return { blocks, subagents, superseded, metadata };
}

const COALESCE_MS = 20;
const LAST_BLOCKS = 200;
const MAX_DELAY_MS = 2000;
const CHEAP_MS = 20;
const IDLE_MS = 2000;
const MAX_TAILS_MS = 30_000;
