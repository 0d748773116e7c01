import type { SessionLogEntry } from '@robota-sdk/agent-core';
import type { FellowFold, SavedSession } from '@robota-sdk/agent-session';

/** A session's state without reading its log. */
export interface ArchivedSession {
  readonly id: string;
  /** What is needed to run it, stored at its creation. */
  readonly card: Readonly<Record<string, unknown>>;
  /** How many lines its log has. */
  readonly lines: number;
  readonly isTurnOpen: boolean;
  /** The name of the node that runs it; undefined while none does. */
  readonly node?: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One line of a log, with its position. */
export interface ArchivedLine {
  readonly place: number;
  readonly text: string;
}

/** A request to the node that runs the session. */
export interface InboxItem {
  /** The sender's own id; the same id with the same content is the same item. */
  readonly messageId: string;
  readonly kind: 'prompt' | 'abort' | 'cancel_queue' | 'change' | 'compact' | 'command';
  readonly body: Readonly<Record<string, unknown>>;
}

/** State of an item: pending, taken or ended. */
export interface InboxReceipt {
  /** True if the same item was submitted before. */
  readonly isRepeat: boolean;
  readonly isTaken: boolean;
  /** Undefined until it has ended. */
  readonly ended?: InboxEnd | undefined;
}

/** How a request to a session ended. */
export interface InboxEnd {
  readonly status: 'completed' | 'interrupted' | 'failed' | 'superseded' | 'refused';
  /** The answer, the reason, or a command's result as JSON. */
  readonly response: string;
}

/** A subscription to a session. */
export interface Following {
  /** When it resolves, every line written before the call has been delivered. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Callbacks of a follower, and the line to start after. */
export interface FollowParts {
  readonly id: string;
  /** Lines up to this position are known. */
  readonly after: number;
  readonly onLines: (lines: readonly ArchivedLine[]) => void;
  /** An item was added to or removed from the inbox. */
  readonly onInbox: () => void;
  /** The session was deleted; no more callbacks follow. */
  readonly onRemoved?: (() => void) | undefined;
  readonly onError: (error: Error) => void;
}

/** A session's saved state, and a reader for the lines after it. */
export interface OpenedArchive {
  /** Undefined while it has no lines. */
  readonly saved: SavedSession | undefined;
  /** The position of its last line. */
  readonly place: number;
  /** The entries of the lines that follow; every line once, in order. */
  read(lines: readonly ArchivedLine[]): Promise<readonly SessionLogEntry[]>;
}

/**
 * Port: sessions that any number of machines share. What a resolved promise acknowledges is stored; reads need no lease.
 * Every adapter passes `describeSharedArchive`.
 */
export interface SharedArchive {
  /** False if the session already exists. */
  create(id: string, card: ArchivedSession['card']): Promise<boolean>;
  find(id: string): Promise<ArchivedSession | undefined>;
  /** Latest first. */
  list(): Promise<readonly ArchivedSession[]>;
  updateCard(id: string, card: ArchivedSession['card']): Promise<void>;
  /** Undefined when there is no such session. */
  open(id: string, fellows?: readonly FellowFold[]): Promise<OpenedArchive | undefined>;
  lines(id: string, after: number, limit?: number): Promise<readonly ArchivedLine[]>;
  follow(parts: FollowParts): Following;
  /** Throws `message_id_reused` for an id used with other content, `session_not_found` for an unknown session. */
  submit(id: string, item: InboxItem): Promise<InboxReceipt>;
  receipt(id: string, messageId: string): Promise<InboxReceipt | undefined>;
  /** Items not yet taken, oldest first. */
  waiting(id: string): Promise<readonly InboxItem[]>;
  /** True for exactly one answer to a question; false for unknown and settled questions. */
  answer(id: string, questionId: string, answer: unknown, by?: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}
