import { setTimeout as wait } from 'node:timers/promises';
import type { TranscriptSource } from '../architectures/read-transcript-file.ts';
import type { ConversationBlock } from '../blocks.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import { diffConversation } from '../fold/diff-conversation.ts';
import { TranscriptFollower } from '../follow/transcript-follower.ts';
import type { StreamEvent } from '../stream-events.ts';
import { mergeReading } from './merge-reading.ts';

interface WatchCallbacks {
  /** The conversation emitted so far. */
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

  /** Starts following `path`, replacing any other file, and stays paused until `resume`. */
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

  /** During a turn the program's own events are more detailed and arrive earlier. */
  pause(): void {
    this.#follower?.pause();
  }

  resume(): void {
    this.#follower?.resume(this.#callbacks.conversation());
  }

  /** Emits what the files contain beyond the conversation, after waiting for emitted blocks to be written. */
  async settle(emitted: readonly string[] = [], timeoutMs = 0): Promise<void> {
    const follower = this.#follower;
    if (follower === undefined) return;
    const awaited = new Set(emitted);
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const shown = this.#callbacks.conversation();
      const { conversation, unwritten } = mergeReading(shown, await follower.peek());
      const isLate = performance.now() >= deadline;
      if (isLate || !unwritten.some((block) => awaited.has(block.id) && isAlwaysWritten(block))) {
        this.#emit(shown, conversation);
        return;
      }
      await wait(POLL_INTERVAL_MS);
    }
  }

  #emit(shown: ConversationState, now: ConversationState): void {
    const { events, isWhole } = diffConversation(shown, now);
    if (!isWhole) this.#callbacks.onResync(now);
    else for (const event of events) this.#callbacks.onEvent(event);
  }
}

/** Block types that every program eventually writes. */
function isAlwaysWritten({ type }: ConversationBlock): boolean {
  return type === 'user_message' || type === 'assistant_text' || type === 'tool_use';
}

const POLL_INTERVAL_MS = 20;
