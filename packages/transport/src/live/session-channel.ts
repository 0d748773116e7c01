import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import type { Reply, ResumePoint, Snapshot } from '../protocol.ts';
import { EventJournal } from './event-journal.ts';
import { PromptBook } from './prompt-book.ts';
import { initFrame, listenToSession, snapshotFacts } from './session-frames.ts';

/** A client's beginning: what it is told first, and after which number events follow. */
export interface Opening {
  readonly replies: readonly Reply[];
  readonly after: number;
}

/** What all transports of a session share: its numbered events and the prompts that came from outside. */
export class SessionChannel {
  readonly session: InteractiveSession;
  readonly journal: EventJournal;
  readonly prompts: PromptBook;
  readonly #stopListening: () => void;

  constructor(session: InteractiveSession) {
    this.session = session;
    this.journal = new EventJournal(session.sessionId);
    this.prompts = new PromptBook(session, this.journal);
    this.#stopListening = listenToSession(session, (event) => this.journal.append(event));
  }

  /** The facts, then a snapshot unless everything after the client's number is still known. */
  open({ after, epoch }: ResumePoint): Opening {
    const snapshot = this.snapshot();
    const init = initFrame(this.session, { epoch: snapshot.epoch, seq: snapshot.seq });
    if (after === undefined) return { replies: [init, snapshot], after: snapshot.seq };
    const isSameLife = epoch === undefined || epoch === this.journal.epoch;
    if (isSameLife && this.journal.covers(after)) return { replies: [init], after };
    const { oldest } = this.journal;
    const gap = { type: 'gap', session_id: this.session.sessionId, after, oldest } as const;
    return { replies: [init, gap, snapshot], after: snapshot.seq };
  }

  snapshot(): Snapshot {
    // Looking at the conversation may bring events about, so the number is read afterwards.
    const facts = snapshotFacts(this.session);
    return { ...facts, epoch: this.journal.epoch, seq: this.journal.last };
  }

  /** The session has ended: followers hear it as their last event. */
  close(reason: string): void {
    this.#stopListening();
    this.journal.append({ type: 'session_closed', reason });
  }
}

/** Transports of one session share its channel, so their numbers are the same. */
const channels = new WeakMap<InteractiveSession, SessionChannel>();

export function channelOf(session: InteractiveSession): SessionChannel {
  const known = channels.get(session);
  if (known) return known;
  const channel = new SessionChannel(session);
  channels.set(session, channel);
  return channel;
}

/** Tells whoever follows this session that it has ended. */
export function closeChannel(session: InteractiveSession, reason: string): void {
  channels.get(session)?.close(reason);
  channels.delete(session);
}
