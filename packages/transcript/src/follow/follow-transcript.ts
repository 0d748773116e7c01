import { isAbsolute } from 'node:path';
import type { AgentArchitectureType } from '../architecture-type.ts';
import { registeredAgent } from '../architectures/agents.ts';
import { locateTranscript } from '../architectures/find-agent-sessions.ts';
import type { FinderPlace } from '../architectures/session-finder.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import type { ModelRequest } from '../model-request.ts';
import { AgentSessionNotFoundError } from '../persistence/errors.ts';
import { AsyncQueue } from '../process/async-queue.ts';
import {
  type FollowedEvent,
  type FollowerOptions,
  TranscriptFollower,
} from './transcript-follower.ts';

/** How a session is followed. */
export interface FollowOptions
  extends Partial<FinderPlace>,
    Pick<FollowerOptions, 'pollMs' | 'unwatchedPollMs' | 'watches' | 'keepsAlive'> {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows a session while a program writes it: first the events so far, then new ones. The
 * program is not affected. `session` is the path of a transcript, which need not exist yet, or a session id.
 */
export function followTranscript(
  type: AgentArchitectureType,
  session: string,
  options: FollowOptions = {},
): FollowedTranscript {
  return new FollowedTranscript(type, session, options);
}

/** The events of a followed session, for a single reader. Breaking out of the loop stops following. */
export class FollowedTranscript implements AsyncIterable<FollowedEvent> {
  /** Resolves when the existing transcript was read; rejects if that fails. */
  readonly opened: Promise<void>;
  readonly #events = new AsyncQueue<FollowedEvent>();
  #follower: TranscriptFollower | undefined;
  #isStopped = false;

  constructor(type: AgentArchitectureType, session: string, options: FollowOptions) {
    this.opened = this.#open(type, session, options);
    this.opened.catch((error: Error) => this.#events.fail(error));
    options.signal?.addEventListener('abort', () => void this.stop(), { once: true });
  }

  /** The conversation emitted so far; `undefined` until opened. */
  get conversation(): ConversationState | undefined {
    return this.#follower?.conversation;
  }

  get requests(): readonly ModelRequest[] {
    return this.#follower?.requests ?? [];
  }

  /** The followed file; a session can continue in another one. */
  get path(): string | undefined {
    return this.#follower?.path;
  }

  /** Reads now; on return, everything written before the call has been emitted. */
  async refresh(): Promise<void> {
    await this.opened;
    await this.#follower?.refresh();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#events.end();
    await this.opened.catch(() => undefined);
    await this.#follower?.stop();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FollowedEvent> {
    try {
      yield* this.#events;
    } finally {
      await this.stop();
    }
  }

  async #open(type: AgentArchitectureType, session: string, options: FollowOptions): Promise<void> {
    const path = isAbsolute(session) ? session : await locateTranscript(type, session, options);
    if (path === undefined) throw new AgentSessionNotFoundError(session);
    const follower = new TranscriptFollower(registeredAgent(type), path, {
      ...options,
      onEvent: (event) => this.#events.push(event),
      onError: (error) => this.#events.fail(error),
    });
    this.#follower = follower;
    if (this.#isStopped || options.signal?.aborted) return;
    await follower.start();
  }
}
