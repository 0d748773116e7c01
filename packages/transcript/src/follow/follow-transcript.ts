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
 * Follows a session that some program writes, whoever started it: first what has happened, then what happens. The
 * program is not touched. `session` is the path of a transcript, which need not exist yet, or a session's id.
 */
export function followTranscript(
  type: AgentArchitectureType,
  session: string,
  options: FollowOptions = {},
): FollowedTranscript {
  return new FollowedTranscript(type, session, options);
}

/** The events of a followed session, to one reader. A reader that stops early stops the following. */
export class FollowedTranscript implements AsyncIterable<FollowedEvent> {
  /** Settles when what had happened before is known; rejects when it cannot be read. */
  readonly opened: Promise<void>;
  readonly #events = new AsyncQueue<FollowedEvent>();
  #follower: TranscriptFollower | undefined;
  #isStopped = false;

  constructor(type: AgentArchitectureType, session: string, options: FollowOptions) {
    this.opened = this.#open(type, session, options);
    this.opened.catch((error: Error) => this.#events.fail(error));
    options.signal?.addEventListener('abort', () => void this.stop(), { once: true });
  }

  /** Everything that has been told so far; `undefined` before it is opened. */
  get conversation(): ConversationState | undefined {
    return this.#follower?.conversation;
  }

  get requests(): readonly ModelRequest[] {
    return this.#follower?.requests ?? [];
  }

  /** The file that is followed; a session can go on in another. */
  get path(): string | undefined {
    return this.#follower?.path;
  }

  /** Looks now; when it returns, everything that was written before the call has been told. */
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
