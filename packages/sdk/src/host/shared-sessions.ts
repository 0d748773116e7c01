import { randomUUID } from 'node:crypto';
import type {
  ArchivedSession,
  ArchiveNode,
  SessionClaim,
  SharedArchive,
} from '@robota-sdk/agent-archive';
import type { TranscriptPersistence } from '@robota-sdk/agent-transcript/architectures';
import { ArchiveLiveSession } from '../live/archive-live-session.ts';
import type { LiveSession } from '../live/live-session.ts';
import { ArchiveRunner, type ClaimedEngine } from './archive-runner.ts';
import type { HostedSession } from './hosted-session.ts';
import type { SessionCard } from './session-card.ts';

/** An archive that hosts share, and this host's node in it. */
export interface HostArchive {
  readonly archive: SharedArchive;
  readonly node: ArchiveNode;
  /** Transcripts of other agents' programs, so that any host can continue them. */
  readonly transcripts?: TranscriptPersistence | undefined;
  /** A session idle for this long is released by its node; five minutes by default. */
  readonly idleMs?: number | undefined;
  /** How long a session that failed to open here is left to other nodes; 30 seconds by default. */
  readonly leaveMs?: number | undefined;
}

export interface SharedSessionsParts extends HostArchive {
  /** Creates the engine of a claimed session; with `from`, as a fork of that session. */
  readonly engine: (claim: SessionClaim, from?: string) => Promise<ClaimedEngine>;
  /** A session that is open here was deleted, on any node. */
  readonly onRemoved: (id: string) => void;
  readonly onError: (error: Error) => void;
}

const IDLE_MS = 300_000;

/** Sessions of every agent in an archive: one node runs each, any node can drive and follow it. */
export class SharedSessions {
  readonly #parts: SharedSessionsParts;
  readonly #runner: ArchiveRunner;

  constructor(parts: SharedSessionsParts) {
    this.#parts = parts;
    const { archive, node, engine, idleMs = IDLE_MS, leaveMs, onError } = parts;
    this.#runner = new ArchiveRunner({ archive, node, engine, idleMs, leaveMs, onError });
  }

  get isReady(): boolean {
    return this.#runner.isReady;
  }

  start(): Promise<void> {
    return this.#runner.start();
  }

  stop(): Promise<void> {
    return this.#runner.stop();
  }

  /** Rejects with `session_exists` for an id that is taken. */
  async create(sessionId: string, card: SessionCard): Promise<LiveSession> {
    const { node: _node, ...kept } = card;
    if (!(await this.#parts.archive.create(sessionId, kept))) throw exists(sessionId);
    return this.#opened(sessionId, kept);
  }

  /** Undefined when the archive has no such session. */
  async open(id: string): Promise<LiveSession | undefined> {
    const found = await this.#parts.archive.find(id);
    return found && this.#opened(id, found.card);
  }

  /** The card that any node stored in the archive. */
  async card(id: string): Promise<Omit<SessionCard, 'node'> | undefined> {
    const { agent, cwd, ...card }: Partial<SessionCard> =
      (await this.#parts.archive.find(id))?.card ?? {};
    return agent === undefined || cwd === undefined ? undefined : { ...card, agent, cwd };
  }

  /** Whether the archive has the session, or at least the transcript of its program. */
  async has(id: string): Promise<boolean> {
    const { archive, transcripts } = this.#parts;
    if (await archive.find(id)) return true;
    return Boolean(await transcripts?.loadSession(id));
  }

  async list(): Promise<readonly HostedSession[]> {
    return (await this.#parts.archive.list()).map(describeArchived);
  }

  async remove(id: string): Promise<void> {
    await this.#runner.release(id);
    await this.#parts.archive.remove(id);
  }

  /** Runs a session here if no node runs it; false where it cannot run here. */
  adopt(id: string): Promise<boolean> {
    return this.#runner.adopt(id);
  }

  /** Takes a session over for this node, even from a live one. */
  takeOver(id: string): Promise<boolean> {
    return this.#runner.adopt(id, { force: true });
  }

  async #opened(sessionId: string, card: ArchivedSession['card']): Promise<LiveSession> {
    const session = new ArchiveLiveSession({
      sessionId,
      card,
      archive: this.#parts.archive,
      onAsked: () => void this.#runner.adopt(sessionId),
      onRemoved: () => this.#parts.onRemoved(sessionId),
      fork: (id) => this.#fork(sessionId, card, id),
    });
    try {
      await session.whenReady();
    } catch (error) {
      await session.shutdown();
      throw error;
    }
    return session;
  }

  /** The fork is created here under its own claim, then released for any node to run. */
  async #fork(
    from: string,
    card: ArchivedSession['card'],
    sessionId: string = randomUUID(),
  ): Promise<LiveSession> {
    const { archive, node, engine } = this.#parts;
    const { name: _name, ...inherited } = card;
    if (!(await archive.create(sessionId, inherited))) throw exists(sessionId);
    const claim = await node.claim(sessionId, { from });
    if (!claim) {
      await archive.remove(sessionId);
      throw new Error(
        `Session ${from} cannot be copied here: this node does not run sessions now.`,
      );
    }
    let copy: ClaimedEngine | undefined;
    try {
      copy = await engine(claim, from);
      await copy.live.whenReady();
      await copy.whenWritten();
    } finally {
      await copy?.live.shutdown();
      await claim.release();
    }
    return this.#opened(sessionId, inherited);
  }
}

function describeArchived({
  id,
  card,
  updatedAt,
  isTurnOpen,
  node,
}: ArchivedSession): HostedSession {
  return {
    id,
    agent: typeof card.agent === 'string' ? card.agent : 'robota',
    ...(typeof card.name === 'string' && { name: card.name }),
    cwd: typeof card.cwd === 'string' ? card.cwd : '',
    updatedAt: updatedAt.toISOString(),
    messageCount: 0,
    isLive: node !== undefined,
    isExecuting: isTurnOpen && node !== undefined,
  };
}

function exists(sessionId: string): Error {
  const error = new Error(`Session ${sessionId} is there already; open it or choose another id.`);
  return Object.assign(error, { code: 'session_exists' });
}
