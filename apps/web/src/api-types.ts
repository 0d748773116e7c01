import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import type {
  UsageAnswer,
  SearchAnswer as WireSearchAnswer,
  SessionRow as WireSessionRow,
} from '@robota-sdk/agent-transport/protocol';

export type {
  SearchAnswer,
  SessionActivity,
  SessionListPage as SessionPage,
  SessionRow,
} from '@robota-sdk/agent-transport/protocol';

export type SearchHit = WireSearchAnswer['hits'][number];
export type UsageRow = UsageAnswer['rows'][number];
export type UsageGroup = 'day' | 'model' | 'agent' | 'project';

export interface ServerFacts {
  readonly node: string;
  readonly version: string;
  readonly user?: string | undefined;
  /** The roles of this page's token. */
  readonly roles: readonly string[];
  readonly epoch: string;
}

export interface BlockPage {
  readonly total: number;
  readonly from: number;
  readonly blocks: readonly ConversationBlock[];
}

/** The position of a block. */
export interface BlockPlace {
  readonly thread: string;
  readonly ordinal: number;
  readonly total: number;
}

export interface SessionDetails {
  readonly session: WireSessionRow;
  readonly commands?: readonly CommandFacts[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly permission_modes?: readonly string[] | undefined;
}

export interface CommandFacts {
  readonly name: string;
  readonly description: string;
}

/** What is carried over to another agent. */
export interface HandOverReport {
  readonly status: 'planned' | 'too_long' | 'written' | 'ready';
  readonly to: string;
  readonly cwd: string;
  readonly session_id?: string | undefined;
  /** The command that resumes the session. */
  readonly resume?: readonly string[] | undefined;
  readonly message?: string | undefined;
  readonly lines: readonly string[];
}

export interface TrustedFolder {
  readonly path: string;
  readonly trusted_at?: string | undefined;
}

export interface IssuedToken {
  readonly id: string;
  readonly user: string;
  readonly roles: readonly string[];
  readonly created_at: string;
}

export interface LinkAnswer {
  readonly code: string;
  readonly expires_at: string;
}

/** What a rewind would do. */
export interface RewindPreview {
  readonly to: string;
  readonly prompt: string;
  readonly files: readonly RewindFile[];
  readonly notCovered: readonly string[];
  readonly seen: string;
}

export interface RewindFile {
  readonly path: string;
  readonly change: 'create' | 'delete' | 'restore';
  /** Why the user has to agree. */
  readonly conflict?: string;
  readonly isFixed?: boolean;
  readonly diff?: readonly {
    readonly type: 'hunk' | 'context' | 'add' | 'remove';
    readonly text: string;
    readonly lineNumber: number;
  }[];
}

export interface RewindRequest {
  readonly to: string;
  readonly what: 'conversation' | 'files' | 'both';
  readonly conflicts: 'keep' | 'overwrite';
  /** `seen` of the preview that was shown. */
  readonly seen?: string | undefined;
}

export interface RewindDone {
  readonly files: readonly { readonly path: string }[];
}
