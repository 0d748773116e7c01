import type { LiveSession, SessionHost, SessionView } from '@robota-sdk/agent-sdk';
import type { Reply, ResumePoint, Snapshot } from '../protocol.ts';
import { EventJournal } from './event-journal.ts';
import { formatPosition, parsePosition } from './event-position.ts';
import { PromptBook } from './prompt-book.ts';
import { initFrame, listenToSession, snapshotFacts } from './session-frames.ts';
import { WireError } from './wire-error.ts';

/** A client's beginning: what it is told first, and after which place of the journal events follow. */
export interface Opening {
  readonly replies: readonly Reply[];
  readonly after: number;
}

/** What all transports of a session share: its numbered events and the prompts that came from outside. */
export class SessionChannel {
  readonly view: SessionView;
  readonly journal: EventJournal;
  readonly #live: LiveSession | undefined;
  readonly #prompts: PromptBook | undefined;
  readonly #stopListening: () => void;

  constructor(view: SessionView, host: SessionHost | undefined) {
    this.view = view;
    const { sessionId } = view;
    this.journal = new EventJournal({ sessionId, number: () => view.getLastSequence() });
    this.#live = isLive(view) ? view : undefined;
    const isHosted = host?.get(sessionId) === view;
    this.#prompts =
      this.#live && new PromptBook(this.#live, this.journal, isHosted ? host : undefined);
    this.#stopListening = listenToSession(view, (event) => this.journal.append(event));
  }

  /** The session to drive; refused where it can only be looked at. */
  get session(): LiveSession {
    if (this.#live) return this.#live;
    throw new WireError('view_only', 'This session is run by another program; it can be followed.');
  }

  get prompts(): PromptBook {
    if (this.#prompts) return this.#prompts;
    throw new WireError('view_only', 'This session is run by another program; it can be followed.');
  }

  /** The facts, then a snapshot unless everything after the client's number is still known. */
  open({ after, epoch }: ResumePoint): Opening {
    const { sessionId } = this.view;
    const current = this.view.getStreamEpoch();
    const isSameCounting = epoch === undefined || epoch === current;
    const isKnown = after !== undefined && isSameCounting;
    const index = isKnown ? this.journal.indexOf(parsePosition(after)) : undefined;
    if (index !== undefined) {
      const init = initFrame(this.view, { epoch: current, ...this.journal.position });
      return { replies: [init], after: index };
    }
    const snapshot = this.snapshot();
    const { seq, part } = snapshot;
    const init = initFrame(this.view, { epoch: current, seq, part });
    const { last } = this.journal;
    if (after === undefined) return { replies: [init, snapshot], after: last };
    const oldest = formatPosition(this.journal.oldestPosition);
    const gap = { type: 'gap', session_id: sessionId, after, oldest } as const;
    return { replies: [init, gap, snapshot], after: last };
  }

  snapshot(): Snapshot {
    // Looking at the conversation may bring events about, so the number is read afterwards.
    const facts = snapshotFacts(this.view);
    return { ...facts, epoch: this.view.getStreamEpoch(), ...this.journal.position };
  }

  /** The session has ended: followers hear it as their last event. */
  close(reason: string): void {
    this.#stopListening();
    this.journal.append({ type: 'session_closed', reason });
  }
}

/** Transports of one session share its channel, so their numbers are the same. */
const channels = new WeakMap<SessionView, SessionChannel>();

export function channelOf(view: SessionView, host?: SessionHost): SessionChannel {
  const known = channels.get(view);
  if (known) return known;
  const channel = new SessionChannel(view, host);
  channels.set(view, channel);
  return channel;
}

/** Tells whoever follows this session that it has ended. */
export function closeChannel(view: SessionView, reason: string): void {
  channels.get(view)?.close(reason);
  channels.delete(view);
}

function isLive(view: SessionView): view is LiveSession {
  return 'submit' in view;
}
