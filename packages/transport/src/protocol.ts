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

// What goes over the wire, on HTTP, WebSocket and in the client. Fields of a message are spelled as in stream-json;
// objects that the SDK hands out keep the names they have there.

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

/** Checks the id of a session. */
export const sessionIdSchema = z.string().regex(ID, ID_RULE);
/** Chosen by the client; the same id is accepted once in a session. */
export const messageIdSchema = z.string().regex(ID, ID_RULE);
/** The number of an entry and, after a dot, which of the frames of that entry. */
const positionSchema = z.string().regex(/^\d{1,15}(\.\d{1,15})?$/, 'is not the number of an event');

const textPart = z.object({ type: z.literal('text'), text: z.string() });
/** Base64, or the address of an image that the model may fetch. */
const imagePart = z.union([
  z.object({ type: z.literal('image'), media_type: z.string().max(100), data: z.base64() }),
  z.object({ type: z.literal('image'), url: z.url().max(4096) }),
]);
/** A file of text. */
const filePart = z.object({
  type: z.literal('file'),
  name: z.string().min(1).max(255),
  text: z.string(),
});
/** What goes with the words of a prompt. */
export const attachmentSchema = z.union([imagePart, filePart]);
const contentSchema = z.union(
  [z.string().min(1), z.array(z.union([textPart, imagePart, filePart])).min(1)],
  {
    error:
      'the words of the prompt, or a list of parts such as {"type":"text","text":"…"} (text, image or file)',
  },
);
/** A piece of a prompt, as it goes over the wire. */
export type WireContent = z.infer<typeof contentSchema>;

/** Where to go on: after which number, and of which counting. */
export const resumeSchema = z.object({
  after: positionSchema.optional(),
  epoch: z.string().max(128).optional(),
  /** Which agent is meant where two have a session of this id. */
  agent: z.string().max(64).optional(),
  /** The client's own id of its surface; one that stays the same across reconnects. */
  surface: z.string().min(1).max(200).optional(),
  /** A snapshot holds so many blocks of each thread, the last ones; the others are fetched by their place. */
  tail: z.coerce.number().int().min(1).max(10_000).optional(),
});
/** From where a client goes on listening. */
export type ResumePoint = z.infer<typeof resumeSchema>;

/** Checks a prompt. */
export const promptRequestSchema = z.object({
  content: contentSchema,
  message_id: messageIdSchema.optional(),
});

/** Checks an answer to a permission question. */
export const permissionDecisionSchema = z.object({
  decision: z.enum(['allow', 'allow-session', 'allow-project', 'deny']),
  /** Which calls to allow from now on; the suggested rule when left out. */
  pattern: z.string().min(1).max(4096).optional(),
  /** Read by the model when the call is denied. */
  message: z.string().max(4096).optional(),
});
/** A client's answer to a permission question. */
export type PermissionDecisionMessage = z.infer<typeof permissionDecisionSchema>;

/** Checks a request to run a command. */
export const commandRequestSchema = z.object({ args: z.string().max(65_536).optional() });
/** Checks a request to compact. */
export const compactRequestSchema = z.object({ instructions: z.string().max(65_536).optional() });
const permissionModeSchema = z.enum(['plan', 'default', 'acceptEdits', 'bypassPermissions']);
/** Fields that nobody knows are refused: a misspelt mode must not become the default. */
export const createSessionSchema = z.strictObject({
  session_id: sessionIdSchema.optional(),
  /** What people call the agent: `robota`, `claude`, `codex`, `gemini`. */
  agent: z.string().min(1).max(64).optional(),
  /** An existing directory of the server; its own when left out. */
  cwd: z.string().min(1).max(4096).optional(),
  name: z.string().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional(),
  permission_mode: permissionModeSchema.optional(),
  profile: z.string().min(1).max(200).optional(),
});
/** A message from a surface that knows its user and not the session, such as a chat. */
export const inboundMessageSchema = z.strictObject({
  user_id: z.string().min(1).max(200),
  workspace_id: z.string().min(1).max(200).optional(),
  surface_id: z.string().min(1).max(200),
  text: z.string().min(1),
  /** Images and text files that go with it. */
  attachments: z.array(attachmentSchema).max(50).optional(),
  message_id: messageIdSchema.optional(),
});
/** Checks a `ChangeRequest`. */
export const changeSchema = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  permission_mode: permissionModeSchema.optional(),
  name: z.string().min(1).max(200).optional(),
  language: z.string().min(1).max(100).optional(),
  is_pinned: z.boolean().optional(),
  is_archived: z.boolean().optional(),
});
/** Which agent's session is meant, where two have one of this id. */
export const agentQuerySchema = z.object({ agent: z.string().min(1).max(64).optional() });

/** What a client wants changed about a session. */
export type ChangeRequest = z.infer<typeof changeSchema>;
/** A yes, a no, a rule, or the words for the fields of a choice or form. */
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
/** What a client wants of a new session. */
export type CreateSessionRequest = z.infer<typeof createSessionSchema>;

/** What a client may say on a WebSocket. */
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
    changes: changeSchema,
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
    /** The one prompt that is meant; every one that waits when left out. */
    prompt_id: messageIdSchema.optional(),
    message_id: messageIdSchema.optional(),
  }),
  z.object({ type: z.literal('ping') }),
]);
/** Everything a client may say. */
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** The turn's result without the timeline, which the blocks tell already. */
export type TurnResult = Omit<ExecutionResult, 'history'>;
/** What became of a prompt. */
export type PromptStatus = SubmitOutcome['status'];

const streamEventSchema = said<StreamEvent>(
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
const turnResultSchema = said<TurnResult>(z.looseObject({ response: z.string() }));
const contextSchema = said<ContextWindowState>(z.looseObject({ usedTokens: z.number() }));
const toolSchema = said<ToolState>(z.looseObject({ toolName: z.string() }));
const noticeSchema = said<SessionNotice>(z.object({ kind: z.string(), message: z.string() }));
const answerSchema = said<PermissionAnswer>(z.union([z.boolean(), z.string(), z.looseObject({})]));
const permissionSchema = z.object({
  request_id: z.string(),
  tool_name: z.string(),
  input: said<PermissionRequest['toolArgs']>(z.record(z.string(), z.unknown())),
  tool_call_id: z.string().optional(),
  /** Why somebody is asked. */
  reason: z.string().optional(),
  /** A rule that would allow the call in future. */
  pattern: z.string().optional(),
  explanation: said<NonNullable<PermissionRequest['explanation']>>(z.looseObject({})).optional(),
});
/** A permission question, as it goes over the wire. */
export type WirePermission = z.infer<typeof permissionSchema>;

const questionSchema = said<LiveQuestion>(z.looseObject({ id: z.string(), kind: z.string() }));
const queuedSchema = z.object({
  content: z.string(),
  user: z.string().optional(),
  message_id: z.string().optional(),
});
const conversationSchema = said<ConversationState>(z.looseObject({ blocks: z.array(z.unknown()) }));

/** Frames that come from one entry share its number and carry a counter. */
const numbered = { session_id: z.string(), seq: z.number().int(), part: z.number().int() };

/** How the prompt with this message id ended; told once. */
const resultSchema = z.object({
  type: z.literal('result'),
  ...numbered,
  message_id: z.string(),
  subtype: z.enum(['success', 'error', 'interrupted']),
  status: z.enum(['completed', 'interrupted', 'failed', 'superseded', 'refused']),
  result: z.string(),
  usage: said<TurnResult['usage'] | null>(z.looseObject({}).nullable()),
  error_code: z.string().optional(),
  turn: turnResultSchema.optional(),
});

/** Events of a session. Numbers rise, and are the same for every client and transport. */
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
    answer: said<LiveAnswer>(z.unknown()).optional(),
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
    changed: said<ChangedFacts>(z.looseObject({})),
  }),
  /** Something changed that events cannot tell: this replaces all that was told before. */
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
    compaction: said<CompactionNotice>(z.looseObject({ trigger: z.string() })),
  }),
  resultSchema,
  z.object({ type: z.literal('session_closed'), ...numbered, reason: z.string() }),
]);
/** Something that happened in a session, as it goes over the wire. */
export type SessionEvent = z.infer<typeof sessionEventSchema>;
/** What a prompt came to. */
export type ResultEvent = Extract<SessionEvent, { type: 'result' }>;

/** What a session is and can do, beside its conversation. */
const factsShape = {
  agent: z.string(),
  native_id: z.string().optional(),
  capabilities: said<SessionCapabilities>(z.looseObject({ prompt: z.boolean() })),
  access: z.enum(['drive', 'lost', 'view']),
  cwd: z.string().optional(),
  name: z.string().optional(),
  model: z.string().optional(),
  permission_mode: z.string().optional(),
  commands: z.array(z.string()),
};

/** The whole state at number `seq`: where a client begins, and begins again when it is too far behind. */
export const snapshotSchema = z.object({
  type: z.literal('snapshot'),
  session_id: z.string(),
  epoch: z.string(),
  seq: z.number().int(),
  part: z.number().int(),
  ...factsShape,
  conversation: conversationSchema,
  /** Of a snapshot with a `tail`: how many blocks of each thread stand before the first that is here. */
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
  /** What was told while the session was opened. */
  notices: z.array(noticeSchema).optional(),
});
/** Everything a client needs to show a session from here on. */
export type Snapshot = z.infer<typeof snapshotSchema>;

/** What only the asking client hears; without a number. */
export const replySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('init'),
    session_id: z.string(),
    epoch: z.string(),
    seq: z.number().int(),
    part: z.number().int(),
    ...factsShape,
  }),
  /** Events after `after` are gone; a snapshot follows. */
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
    /** The number before this prompt's first event. */
    seq: z.number().int(),
    part: z.number().int(),
    /** Of a message id that was answered before. */
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
    /** False: unknown, or answered before. */
    type: z.literal('permission_answer'),
    session_id: z.string(),
    request_id: z.string(),
    accepted: z.boolean(),
  }),
  z.object({
    /** False: unknown, or answered before. */
    type: z.literal('answer_result'),
    session_id: z.string(),
    question_id: z.string(),
    message_id: z.string().optional(),
    accepted: z.boolean(),
  }),
  z.object({
    /** What was asked under this id has been done. */
    type: z.literal('done'),
    session_id: z.string(),
    message_id: z.string().optional(),
    /** Of a fork: the id of the copy. */
    forked: z.string().optional(),
    rewind_preview: rewindPreviewSchema.optional(),
    rewind: rewindResultSchema.optional(),
    costs: z.array(said<ModelCost>(z.looseObject({ model: z.string() }))).optional(),
  }),
  z.object({ type: z.literal('pong') }),
  z.object({
    type: z.literal('protocol_error'),
    code: z.string(),
    message: z.string(),
    message_id: z.string().optional(),
  }),
]);
/** A server's answer to something a client asked for. */
export type Reply = z.infer<typeof replySchema>;

/** Checks what a server says. */
export const serverMessageSchema = z.union([sessionEventSchema, replySchema]);
/** Everything a server may say. */
export type ServerMessage = SessionEvent | Reply;

/** Checks an error as servers send it. */
export const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** The schema checks what a stranger could get wrong; the rest is as the SDK's type says. */
function said<Value>(schema: z.ZodType): z.ZodType<Value> {
  return schema as unknown as z.ZodType<Value>;
}
