import type { ConversationBlock, Question } from '@robota-sdk/agent-transcript';

/** `waiting`: for a person. */
export type SessionActivity = 'idle' | 'working' | 'waiting' | 'failed';

/** One line of the list, whichever agent the session is of. */
export interface SessionRow {
  readonly agent: string;
  readonly id: string;
  readonly title: string;
  readonly project: string;
  readonly state: SessionActivity;
  /** ISO 8601. */
  readonly updated_at: string;
  readonly block_count: number;
  /** The machine it is on, when that is not this one. */
  readonly node?: string | undefined;
  readonly branch?: string | undefined;
  readonly model?: string | undefined;
  readonly permission_mode?: string | undefined;
  readonly cost_usd?: number | undefined;
  /** `drive`: prompts are taken. `follow`: another program writes it. `closed`: only read. */
  readonly access?: 'drive' | 'follow' | 'closed' | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionRow[];
  readonly next_cursor?: string | undefined;
  readonly totals: { readonly all: number; readonly working: number; readonly waiting: number };
}

export interface ServerFacts {
  readonly node: string;
  readonly version: string;
  readonly role: string;
  readonly epoch: string;
}

export interface SearchHit {
  readonly agent: string;
  readonly session_id: string;
  readonly title: string;
  readonly updated_at: string;
  readonly ordinal: number;
  readonly block_id: string;
  /** Text in pieces, never markup. */
  readonly snippet: readonly { readonly text: string; readonly hit: boolean }[];
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly took_ms: number;
}

export interface BlockPage {
  readonly total: number;
  readonly from: number;
  readonly blocks: readonly ConversationBlock[];
}

export interface SessionDetails {
  readonly session: SessionRow;
  readonly commands?: readonly CommandFacts[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly permission_modes?: readonly string[] | undefined;
  readonly questions?: readonly Question[] | undefined;
}

export interface CommandFacts {
  readonly name: string;
  readonly description: string;
}

export type UsageGroup = 'day' | 'model' | 'agent' | 'project';

export interface UsageRow {
  /** The model, agent or project; the day (`2026-11-16`) when grouped by day. */
  readonly key: string;
  /** Of a day, which agent the sums belong to. */
  readonly agent?: string | undefined;
  readonly sessions: number;
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  /** Undefined when no request of these has a known price. */
  readonly cost_usd?: number | undefined;
  readonly unpriced_requests: number;
}

export interface TrustedFolder {
  readonly path: string;
  readonly trusted_at?: string | undefined;
}

export interface LinkAnswer {
  readonly code: string;
  readonly expires_at: string;
}
