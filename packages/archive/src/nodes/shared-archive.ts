import type { SessionLogEntry } from '@robota-sdk/agent-core';
import type { FellowFold, SavedSession } from '@robota-sdk/agent-session';

/** What is known of a session without reading its log. */
export interface ArchivedSession {
  readonly id: string;
  /** What is needed to run it, as whoever made it wrote it down. */
  readonly card: Readonly<Record<string, unknown>>;
  /** How many lines its log has. */
  readonly lines: number;
  readonly isTurnOpen: boolean;
  /** The name of the node that runs it; undefined while none does. */
  readonly node?: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One line of a log, with its place among the lines. */
export interface ArchivedLine {
  readonly place: number;
  readonly text: string;
}

/** Something that whoever runs the session is asked to do. */
export interface InboxItem {
  /** The sender's own id; the same id with the same words is the same item. */
  readonly messageId: string;
  readonly kind: 'prompt' | 'abort' | 'cancel_queue' | 'change' | 'compact' | 'command';
  readonly body: Readonly<Record<string, unknown>>;
}

/** What became of an item: it waits, was taken, or has ended. */
export interface InboxReceipt {
  /** True when the same item had come before. */
  readonly isRepeat: boolean;
  readonly isTaken: boolean;
  /** How it ended; undefined until it has. */
  readonly ended?: InboxEnd | undefined;
}

/** How something that was asked of a session ended. */
export interface InboxEnd {
  readonly status: 'completed' | 'interrupted' | 'failed' | 'superseded' | 'refused';
  /** The answer, the reason, or a command's result as JSON. */
  readonly response: string;
}

/** A session that is being followed, until it is closed. */
export interface Following {
  /** Reads now; when it resolves, every line that was written before the call has been told. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Whom to tell what is written to a session, and from which line on. */
export interface FollowParts {
  readonly id: string;
  /** Lines up to this place are known. */
  readonly after: number;
  readonly onLines: (lines: readonly ArchivedLine[]) => void;
  /** Something came into the inbox or left it. */
  readonly onInbox: () => void;
  readonly onError: (error: Error) => void;
}

/** A session as it was left, and the way to read on from there. */
export interface OpenedArchive {
  /** Undefined while nobody has said anything in it. */
  readonly saved: SavedSession | undefined;
  /** The place of its last line. */
  readonly place: number;
  /** The entries of the lines that follow; every line once, in order. */
  read(lines: readonly ArchivedLine[]): Promise<readonly SessionLogEntry[]>;
}

/**
 * Port: sessions that any number of machines share. What a promise acknowledges is kept; reads need no lease.
 * Every adapter passes `describeSharedArchive`.
 */
export interface SharedArchive {
  /** False when there is such a session already. */
  create(id: string, card: ArchivedSession['card']): Promise<boolean>;
  find(id: string): Promise<ArchivedSession | undefined>;
  /** The latest first. */
  list(): Promise<readonly ArchivedSession[]>;
  updateCard(id: string, card: ArchivedSession['card']): Promise<void>;
  /** Undefined when there is no such session. */
  open(id: string, fellows?: readonly FellowFold[]): Promise<OpenedArchive | undefined>;
  lines(id: string, after: number, limit?: number): Promise<readonly ArchivedLine[]>;
  follow(parts: FollowParts): Following;
  /** Throws `message_id_reused` for an id that came with other words, `session_not_found` for an unknown session. */
  submit(id: string, item: InboxItem): Promise<InboxReceipt>;
  receipt(id: string, messageId: string): Promise<InboxReceipt | undefined>;
  /** What nobody has taken, the first one first. */
  waiting(id: string): Promise<readonly InboxItem[]>;
  /** True for exactly one of all who answer a question; false for unknown and settled ones. */
  answer(id: string, questionId: string, answer: unknown, by?: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}
