/**
 * Port: lists, searches, counts and resolves every session of every agent on this machine. A catalogue is derived from
 * the transcripts and may be deleted at any time; it never writes into another agent's home. Results reflect the last
 * refresh and never wait for one; they are redacted and contain no control characters. Every adapter passes
 * `describeCatalogue`.
 */
export interface Catalogue {
  /** Updates the catalogue. Of concurrent refreshes one runs; the others return `busy`. */
  refresh(options?: RefreshOptions): Promise<RefreshReport>;
  /** Newest first. */
  list(query?: ListQuery): Promise<SessionPage>;
  /** Sessions with the newest matches first; the hits of a session in reverse order of the conversation. */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Counts every request once, however many transcripts contain it, including deleted ones. */
  usage(query?: UsageQuery): Promise<UsageReport>;
  /** The session for an id, a prefix of one, a name, or `last`. */
  resolve(reference: string, scope?: SessionScope): Promise<Resolution>;
  /** How complete the catalogue is, without reading the transcripts. */
  state(): Promise<CatalogueState>;
  close(): Promise<void>;
}

/** Progress callback and abort signal of a refresh. */
export interface RefreshOptions {
  /** Called between sessions. */
  readonly onProgress?: ((progress: RefreshProgress) => void) | undefined;
  /** What was read before an abort is kept; the next refresh continues from there. */
  readonly signal?: AbortSignal | undefined;
}

/** Progress of a running refresh. */
export interface RefreshProgress {
  /** Sessions read so far. */
  readonly done: number;
  /** Sessions that are new or have changed. */
  readonly total: number;
}

/** Result of a refresh. */
export interface RefreshReport {
  readonly status: 'complete' | 'interrupted' | 'busy';
  /** Sessions that were read because they are new or have changed. */
  readonly read: number;
  /** Sessions whose transcripts are gone. */
  readonly removed: number;
  readonly sessions: number;
  /** Transcripts that could not be read, with the reason. */
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
}

/** What the catalogue contains and when it was last refreshed. */
export interface CatalogueState {
  readonly sessions: number;
  /** False until a refresh has completed once. */
  readonly isComplete: boolean;
  /** Milliseconds since 1970; undefined before the first refresh. */
  readonly refreshedAt: number | undefined;
}

/** Restricts sessions to a project or an agent. */
export interface SessionScope {
  /** Only those of the project that this directory belongs to. */
  readonly here?: string | undefined;
  /** The agent's name or type. */
  readonly agent?: string | undefined;
}

/** Restricts sessions; omitted fields do not. */
export interface SessionFilter extends SessionScope {
  /** Part of the project's name or of one of its paths. */
  readonly project?: string | undefined;
  /** Milliseconds since 1970: last written at or after. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only the session with this id of its agent. */
  readonly id?: string | undefined;
}

/** Filter, search text and page of a list of sessions. */
export interface ListQuery extends SessionFilter {
  /** Part of the title or of a given name, case-insensitive. */
  readonly name?: string | undefined;
  /** Words in the session, as in `search`. */
  readonly text?: string | undefined;
  /** 50 by default. */
  readonly limit?: number | undefined;
  /** The `next` of the previous page. */
  readonly after?: string | undefined;
  /** Archived sessions are left out by default. */
  readonly archived?: 'without' | 'with' | 'only' | undefined;
  /** Only pinned sessions. */
  readonly pinned?: 'only' | undefined;
}

/** One page of a list of sessions. */
export interface SessionPage {
  readonly sessions: readonly CatalogueSession[];
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** One session of any agent, as the catalogue lists it. */
export interface CatalogueSession {
  /** The agent's name, such as `claude`. */
  readonly agent: string;
  /** The agent's type in the transcript package, such as `claude-agent-sdk`. */
  readonly type: string;
  readonly id: string;
  /** Its name, or a title made from the first prompt, in one line. */
  readonly title: string;
  /** The name that the user gave it, here or in the agent itself. */
  readonly name: string | undefined;
  /** The beginning of the first prompt, in one line. */
  readonly preview: string;
  readonly project: string;
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  readonly branch: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Prompts and answers of the main conversation. */
  readonly messages: number;
  /** Cost of its own requests, subagents included, without those copied from another session. */
  readonly costUsd: number;
  /** Requests whose price is not known. */
  readonly unpriced: number;
  /** The session it was forked from, or shares history with. */
  readonly forkOf: string | undefined;
  /** Whether it is being written to. */
  readonly isLive: boolean;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** The main transcript. */
  readonly path: string;
  /** The node of an archive that runs it now; absent while none does. */
  readonly runs?: RunningPlace | undefined;
  /** Its id in an archive, with which every node can continue it; absent outside archives. */
  readonly sharedId?: string | undefined;
}

/** Where a session of an archive runs. */
export interface RunningPlace {
  readonly node: string;
  readonly state: 'working' | 'waiting' | 'idle';
}

/** Search text, with a filter for sessions. */
export interface SearchQuery extends SessionFilter {
  /** Words, "phrases", identifiers and paths, prefixes (`conf*`, at least four characters); `-word` excludes. */
  readonly text: string;
  /** Only the text of users and models, or only the input and output of tools. */
  readonly in?: 'said' | 'tools' | undefined;
  /** Sessions; 20 by default. */
  readonly limit?: number | undefined;
  /** Hits per session; 3 by default. */
  readonly hitsPerSession?: number | undefined;
  /** `without` opens no transcript. */
  readonly snippets?: 'with' | 'without' | undefined;
}

/** Result of a search. */
export interface SearchPage {
  readonly sessions: readonly FoundSession[];
  /** Whether older sessions match, or may match. */
  readonly hasMore: boolean;
  /** What is wrong with the query, as a sentence for the user. */
  readonly problem?: string | undefined;
}

/** A session that matches a search, with its first hits. */
export interface FoundSession {
  readonly session: CatalogueSession;
  readonly hits: readonly SearchHit[];
}

/** One block that matches a search. */
export interface SearchHit {
  /** The matching block's id in the parsed transcript. */
  readonly blockId: string;
  /** `main`, or the id of the subagent's thread. */
  readonly thread: string;
  /** True in a branch that was rewound or abandoned. */
  readonly isSuperseded: boolean;
  /** Text around the match; empty if the transcript has changed since. */
  readonly snippet: string;
}

/** Key by which usage is grouped. */
export type UsageGrouping =
  | 'day'
  | 'week'
  | 'month'
  | 'model'
  | 'agent'
  | 'project'
  | 'session'
  | 'cause';

/** Which requests to count, and how to group them. */
export interface UsageQuery extends SessionScope {
  /** `day` by default. */
  readonly by?: UsageGrouping | undefined;
  readonly project?: string | undefined;
  /** Milliseconds since 1970: requests made at or after. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Time zone of days; this machine's by default. */
  readonly timeZone?: string | undefined;
}

/** Usage by group, with the total. */
export interface UsageReport {
  readonly by: UsageGrouping;
  /** In chronological order, or the most expensive first. */
  readonly rows: readonly UsageRow[];
  readonly total: UsageSum;
  /** Models without a known price, with the number of their requests. */
  readonly unpriced: readonly { readonly model: string; readonly requests: number }[];
}

/** Tokens and cost together. */
export interface UsageSum {
  readonly requests: number;
  /** Without cached tokens. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly thinkingTokens: number;
  readonly costUsd: number;
  /** Requests whose price is not known; their cost is not part of `costUsd`. */
  readonly unpricedRequests: number;
}

/** The usage of one group. */
export interface UsageRow extends UsageSum {
  /** `2026-11-16`, a model, an agent, a project's name, a cause, or `agent:id` of a session. */
  readonly key: string;
  /** The key as it is displayed. */
  readonly label: string;
}

/** Result of resolving a session reference: an id, a prefix, a name or `last`. */
export type Resolution =
  | { readonly kind: 'found'; readonly session: CatalogueSession }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogueSession[] }
  | { readonly kind: 'none' };

/** A session whose transcript was deleted. */
export interface DeletionNotice {
  readonly agent: string;
  readonly id: string;
  /** Empty for our own sessions, because deleting one must remove its text. */
  readonly title: string;
  readonly project: string;
  readonly path: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When a refresh first missed it, in milliseconds since 1970. */
  readonly noticedAt: number;
  readonly requests: number;
  readonly costUsd: number;
}
