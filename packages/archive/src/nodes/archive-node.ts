import type { SessionLogger, SessionRecordStore } from '@robota-sdk/agent-session';
import type { InboxEnd } from './shared-archive.ts';

/** An answer to a question of the session. */
export interface GivenAnswer {
  readonly questionId: string;
  readonly answer: unknown;
  readonly by?: string | undefined;
}

/**
 * The right to run one session, with a fence number that no later claim shares. Once `lost` aborts, nothing more is
 * written under it, and the session must stop running here.
 */
export interface SessionClaim {
  readonly id: string;
  readonly card: Readonly<Record<string, unknown>>;
  readonly fence: number;
  /** Whether there is a history to resume. */
  readonly hasLines: boolean;
  readonly lost: AbortSignal;
  readonly logger: SessionLogger;
  readonly records: SessionRecordStore;
  /** Marks an item as started if the log does not record that; false if it was taken before. */
  take(messageId: string): Promise<boolean>;
  /** Records how an item ended if the log does not. */
  settle(messageId: string, ended: InboxEnd): Promise<void>;
  /** Answers to questions that are open in the log. */
  answers(): Promise<readonly GivenAnswer[]>;
  /** Releases the session after everything appended is stored. */
  release(): Promise<void>;
}

/** Options for claiming a session. */
export interface ClaimOptions {
  /** Claims it even if another live node has it. */
  readonly force?: boolean | undefined;
  /** The session to fork from. */
  readonly from?: string | undefined;
}

/** Callbacks of a node about sessions that it may run. */
export interface NodeEvents {
  /** A session that no node runs has work. */
  readonly onWork: (id: string) => void;
  /** A session received an item or an answer. */
  readonly onInbox: (id: string) => void;
  readonly onError: (error: Error) => void;
}

/**
 * Port: this process as one of the nodes that run sessions of an archive. It may run sessions while its lease lasts;
 * when the lease ends, every claim is lost at once, and the node gets a new lease as soon as it can. Every adapter passes
 * `describeSharedArchive`.
 */
export interface ArchiveNode {
  readonly name: string;
  /** False while no lease is held: sessions can be read and prompted, but not run here. */
  isReady(): boolean;
  start(events: NodeEvents): Promise<void>;
  /** Undefined if another live node has the session, unless `force` is set, or if its workspace is not here. */
  claim(id: string, options?: ClaimOptions): Promise<SessionClaim | undefined>;
  /** Releases every session and ends the lease. */
  stop(): Promise<void>;
}
