import { z } from 'zod';

// What lists of sessions, searches and sums look like on the wire.

/** `waiting`: for a person. */
const activitySchema = z.enum(['idle', 'working', 'waiting', 'failed']);
/** What a session is doing right now. */
export type SessionActivity = z.infer<typeof activitySchema>;

/** One line of a list, whichever agent the session is of, live or saved. */
export const sessionRowSchema = z.object({
  id: z.string(),
  /** What people call the agent. */
  agent: z.string(),
  native_id: z.string().optional(),
  /** What a person would call it. */
  title: z.string(),
  /** The name somebody gave it. */
  name: z.string().optional(),
  /** The beginning of the first prompt. */
  preview: z.string().optional(),
  project: z.string(),
  cwd: z.string().optional(),
  branch: z.string().optional(),
  model: z.string().optional(),
  permission_mode: z.string().optional(),
  state: activitySchema,
  /** `drive`: prompts are taken. `follow`: another program writes it. `closed`: it is only read. */
  access: z.enum(['drive', 'follow', 'closed']),
  /** Open in this server, or held by another process. */
  is_live: z.boolean(),
  /** The node of an archive that runs it now. */
  node: z.string().optional(),
  /** Where it stands in its life, and who is connected, where a store knows it. */
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
/** A session as servers list it. */
export type SessionRow = z.infer<typeof sessionRowSchema>;

/** Checks which sessions a client wants listed. */
export const listQuerySchema = z.object({
  agent: z.string().max(64).optional(),
  /** A part of the project's name or path. */
  project: z.string().max(4096).optional(),
  /** Only those of the project that this directory belongs to. */
  here: z.string().max(4096).optional(),
  state: z.enum(['live', 'working', 'waiting']).optional(),
  /** A part of the title. */
  name: z.string().max(400).optional(),
  /** Words that were said in it. */
  text: z.string().max(1000).optional(),
  /** ISO 8601: last written at or after. */
  since: z.iso.datetime({ offset: true }).optional(),
  archived: z.enum(['without', 'with', 'only']).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** What the page before gave as `next_cursor`. */
  cursor: z.string().max(1000).optional(),
});
/** Which sessions a client wants listed. */
export type ListQueryRequest = z.infer<typeof listQuerySchema>;
/** Checks a page of sessions. */
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
/** One page of sessions, as it goes over the wire. */
export type SessionListPage = z.infer<typeof sessionListSchema>;

/** Checks what a client searches for. */
export const searchQuerySchema = z.object({
  /** Words, "phrases", paths, beginnings (`conf*`); `-word` leaves out. */
  q: z.string().min(1).max(1000),
  agent: z.string().max(64).optional(),
  project: z.string().max(4096).optional(),
  here: z.string().max(4096).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  in: z.enum(['said', 'tools']).optional(),
  /** Only in this session, by its agent's own id. */
  session: z.string().max(128).optional(),
  /** Sessions; 20 unless given. */
  limit: z.coerce.number().int().min(1).max(100).optional(),
  /** Hits in each; 3 unless given. */
  hits: z.coerce.number().int().min(1).max(20).optional(),
});
/** Checks what a search found. */
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
  /** Whether older sessions match too, or may do so. */
  has_more: z.boolean(),
  took_ms: z.number(),
  /** What was wrong with the words. */
  problem: z.string().optional(),
});
/** What a search found, as it goes over the wire. */
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;

/** Checks which usage a client asks for. */
export const usageQuerySchema = z.object({
  group: z
    .enum(['day', 'week', 'month', 'model', 'agent', 'project', 'session', 'cause'])
    .optional(),
  /** ISO 8601: requests made at or after, and before. */
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  agent: z.string().max(64).optional(),
  project: z.string().max(4096).optional(),
  /** In which days are counted: `Europe/Berlin`. */
  time_zone: z.string().max(100).optional(),
});
/** Checks usage as servers send it. */
export const usageAnswerSchema = z.object({
  rows: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      /** Of a day, week or month: each agent has a row of its own. */
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
/** Usage, as it goes over the wire. */
export type UsageAnswer = z.infer<typeof usageAnswerSchema>;
