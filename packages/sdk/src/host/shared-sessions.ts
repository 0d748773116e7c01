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

/** An archive that hosts share, and the node that this host is in it. */
export interface HostArchive {
  readonly archive: SharedArchive;
  readonly node: ArchiveNode;
  /** Where sessions of other agents' programs are kept, so that any host can go on with them. */
  readonly transcripts?: TranscriptPersistence | undefined;
  /** A session that has nothing to do for so long is let go by its node; five minutes when left out. */
  readonly idleMs?: number | undefined;
  /** A session that could not be opened here is left to other nodes for so long; 30 seconds when left out. */
  readonly leaveMs?: number | undefined;
}

export interface SharedSessionsParts extends HostArchive {
  /** Makes the engine of a claimed session; with `from`, as a copy of that one. */
  readonly engine: (claim: SessionClaim, from?: string) => Promise<ClaimedEngine>;
  readonly onError: (error: Error) => void;
}

const IDLE_MS = 300_000;

/** Sessions of every agent that live in an archive: run by one node each, driven and followed from any. */
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

  async list(): Promise<readonly HostedSession[]> {
    return (await this.#parts.archive.list()).map(describeArchived);
  }

  async remove(id: string): Promise<void> {
    await this.#runner.release(id);
    await this.#parts.archive.remove(id);
  }

  /** Runs a session here that no node runs; false where that cannot be. */
  adopt(id: string): Promise<boolean> {
    return this.#runner.adopt(id);
  }

  /** Takes a session over for this node, also from one that lives. */
  takeOver(id: string): Promise<boolean> {
    return this.#runner.adopt(id, { force: true });
  }

  async #opened(sessionId: string, card: ArchivedSession['card']): Promise<LiveSession> {
    const session = new ArchiveLiveSession({
      sessionId,
      card,
      archive: this.#parts.archive,
      onAsked: () => void this.#runner.adopt(sessionId),
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

  /** The copy is made here, under a claim of its own, and lives on like any other. */
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
