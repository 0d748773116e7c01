import type { SessionLogger, SessionRecordStore } from '@robota-sdk/agent-session';
import type { InboxEnd } from './shared-archive.ts';

/** An answer that somebody gave, for whoever asked. */
export interface GivenAnswer {
  readonly questionId: string;
  readonly answer: unknown;
  readonly by?: string | undefined;
}

/**
 * The right to run one session, under a number that no later holder shares. Once `lost` aborts, nothing is written
 * under it any more, and whatever runs in the session's name has to end.
 */
export interface SessionClaim {
  readonly id: string;
  readonly card: Readonly<Record<string, unknown>>;
  readonly fence: number;
  /** Whether there is a past to go on with. */
  readonly hasLines: boolean;
  readonly lost: AbortSignal;
  readonly logger: SessionLogger;
  readonly records: SessionRecordStore;
  /** Says that an item is being worked on, where its log does not say so; false when it was taken before. */
  take(messageId: string): Promise<boolean>;
  /** Says how an item ended that its log says nothing of. */
  settle(messageId: string, ended: InboxEnd): Promise<void>;
  /** Answers to questions that are open in the log. */
  answers(): Promise<readonly GivenAnswer[]>;
  /** Lets the session go, after everything appended is kept. */
  release(): Promise<void>;
}

/** How a session is claimed. */
export interface ClaimOptions {
  /** Also when another living node holds it. */
  readonly force?: boolean | undefined;
  /** The session that this one begins as a copy of. */
  readonly from?: string | undefined;
}

/** What a node is told about sessions that it may run. */
export interface NodeEvents {
  /** A session without a holder has something to do. */
  readonly onWork: (id: string) => void;
  /** Something came for a session: an item or an answer. */
  readonly onInbox: (id: string) => void;
  readonly onError: (error: Error) => void;
}

/**
 * Port: this process among those that run sessions of an archive. It may run sessions while its lease lasts; when
 * the lease ends every claim is lost at once, and the node goes on under a new name as soon as it can. Every adapter
 * passes `describeSharedArchive`.
 */
export interface ArchiveNode {
  readonly name: string;
  /** False while no lease is held: sessions can be read and asked, none can be run here. */
  isReady(): boolean;
  start(events: NodeEvents): Promise<void>;
  /** Undefined when another living node holds the session or its workspace is not here; `force` takes it all the same. */
  claim(id: string, options?: ClaimOptions): Promise<SessionClaim | undefined>;
  /** Lets everything go and ends the lease. */
  stop(): Promise<void>;
}
