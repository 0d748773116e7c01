import { z } from 'zod';

// Wire schemas of session lists, searches and usage.

/** `waiting`: for a user's answer. */
const activitySchema = z.enum(['idle', 'working', 'waiting', 'failed']);
/** What a session is doing right now. */
export type SessionActivity = z.infer<typeof activitySchema>;

/** One session of any agent in a list, live or saved. */
export const sessionRowSchema = z.object({
  id: z.string(),
  /** The agent's short name. */
  agent: z.string(),
  native_id: z.string().optional(),
  /** Display title: the name, or derived from the first prompt. */
  title: z.string(),
  /** The name a user gave it. */
  name: z.string().optional(),
  /** The beginning of the first prompt. */
  preview: z.string().optional(),
  project: z.string(),
  cwd: z.string().optional(),
  branch: z.string().optional(),
  model: z.string().optional(),
  permission_mode: z.string().optional(),
  state: activitySchema,
  /** `drive`: accepts prompts. `follow`: another program writes it. `closed`: read-only. */
  access: z.enum(['drive', 'follow', 'closed']),
  /** Open in this server, or held by another process. */
  is_live: z.boolean(),
  /** The node of an archive that runs it now. */
  node: z.string().optional(),
  /** Lifecycle and connected surfaces, from the session store. */
  lifecycle: z.enum(['created', 'active', 'suspended', 'expired']).optional(),
  surfaces: z.array(z.string()).optional(),
  user: z.string().optional(),
  /** ISO 8601. */
  updated_at: z.string(),
  message_count: z.number().int(),
  cost_usd: z.number().optional(),
  /** Requests whose price is not known. */
  unpriced_requests: z.number().int().optional(),
  fork_of: z.string().optional(),
  is_pinned: z.boolean().optional(),
  is_archived: z.boolean().optional(),
});
/** One session in a list. */
export type SessionRow = z.infer<typeof sessionRowSchema>;

/** Filters of a session list. */
export const listQuerySchema = z.object({
  agent: z.string().max(64).optional(),
  /** A part of the project's name or path. */
  project: z.string().max(4096).optional(),
  /** Only sessions of the project that contains this directory. */
  here: z.string().max(4096).optional(),
  state: z.enum(['live', 'working', 'waiting']).optional(),
  /** A part of the title. */
  name: z.string().max(400).optional(),
  /** Full-text search. */
  text: z.string().max(1000).optional(),
  /** ISO 8601: last written at or after. */
  since: z.iso.datetime({ offset: true }).optional(),
  archived: z.enum(['without', 'with', 'only']).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** `next_cursor` of the previous page. */
  cursor: z.string().max(1000).optional(),
});
/** Filters of a session list. */
export type ListQueryRequest = z.infer<typeof listQuerySchema>;
/** One page of a session list. */
export const sessionListSchema = z.object({
  sessions: z.array(sessionRowSchema),
  next_cursor: z.string().optional(),
  totals: z.object({
    all: z.number().int(),
    live: z.number().int(),
    working: z.number().int(),
    waiting: z.number().int(),
  }),
});
/** One page of a session list. */
export type SessionListPage = z.infer<typeof sessionListSchema>;

/** A full-text search. */
export const searchQuerySchema = z.object({
  /** Words, "phrases", paths, prefixes (`conf*`); `-word` excludes. */
  q: z.string().min(1).max(1000),
  agent: z.string().max(64).optional(),
  project: z.string().max(4096).optional(),
  here: z.string().max(4096).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  in: z.enum(['said', 'tools']).optional(),
  /** Only this session, by the agent's own id. */
  session: z.string().max(128).optional(),
  /** Maximum sessions; 20 by default. */
  limit: z.coerce.number().int().min(1).max(100).optional(),
  /** Maximum hits per session; 3 by default. */
  hits: z.coerce.number().int().min(1).max(20).optional(),
});
/** Search results. */
export const searchAnswerSchema = z.object({
  hits: z.array(
    z.object({
      agent: z.string(),
      session_id: z.string(),
      title: z.string(),
      updated_at: z.string(),
      /** `main`, or the id of a subagent's thread. */
      thread: z.string(),
      block_id: z.string(),
      /** Text in pieces, never markup. */
      snippet: z.array(z.object({ text: z.string(), hit: z.boolean() })),
    }),
  ),
  /** Whether older sessions match or might match. */
  has_more: z.boolean(),
  took_ms: z.number(),
  /** What was wrong with the query. */
  problem: z.string().optional(),
});
/** Search results. */
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;

/** A usage query. */
export const usageQuerySchema = z.object({
  group: z
    .enum(['day', 'week', 'month', 'model', 'agent', 'project', 'session', 'cause'])
    .optional(),
  /** ISO 8601; requests from `since` (inclusive) to `until` (exclusive). */
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  agent: z.string().max(64).optional(),
  project: z.string().max(4096).optional(),
  /** Time zone that defines days, such as `Europe/Berlin`. */
  time_zone: z.string().max(100).optional(),
});
/** Usage and costs. */
export const usageAnswerSchema = z.object({
  rows: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      /** Grouped by time, each agent has its own row. */
      agent: z.string().optional(),
      requests: z.number().int(),
      /** Without cached tokens. */
      input_tokens: z.number().int(),
      output_tokens: z.number().int(),
      cache_read_tokens: z.number().int(),
      cache_write_tokens: z.number().int(),
      cost_usd: z.number().optional(),
      unpriced_requests: z.number().int(),
    }),
  ),
});
/** Usage and costs. */
export type UsageAnswer = z.infer<typeof usageAnswerSchema>;
