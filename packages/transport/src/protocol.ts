import type { ContextWindowState } from '@robota-sdk/agent-core';
import type {
  ChangedFacts,
  CompactionNotice,
  ExecutionResult,
  LiveAnswer,
  LiveQuestion,
  ModelCost,
  PermissionAnswer,
  PermissionRequest,
  SessionCapabilities,
  SessionNotice,
  SubmitOutcome,
  ToolState,
} from '@robota-sdk/agent-sdk';
import type { ConversationState, StreamEvent } from '@robota-sdk/agent-transcript';
import { z } from 'zod';
import {
  forkRequestSchema,
  previewRequestSchema,
  rewindPreviewSchema,
  rewindRequestSchema,
  rewindResultSchema,
  undoRequestSchema,
} from './rewind-protocol.ts';

// Wire schemas for HTTP, WebSocket and the client. Message fields are in snake_case, as in stream-json; embedded SDK
// objects keep their own field names.

export {
  type ListQueryRequest,
  listQuerySchema,
  type SearchAnswer,
  type SessionActivity,
  type SessionListPage,
  type SessionRow,
  searchAnswerSchema,
  searchQuerySchema,
  sessionListSchema,
  sessionRowSchema,
  type UsageAnswer,
  usageAnswerSchema,
  usageQuerySchema,
} from './list-protocol.ts';
export { CLOSE_CODES, PROTOCOL, TOKEN_PROTOCOL_PREFIX } from './wire-names.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const ID_RULE = 'use letters, digits, ".", "_" and "-", at most 128';

/** The id of a session. */
export const sessionIdSchema = z.string().regex(ID, ID_RULE);
/** Chosen by the client; each id is accepted once per session. */
export const messageIdSchema = z.string().regex(ID, ID_RULE);
/** An entry number and, after a dot, the index of a frame of that entry. */
const positionSchema = z.string().regex(/^\d{1,15}(\.\d{1,15})?$/, 'is not the number of an event');

const textPart = z.object({ type: z.literal('text'), text: z.string() });
/** Base64 data, or a URL that the model may fetch. */
const imagePart = z.union([
  z.object({ type: z.literal('image'), media_type: z.string().max(100), data: z.base64() }),
  z.object({ type: z.literal('image'), url: z.url().max(4096) }),
]);
/** A text file. */
const filePart = z.object({
  type: z.literal('file'),
  name: z.string().min(1).max(255),
  text: z.string(),
});
/** An image or text file of a prompt. */
export const attachmentSchema = z.union([imagePart, filePart]);
const contentSchema = z.union(
  [z.string().min(1), z.array(z.union([textPart, imagePart, filePart])).min(1)],
  {
    error:
      'the text of the prompt, or a list of parts such as {"type":"text","text":"…"} (text, image or file)',
  },
);
/** The content of a prompt. */
export type WireContent = z.infer<typeof contentSchema>;

/** Where to resume: after which position of which epoch. */
export const resumeSchema = z.object({
  after: positionSchema.optional(),
  epoch: z.string().max(128).optional(),
  /** Disambiguates an id used by two agents. */
  agent: z.string().max(64).optional(),
  /** The client's surface id, stable across reconnects. */
  surface: z.string().min(1).max(200).optional(),
  /** Limits a snapshot to the last blocks of each thread; earlier ones are fetched by index. */
  tail: z.coerce.number().int().min(1).max(10_000).optional(),
});
/** Where a client resumes. */
export type ResumePoint = z.infer<typeof resumeSchema>;

/** A prompt. */
export const promptRequestSchema = z.object({
  content: contentSchema,
  message_id: messageIdSchema.optional(),
});

/** A client's answer to a permission question. */
export const permissionDecisionSchema = z.object({
  decision: z.enum(['allow', 'allow-session', 'allow-project', 'deny']),
  /** Rule to allow from now on; the suggested rule by default. */
  pattern: z.string().min(1).max(4096).optional(),
  /** Shown to the model when the call is denied. */
  message: z.string().max(4096).optional(),
});
/** A client's answer to a permission question. */
export type PermissionDecisionMessage = z.infer<typeof permissionDecisionSchema>;

/** The arguments of a command. */
export const commandRequestSchema = z.object({ args: z.string().max(65_536).optional() });
/** Options of a compaction. */
export const compactRequestSchema = z.object({ instructions: z.string().max(65_536).optional() });
const permissionModeSchema = z.enum(['plan', 'default', 'acceptEdits', 'bypassPermissions']);
/** Unknown fields are refused: a misspelt mode must not become the default. */
export const createSessionSchema = z.strictObject({
  session_id: sessionIdSchema.optional(),
  /** The agent's short name: `robota`, `claude`, `codex`, `gemini`. */
  agent: z.string().min(1).max(64).optional(),
  /** An existing directory on the server; the server's own by default. */
  cwd: z.string().min(1).max(4096).optional(),
  name: z.string().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional(),
  permission_mode: permissionModeSchema.optional(),
  profile: z.string().min(1).max(200).optional(),
});
/** A message from a surface that knows the user but not the session, such as a chat. */
export const inboundMessageSchema = z.strictObject({
  user_id: z.string().min(1).max(200),
  workspace_id: z.string().min(1).max(200).optional(),
  surface_id: z.string().min(1).max(200),
  text: z.string().min(1),
  /** Images and text files. */
  attachments: z.array(attachmentSchema).max(50).optional(),
  message_id: messageIdSchema.optional(),
});
/** Settings of a session to change. */
export const changeSchema = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  permission_mode: permissionModeSchema.optional(),
  name: z.string().min(1).max(200).optional(),
  language: z.string().min(1).max(100).optional(),
  is_pinned: z.boolean().optional(),
  is_archived: z.boolean().optional(),
});
/** Disambiguates an id used by two agents. */
export const agentQuerySchema = z.object({ agent: z.string().min(1).max(64).optional() });

/** Settings of a session to change. */
export type ChangeRequest = z.infer<typeof changeSchema>;
/** Allow, deny, a rule, or the values of a choice or form. */
export const answerRequestSchema = z.object({
  answer: z.union(
    [
      z.enum(['allow', 'allow-session', 'allow-project', 'deny']),
      z.strictObject({
        allow: z.enum(['session', 'project']),
        pattern: z.string().min(1).max(4096),
      }),
      z.strictObject({ allow: z.literal(true), input: z.record(z.string(), z.unknown()) }),
      z.strictObject({ deny: z.string().max(4096) }),
      z.strictObject({ answers: z.record(z.string(), z.string()) }),
    ],
    {
      error:
        '"allow", "allow-session", "allow-project", "deny", or an object such as {"deny":"why"}',
    },
  ),
});
/** Options of a new session. */
export type CreateSessionRequest = z.infer<typeof createSessionSchema>;

/** Messages a client may send on a WebSocket. */
export const clientMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user'),
    message: z.object({ content: contentSchema }),
    message_id: messageIdSchema.optional(),
  }),
  z.object({
    type: z.literal('permission_response'),
    request_id: z.string().max(128),
    ...permissionDecisionSchema.shape,
  }),
  z.object({
    type: z.literal('command'),
    name: z.string().min(1).max(128),
    args: z.string().max(65_536).optional(),
    message_id: messageIdSchema.optional(),
  }),
  z.object({
    type: z.literal('answer'),
    question_id: z.string().max(128),
    message_id: messageIdSchema.optional(),
    ...answerRequestSchema.shape,
  }),
  z.object({
    type: z.literal('change'),
    // Pins and archive flags belong to the list, which a socket of one session does not change.
    changes: changeSchema.omit({ is_pinned: true, is_archived: true }),
    message_id: messageIdSchema.optional(),
  }),
  z.object({
    type: z.literal('compact'),
    instructions: z.string().max(65_536).optional(),
    message_id: messageIdSchema.optional(),
  }),
  forkRequestSchema.extend({ type: z.literal('fork'), message_id: messageIdSchema.optional() }),
  previewRequestSchema.extend({
    type: z.literal('preview_rewind'),
    message_id: messageIdSchema.optional(),
  }),
  rewindRequestSchema.extend({
    type: z.literal('rewind'),
    message_id: messageIdSchema.optional(),
  }),
  undoRequestSchema.extend({
    type: z.literal('undo_rewind'),
    message_id: messageIdSchema.optional(),
  }),
  z.object({ type: z.literal('costs'), message_id: messageIdSchema.optional() }),
  z.object({ type: z.literal('abort'), message_id: messageIdSchema.optional() }),
  z.object({
    type: z.literal('cancel_queue'),
    /** The prompt to cancel; all queued prompts by default. */
    prompt_id: messageIdSchema.optional(),
    message_id: messageIdSchema.optional(),
  }),
  z.object({ type: z.literal('ping') }),
]);
/** A message from a client on a WebSocket. */
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** The turn's result without its history, which the blocks already contain. */
export type TurnResult = Omit<ExecutionResult, 'history'>;
/** How a prompt ended. */
export type PromptStatus = SubmitOutcome['status'];

const streamEventSchema = typed<StreamEvent>(
  z.looseObject({
    type: z.enum([
      'block_start',
      'text_delta',
      'block_update',
      'block_complete',
      'metadata_update',
    ]),
    conversationId: z.string(),
  }),
);
const turnResultSchema = typed<TurnResult>(z.looseObject({ response: z.string() }));
const contextSchema = typed<ContextWindowState>(z.looseObject({ usedTokens: z.number() }));
const toolSchema = typed<ToolState>(z.looseObject({ toolName: z.string() }));
const noticeSchema = typed<SessionNotice>(z.object({ kind: z.string(), message: z.string() }));
const answerSchema = typed<PermissionAnswer>(z.union([z.boolean(), z.string(), z.looseObject({})]));
const permissionSchema = z.object({
  request_id: z.string(),
  tool_name: z.string(),
  input: typed<PermissionRequest['toolArgs']>(z.record(z.string(), z.unknown())),
  tool_call_id: z.string().optional(),
  /** Why the question is asked. */
  reason: z.string().optional(),
  /** A rule that would allow such calls in future. */
  pattern: z.string().optional(),
  explanation: typed<NonNullable<PermissionRequest['explanation']>>(z.looseObject({})).optional(),
});
/** A permission question. */
export type WirePermission = z.infer<typeof permissionSchema>;

const questionSchema = typed<LiveQuestion>(z.looseObject({ id: z.string(), kind: z.string() }));
const queuedSchema = z.object({
  content: z.string(),
  user: z.string().optional(),
  message_id: z.string().optional(),
});
const conversationSchema = typed<ConversationState>(
  z.looseObject({ blocks: z.array(z.unknown()) }),
);

/** Frames of one entry share its number; `part` counts them. */
const numbered = { session_id: z.string(), seq: z.number().int(), part: z.number().int() };

/** The result of the prompt with this message id; sent once. */
const resultSchema = z.object({
  type: z.literal('result'),
  ...numbered,
  message_id: z.string(),
  subtype: z.enum(['success', 'error', 'interrupted']),
  status: z.enum(['completed', 'interrupted', 'failed', 'superseded', 'refused']),
  result: z.string(),
  usage: typed<TurnResult['usage'] | null>(z.looseObject({}).nullable()),
  error_code: z.string().optional(),
  turn: turnResultSchema.optional(),
});

/** Events of a session. Positions increase and are the same for every client and transport. */
export const sessionEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stream_event'), ...numbered, event: streamEventSchema }),
  z.object({ type: z.literal('user_message'), ...numbered, content: z.string() }),
  z.object({ type: z.literal('thinking'), ...numbered, is_thinking: z.boolean() }),
  z.object({ type: z.literal('tool_start'), ...numbered, tool: toolSchema }),
  z.object({ type: z.literal('tool_end'), ...numbered, tool: toolSchema }),
  z.object({ type: z.literal('context_update'), ...numbered, context: contextSchema }),
  z.object({ type: z.literal('permission_request'), ...numbered, ...permissionSchema.shape }),
  z.object({
    type: z.literal('permission_resolved'),
    ...numbered,
    request_id: z.string(),
    answer: answerSchema,
    by: z.string().optional(),
  }),
  z.object({ type: z.literal('question'), ...numbered, question: questionSchema }),
  z.object({
    type: z.literal('question_resolved'),
    ...numbered,
    question_id: z.string(),
    how: z.enum(['answered', 'expired']),
    answer: typed<LiveAnswer>(z.unknown()).optional(),
    by: z.string().optional(),
  }),
  z.object({
    type: z.literal('turn_start'),
    ...numbered,
    content: z.string(),
    user: z.string().optional(),
    message_id: z.string().optional(),
  }),
  z.object({
    type: z.literal('turn_end'),
    ...numbered,
    status: z.enum(['completed', 'interrupted', 'failed', 'superseded', 'refused']),
  }),
  z.object({ type: z.literal('queue'), ...numbered, prompts: z.array(queuedSchema) }),
  z.object({
    type: z.literal('state'),
    ...numbered,
    changed: typed<ChangedFacts>(z.looseObject({})),
  }),
  /** Replaces the conversation after a change that events cannot express. */
  z.object({ type: z.literal('resync'), ...numbered, conversation: conversationSchema }),
  z.object({ type: z.literal('complete'), ...numbered, turn: turnResultSchema }),
  z.object({ type: z.literal('interrupted'), ...numbered, turn: turnResultSchema }),
  z.object({
    type: z.literal('error'),
    ...numbered,
    code: z.string().optional(),
    message: z.string(),
  }),
  z.object({
    type: z.literal('notice'),
    ...numbered,
    notice: noticeSchema,
  }),
  z.object({
    type: z.literal('compact'),
    ...numbered,
    compaction: typed<CompactionNotice>(z.looseObject({ trigger: z.string() })),
  }),
  resultSchema,
  z.object({ type: z.literal('session_closed'), ...numbered, reason: z.string() }),
]);
/** An event of a session. */
export type SessionEvent = z.infer<typeof sessionEventSchema>;
/** The result of a prompt. */
export type ResultEvent = Extract<SessionEvent, { type: 'result' }>;

/** Facts and capabilities of a session, without its conversation. */
const factsShape = {
  agent: z.string(),
  native_id: z.string().optional(),
  capabilities: typed<SessionCapabilities>(z.looseObject({ prompt: z.boolean() })),
  access: z.enum(['drive', 'lost', 'view']),
  cwd: z.string().optional(),
  name: z.string().optional(),
  model: z.string().optional(),
  permission_mode: z.string().optional(),
  commands: z.array(z.string()),
};

/** The full state at `seq`; sent first, and again when a client is too far behind. */
export const snapshotSchema = z.object({
  type: z.literal('snapshot'),
  session_id: z.string(),
  epoch: z.string(),
  seq: z.number().int(),
  part: z.number().int(),
  ...factsShape,
  conversation: conversationSchema,
  /** With a `tail`: number of blocks of each thread before the first one included. */
  before: z.record(z.string(), z.number().int()).optional(),
  questions: z.array(questionSchema),
  queue: z.array(queuedSchema),
  message_count: z.number().int(),
  tools: z.array(z.string()),
  is_executing: z.boolean(),
  pending_prompt: z.string().nullable(),
  pending_permissions: z.array(permissionSchema),
  streaming_text: z.string(),
  active_tools: z.array(toolSchema),
  context: contextSchema,
  /** Notices emitted while the session was opened. */
  notices: z.array(noticeSchema).optional(),
});
/** The full state of a session. */
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Replies to one client; not part of the event sequence. */
export const replySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('init'),
    session_id: z.string(),
    epoch: z.string(),
    seq: z.number().int(),
    part: z.number().int(),
    ...factsShape,
  }),
  /** Events after `after` are no longer available; a snapshot follows. */
  z.object({
    type: z.literal('gap'),
    session_id: z.string(),
    after: z.string(),
    oldest: z.string(),
  }),
  snapshotSchema,
  z.object({
    type: z.literal('prompt_accepted'),
    session_id: z.string(),
    message_id: z.string(),
    /** Position before this prompt's first event. */
    seq: z.number().int(),
    part: z.number().int(),
    /** The result, when this message id was answered before. */
    result: resultSchema.optional(),
  }),
  z.object({
    type: z.literal('command_result'),
    session_id: z.string(),
    message_id: z.string().optional(),
    name: z.string(),
    success: z.boolean(),
    message: z.string(),
    data: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({
    /** `accepted` is false when unknown or already answered. */
    type: z.literal('permission_answer'),
    session_id: z.string(),
    request_id: z.string(),
    accepted: z.boolean(),
  }),
  z.object({
    /** `accepted` is false when unknown or already answered. */
    type: z.literal('answer_result'),
    session_id: z.string(),
    question_id: z.string(),
    message_id: z.string().optional(),
    accepted: z.boolean(),
  }),
  z.object({
    /** The request with this id has been carried out. */
    type: z.literal('done'),
    session_id: z.string(),
    message_id: z.string().optional(),
    /** For a fork: the id of the copy. */
    forked: z.string().optional(),
    rewind_preview: rewindPreviewSchema.optional(),
    rewind: rewindResultSchema.optional(),
    costs: z.array(typed<ModelCost>(z.looseObject({ model: z.string() }))).optional(),
  }),
  z.object({ type: z.literal('pong') }),
  z.object({
    type: z.literal('protocol_error'),
    code: z.string(),
    message: z.string(),
    message_id: z.string().optional(),
  }),
]);
/** A reply to one client. */
export type Reply = z.infer<typeof replySchema>;

/** Messages a server may send on a WebSocket. */
export const serverMessageSchema = z.union([sessionEventSchema, replySchema]);
/** A message from a server on a WebSocket. */
export type ServerMessage = SessionEvent | Reply;

/** The body of an error response. */
export const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Types a loose schema as the SDK's type: only the fields that clients get wrong are validated. */
function typed<Value>(schema: z.ZodType): z.ZodType<Value> {
  return schema as unknown as z.ZodType<Value>;
}
