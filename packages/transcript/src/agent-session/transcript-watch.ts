import { setTimeout as wait } from 'node:timers/promises';
import type { TranscriptSource } from '../architectures/read-transcript-file.ts';
import type { ConversationBlock } from '../blocks.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import { diffConversation } from '../fold/diff-conversation.ts';
import { TranscriptFollower } from '../follow/transcript-follower.ts';
import type { StreamEvent } from '../stream-events.ts';
import { mergeReading } from './merge-reading.ts';

interface WatchCallbacks {
  /** What is known of the session so far. */
  conversation(): ConversationState;
  onEvent(event: StreamEvent): void;
  onResync(conversation: ConversationState): void;
  onError(error: Error): void;
}

/** Watches the transcripts of a session between its turns, and completes a turn from them. */
export class TranscriptWatch {
  readonly #source: TranscriptSource;
  readonly #callbacks: WatchCallbacks;
  #follower: TranscriptFollower | undefined;
  #path: string | undefined;

  constructor(source: TranscriptSource, callbacks: WatchCallbacks) {
    this.#source = source;
    this.#callbacks = callbacks;
  }

  /** Begins, or goes on with another file, and waits for `resume`. */
  async begin(path: string): Promise<void> {
    if (this.#path === path) return;
    await this.end();
    this.#path = path;
    const follower = new TranscriptFollower(this.#source, path, {
      onEvent: (event) => {
        if (event.type === 'stream_event') this.#callbacks.onEvent(event.event);
        else if (event.type === 'resync') this.#callbacks.onResync(event.conversation);
      },
      onError: (error) => this.#callbacks.onError(error),
      adjust: (read, shown) => mergeReading(shown, read).conversation,
      keepsAlive: false,
    });
    this.#follower = follower;
    await follower.start();
    follower.pause();
  }

  async end(): Promise<void> {
    await this.#follower?.stop();
    this.#follower = undefined;
    this.#path = undefined;
  }

  /** While a turn is answered, its own events tell more and tell it sooner. */
  pause(): void {
    this.#follower?.pause();
  }

  resume(): void {
    this.#follower?.resume(this.#callbacks.conversation());
  }

  /** Tells everything the files say beyond what is known; waits for blocks that were told and not written yet. */
  async settle(told: readonly string[] = [], patienceMs = 0): Promise<void> {
    const follower = this.#follower;
    if (follower === undefined) return;
    const awaited = new Set(told);
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const shown = this.#callbacks.conversation();
      const { conversation, unwritten } = mergeReading(shown, await follower.peek());
      const isLate = performance.now() >= deadline;
      if (isLate || !unwritten.some((block) => awaited.has(block.id) && isWritten(block))) {
        this.#tell(shown, conversation);
        return;
      }
      await wait(LOOK_AGAIN_MS);
    }
  }

  #tell(shown: ConversationState, now: ConversationState): void {
    const { events, isWhole } = diffConversation(shown, now);
    if (!isWhole) this.#callbacks.onResync(now);
    else for (const event of events) this.#callbacks.onEvent(event);
  }
}

/** What every program writes down sooner or later. */
function isWritten({ type }: ConversationBlock): boolean {
  return type === 'user_message' || type === 'assistant_text' || type === 'tool_use';
}

const LOOK_AGAIN_MS = 20;
