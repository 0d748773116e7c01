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
import { type LookResult, SessionReading } from './session-reading.ts';

/** What is told about a session that is followed. */
export type FollowedEvent =
  /** What had happened before; the first event. */
  | { readonly type: 'opened'; readonly conversation: ConversationState }
  | { readonly type: 'stream_event'; readonly event: StreamEvent }
  /** Something changed that events cannot tell: this replaces all that was told before. */
  | { readonly type: 'resync'; readonly conversation: ConversationState };

export interface FollowerOptions {
  readonly onEvent: (event: FollowedEvent) => void;
  /** Told of the first of several failures in a row; looking goes on. */
  readonly onError: (error: Error) => void;
  /** How often files are looked at although no watch told of a change. */
  readonly pollMs?: number | undefined;
  /** How often when the system has no watch for us. */
  readonly unwatchedPollMs?: number | undefined;
  /** `false`: files are only looked at, as on a system without watches. */
  readonly watches?: boolean | undefined;
  /** What a reading means to whoever was told `shown`; by default what it says. */
  readonly adjust?:
    | ((read: ConversationState, shown: ConversationState) => ConversationState)
    | undefined;
  /** Whether this process is kept alive by the following alone. */
  readonly keepsAlive?: boolean | undefined;
}

/** Follows the files of one session that a program writes, and tells what happens in it. Only reads. */
export class TranscriptFollower {
  readonly #options: FollowerOptions;
  readonly #reading: SessionReading;
  readonly #foldersToWatch: () => Promise<readonly string[]>;
  readonly #watches = new Map<string, FolderWatch>();
  #conversation: ConversationState = EMPTY_CONVERSATION;
  /** The end of the main conversation, so that a long one is not looked through for every line. */
  #lastBlocks: readonly ConversationBlock[] | undefined;
  #requests: readonly ModelRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #roundMs = 0;
  /** What a reading of the whole took last. */
  #wholeMs = 0;
  #wholeDueAt: number | undefined;
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

  /** What the model was asked so far, with what it cost; as of the last reading of the whole. */
  get requests(): readonly ModelRequest[] {
    return this.#requests;
  }

  get path(): string {
    return this.#reading.path;
  }

  /** Tells what has happened so far, then goes on by itself. Rejects when that cannot be read. */
  async start(): Promise<void> {
    await this.#look('whole');
    await this.#watchFolders();
    if (!this.#isStopped) this.#pollSoon();
  }

  /** Looks now; when it returns, everything that was written before the call has been told. */
  refresh(): Promise<void> {
    return this.#enqueue('whole');
  }

  /** What the files say now, without a word to anybody. */
  async peek(): Promise<ConversationState> {
    let read = EMPTY_CONVERSATION;
    const peeking = this.#round.then(async () => {
      await this.#reading.look();
      const parsed = this.#reading.parse();
      this.#requests = parsed.requests ?? [];
      read = conversationOf(parsed);
      this.#wholeDueAt = 0;
    });
    this.#round = peeking.catch(() => undefined);
    await peeking;
    return read;
  }

  /** Until `resume` nothing is told by itself. */
  pause(): void {
    this.#isPaused = true;
  }

  /** From now on `conversation` counts as what has been told. */
  resume(conversation: ConversationState): void {
    this.#lastBlocks = undefined;
    this.#conversation = conversation;
    this.#isPaused = false;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#poll);
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    await this.#round;
  }

  #enqueue(extent: 'whole' | 'needed'): Promise<void> {
    const result = this.#round.then(() => this.#look(extent));
    this.#round = result.catch(() => undefined);
    return result;
  }

  /** Several changes within a moment are looked at together; slow readings leave longer moments between them. */
  readonly #wake = (): void => {
    if (this.#isStopped || this.#isPaused || this.#timer !== undefined) return;
    const wait = Math.max(COALESCE_MS, Math.min(2 * this.#roundMs, LONGEST_PAUSE_MS));
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

  /** A watch can be missing, lost, or on a file system that tells nothing: one looks anyway, seldom. */
  #pollSoon(): void {
    const { pollMs = 1000, unwatchedPollMs = 250 } = this.#options;
    const isWatched = this.#watches.size > 0 && [...this.#watches.values()][0]?.isOn === true;
    const wait = isWatched ? pollMs : Math.min(pollMs, unwatchedPollMs);
    this.#poll = this.#setTimer(() => {
      this.#wake();
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
      this.#watches.set(folder, watchFolder(folder, this.#wake));
    }
  }

  async #look(extent: 'whole' | 'needed'): Promise<void> {
    if (this.#isStopped || (this.#isPaused && this.#isOpened)) return;
    const startedAt = performance.now();
    const found = await this.#reading.look();
    const hasGrown = found.isRestarted || found.hasMainGrown || found.grownAgents.length > 0;
    const isDue = this.#wholeDueAt !== undefined && startedAt >= this.#wholeDueAt;
    if (!this.#isOpened || isDue) this.#tellWhole();
    else if (hasGrown) await this.#tell(found, extent);
    else if (extent === 'whole' && this.#wholeDueAt !== undefined) this.#tellWhole();
    if (hasGrown) await this.#watchFolders();
    this.#roundMs = performance.now() - startedAt;
  }

  async #tell(found: LookResult, extent: 'whole' | 'needed'): Promise<void> {
    const isCheap = this.#wholeMs < CHEAP_MS;
    if (isCheap || found.isRestarted || extent === 'whole') return this.#tellWhole();
    const events = await this.#eventsOfTails(found);
    if (events === undefined) return this.#tellWhole();
    this.#tellEvents(events);
    // The ends of the files do not say everything: once it is quiet, or after a while, the whole is read.
    const now = performance.now();
    this.#tailsSince ??= now;
    this.#wholeDueAt = Math.min(now + QUIET_MS, this.#tailsSince + LONGEST_TAILS_MS);
  }

  /** What the ends of the files say; `undefined` when only the whole tells. */
  async #eventsOfTails(found: LookResult): Promise<readonly StreamEvent[] | undefined> {
    const events: StreamEvent[] = [];
    if (found.hasMainGrown) {
      const tail = this.#reading.parseTail();
      const shown = this.#lastBlocks ?? this.#conversation.blocks.slice(-LAST_BLOCKS);
      const told = tail && diffTail(shown, tail);
      if (tail === undefined || told === undefined) return undefined;
      events.push(...told);
      this.#lastBlocks = tail;
    }
    for (const id of found.grownAgents) {
      const thread = this.#conversation.subagents.find((one) => one.id === id);
      const told = thread && diffAgentTail(thread, await this.#reading.parseAgent(id));
      if (told === undefined) return undefined;
      events.push(...told);
    }
    return events;
  }

  #tellWhole(): void {
    this.#lastBlocks = undefined;
    const startedAt = performance.now();
    const parsed = this.#reading.parse();
    this.#wholeMs = performance.now() - startedAt;
    this.#wholeDueAt = undefined;
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
      this.#tellEvents(events);
      return;
    }
    this.#conversation = adjusted;
    this.#options.onEvent({ type: 'resync', conversation: adjusted });
  }

  #tellEvents(events: readonly StreamEvent[]): void {
    for (const event of events) {
      this.#conversation = applyStreamEvent(this.#conversation, event);
      this.#options.onEvent({ type: 'stream_event', event });
    }
  }
}

/** Without the table of all requests, which would be told anew with every one. */
function conversationOf(parsed: ParsedTranscript): ConversationState {
  const { usageByMessage: _table, ...metadata } = parsed.metadata;
  const { blocks, subagents, superseded } = parsed;
  return { blocks, subagents, superseded, metadata };
}

const COALESCE_MS = 20;
const LAST_BLOCKS = 200;
const LONGEST_PAUSE_MS = 2000;
const CHEAP_MS = 20;
const QUIET_MS = 2000;
const LONGEST_TAILS_MS = 30_000;
