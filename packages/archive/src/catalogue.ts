/**
 * Port: every session of every agent on this machine, to be listed, searched, counted and named. A catalogue is a fold
 * of the transcripts and may be thrown away at any time; it never writes into another agent's home. Answers come from
 * what the last refresh has seen and never wait for one; what they show is redacted and holds no control characters.
 * Every adapter passes `describeCatalogue`.
 */
export interface Catalogue {
  /** Brings the catalogue up to date. Of several refreshes at once one works; the others say `busy`. */
  refresh(options?: RefreshOptions): Promise<RefreshReport>;
  /** Newest first. */
  list(query?: ListQuery): Promise<SessionPage>;
  /** Sessions with the newest matches first; the hits of a session in the order of the conversation, last first. */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Every request counted once, however many transcripts hold it, those of deleted transcripts too. */
  usage(query?: UsageQuery): Promise<UsageReport>;
  /** The session meant by an id, the beginning of one, a name, or `last`. */
  resolve(reference: string, scope?: SessionScope): Promise<Resolution>;
  /** How complete the catalogue is, without looking at the transcripts. */
  state(): Promise<CatalogueState>;
  close(): Promise<void>;
}

/** What a refresh may be told. */
export interface RefreshOptions {
  /** Called between sessions. */
  readonly onProgress?: ((progress: RefreshProgress) => void) | undefined;
  /** What has been read by then stays; the next refresh goes on from there. */
  readonly signal?: AbortSignal | undefined;
}

/** How far a refresh has come. */
export interface RefreshProgress {
  /** Sessions read so far. */
  readonly done: number;
  /** Sessions that are new or have changed. */
  readonly total: number;
}

/** What a refresh found and changed. */
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

/** What the catalogue holds and when it was brought up to date. */
export interface CatalogueState {
  readonly sessions: number;
  /** False until a refresh has seen everything once. */
  readonly isComplete: boolean;
  /** Milliseconds since 1970; undefined before the first. */
  readonly refreshedAt: number | undefined;
}

/** Which sessions are looked at. */
export interface SessionScope {
  /** Only those of the project that this directory belongs to. */
  readonly here?: string | undefined;
  /** By the name people use, or the type. */
  readonly agent?: string | undefined;
}

/** Which sessions are meant; what is left out does not narrow them down. */
export interface SessionFilter extends SessionScope {
  /** A part of the project's name or of a path it was seen at. */
  readonly project?: string | undefined;
  /** Milliseconds since 1970: last written at or after. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only the session that its agent calls so. */
  readonly id?: string | undefined;
}

/** Which sessions to list, in what order, how many. */
export interface ListQuery extends SessionFilter {
  /** A part of the title or of a given name, in any case. */
  readonly name?: string | undefined;
  /** Words that were said in the session, as in `search`. */
  readonly text?: string | undefined;
  /** 50 unless given. */
  readonly limit?: number | undefined;
  /** What the page before gave as `next`. */
  readonly after?: string | undefined;
  /** Sessions that a person put away are left out unless asked for. */
  readonly archived?: 'without' | 'with' | 'only' | undefined;
  /** Only those that a person pinned. */
  readonly pinned?: 'only' | undefined;
}

/** One page of sessions, and where the next begins. */
export interface SessionPage {
  readonly sessions: readonly CatalogueSession[];
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined;
}

/** One session of any agent, as the catalogue lists it. */
export interface CatalogueSession {
  /** As people call it: `claude`. */
  readonly agent: string;
  /** As the transcript package calls it: `claude-agent-sdk`. */
  readonly type: string;
  readonly id: string;
  /** What a person would call it, in one line. */
  readonly title: string;
  /** The name a person gave it, here or in the agent itself. */
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
  /** Everything that was asked for this session and not copied from another, subagents included. */
  readonly costUsd: number;
  /** Requests whose price is not known. */
  readonly unpriced: number;
  /** The session it was forked from, or shares its past with. */
  readonly forkOf: string | undefined;
  /** Whether something is being written to it. */
  readonly isLive: boolean;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** The main transcript. */
  readonly path: string;
  /** Which node of an archive runs it now, and what it is at; absent while none does. */
  readonly runs?: RunningPlace | undefined;
  /** Under which id an archive keeps it, so that every node can go on with it; absent where none does. */
  readonly sharedId?: string | undefined;
}

/** Where a session of an archive runs. */
export interface RunningPlace {
  readonly node: string;
  readonly state: 'working' | 'waiting' | 'idle';
}

/** What to look for, and in which sessions. */
export interface SearchQuery extends SessionFilter {
  /** Words, "phrases", identifiers and paths, beginnings (`conf*`, at least four characters); `-word` leaves out. */
  readonly text: string;
  /** Only what people and models said, or only what tools were given and gave back. */
  readonly in?: 'said' | 'tools' | undefined;
  /** Sessions; 20 unless given. */
  readonly limit?: number | undefined;
  /** Hits in each; 3 unless given. */
  readonly hitsPerSession?: number | undefined;
  /** Without them no transcript is opened. */
  readonly snippets?: 'with' | 'without' | undefined;
}

/** One page of what a search found. */
export interface SearchPage {
  readonly sessions: readonly FoundSession[];
  /** Whether older sessions match too, or may do so. */
  readonly hasMore: boolean;
  /** What was wrong with the query, in a sentence for the person who wrote it. */
  readonly problem?: string | undefined;
}

/** A session in which something was found, with the places. */
export interface FoundSession {
  readonly session: CatalogueSession;
  readonly hits: readonly SearchHit[];
}

/** One place where the words stand. */
export interface SearchHit {
  /** The block that holds the words, as the transcript's parser names it. */
  readonly blockId: string;
  /** `main`, or the id of the subagent's thread. */
  readonly thread: string;
  /** True in a stretch that was rewound or given up. */
  readonly isSuperseded: boolean;
  /** Some words around the match; empty when the transcript has changed since. */
  readonly snippet: string;
}

/** By what usage is summed up. */
export type UsageGrouping =
  | 'day'
  | 'week'
  | 'month'
  | 'model'
  | 'agent'
  | 'project'
  | 'session'
  | 'cause';

/** Which requests to count, and by what to sum them up. */
export interface UsageQuery extends SessionScope {
  /** `day` unless given. */
  readonly by?: UsageGrouping | undefined;
  readonly project?: string | undefined;
  /** Milliseconds since 1970: requests made at or after. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** In which days are counted; that of this machine unless given. */
  readonly timeZone?: string | undefined;
}

/** Usage in rows, with the sum of all. */
export interface UsageReport {
  readonly by: UsageGrouping;
  /** In order of time, or the most expensive first. */
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
  /** `2026-11-16`, a model, an agent, a cause, or `agent:id` of a session. */
  readonly key: string;
  /** The same for people. */
  readonly label: string;
}

/** What a reference to a session was taken to mean. */
export type Resolution =
  | { readonly kind: 'found'; readonly session: CatalogueSession }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogueSession[] }
  | { readonly kind: 'none' };

/** A session whose transcript is not there any more. */
export interface DeletionNotice {
  readonly agent: string;
  readonly id: string;
  /** Empty for our own sessions: who deletes one wants its words gone. */
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
