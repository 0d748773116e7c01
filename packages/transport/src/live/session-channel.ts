import type { LiveSession, SessionHost, SessionView } from '@robota-sdk/agent-sdk';
import type { Identity } from '../admission/roles.ts';
import { isReader } from '../admission/roles.ts';
import type { EventJournal } from './event-journal.ts';
import { PromptBook } from './prompt-book.ts';
import { FullFeed, ReaderFeed, type SessionFeed } from './session-feed.ts';
import { listenToSession } from './session-frames.ts';
import { WireError } from './wire-error.ts';

/** Shared by all transports of a session: its numbered events and the prompts sent to it. */
export class SessionChannel {
  readonly view: SessionView;
  readonly #full: FullFeed;
  readonly #live: LiveSession | undefined;
  readonly #prompts: PromptBook | undefined;
  readonly #stopListening: () => void;
  #reader: ReaderFeed | undefined;

  constructor(view: SessionView, host: SessionHost | undefined) {
    this.view = view;
    const { sessionId } = view;
    this.#full = new FullFeed(view);
    this.#live = isLive(view) ? view : undefined;
    const isHosted = host?.get(sessionId) === view;
    this.#prompts =
      this.#live && new PromptBook(this.#live, this.journal, isHosted ? host : undefined);
    this.#stopListening = listenToSession(view, (event) => this.journal.append(event));
  }

  get journal(): EventJournal {
    return this.#full.journal;
  }

  /** All events, or a redacted feed for clients that may only read. */
  feed(identity: Identity): SessionFeed {
    if (!isReader(identity)) return this.#full;
    this.#reader ??= new ReaderFeed(this.view, this.journal);
    return this.#reader;
  }

  /** The session to control; throws when it can only be followed. */
  get session(): LiveSession {
    if (this.#live) return this.#live;
    throw new WireError('view_only', 'This session is run by another program; it can be followed.');
  }

  get prompts(): PromptBook {
    if (this.#prompts) return this.#prompts;
    throw new WireError('view_only', 'This session is run by another program; it can be followed.');
  }

  /** Sends followers their last event. */
  close(reason: string): void {
    this.#stopListening();
    this.journal.append({ type: 'session_closed', reason });
  }
}

/** Transports of one session share its channel and so its event numbers. */
const channels = new WeakMap<SessionView, SessionChannel>();

export function channelOf(view: SessionView, host?: SessionHost): SessionChannel {
  const known = channels.get(view);
  if (known) return known;
  const channel = new SessionChannel(view, host);
  channels.set(view, channel);
  return channel;
}

/** Tells the followers of a session that it has ended. */
export function closeChannel(view: SessionView, reason: string): void {
  channels.get(view)?.close(reason);
  channels.delete(view);
}

function isLive(view: SessionView): view is LiveSession {
  return 'submit' in view;
}
