import type { SessionChanges, SubmitOptions } from '@robota-sdk/agent-sdk';
import { z } from 'zod';
import { assertRole, roleOfCommand } from '../admission/roles.ts';
import { comparePositions, formatPosition, parsePosition } from '../live/event-position.ts';
import { answerPermission } from '../live/permission-answer.ts';
import { promptContent } from '../live/prompt-content.ts';
import { runCommand } from '../live/run-command.ts';
import { channelOf, type SessionChannel } from '../live/session-channel.ts';
import { WireError } from '../live/wire-error.ts';
import {
  answerRequestSchema,
  type ChangeRequest,
  changeSchema,
  commandRequestSchema,
  compactRequestSchema,
  createSessionSchema,
  hostedSessionSchema,
  inboundMessageSchema,
  permissionDecisionSchema,
  promptRequestSchema,
  resumeSchema,
  sessionEventSchema,
  sessionListSchema,
  snapshotSchema,
} from '../protocol.ts';
import { type Call, type Route, route } from './route.ts';
import { sseOnce, sseResponse } from './sse-stream.ts';

const okSchema = z.object({ ok: z.literal(true) });
const createdSchema = z.object({ session_id: z.string() });
const describedSchema = z.object({
  session: hostedSessionSchema,
  state: snapshotSchema.optional(),
});
const acceptedSchema = z.object({
  session_id: z.string(),
  message_id: z.string(),
  seq: z.number().int(),
  part: z.number().int(),
  status: z.enum(['accepted', 'repeated']),
});
const questionListSchema = z.object({ questions: z.array(z.looseObject({ id: z.string() })) });
const commandResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** Everything that can be done to sessions over HTTP. */
export const SESSION_ROUTES: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/sessions',
    role: 'read',
    summary: 'Lists sessions, live ones first',
    responses: { 200: { description: 'The sessions', schema: sessionListSchema } },
    handle: async ({ context, scene }) => context.json({ sessions: await scene.door.list() }),
  }),
  route({
    method: 'post',
    path: '/api/sessions',
    role: 'prompt',
    summary: 'Creates a session',
    body: createSessionSchema,
    responses: { 201: { description: 'Created', schema: createdSchema } },
    handle: createSession,
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}',
    role: 'read',
    summary: 'Shows a session; a live one with its conversation in blocks',
    responses: { 200: { description: 'The session', schema: describedSchema } },
    handle: async ({ context, scene, param }) => {
      const { summary, live } = await scene.door.describe(param('id'));
      return context.json({
        session: summary,
        ...(live && { state: channelOf(live, scene.door.host).snapshot() }),
      });
    },
  }),
  route({
    method: 'delete',
    path: '/api/sessions/{id}',
    role: 'admin',
    summary: 'Ends a session and erases what is saved of it',
    responses: { 200: { description: 'Deleted', schema: okSchema } },
    handle: async ({ context, scene, param }) => {
      await scene.door.remove(param('id'));
      return context.json({ ok: true });
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/prompts',
    role: 'prompt',
    summary:
      'Asks the session; with "Accept: text/event-stream" the events until the result follow',
    body: promptRequestSchema,
    responses: {
      200: { description: 'Events of the session up to the result of this prompt', events: true },
      202: { description: 'The prompt runs or waits', schema: acceptedSchema },
    },
    handle: submitPrompt,
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/abort',
    role: 'prompt',
    summary: 'Stops the running prompt and empties the queue',
    responses: { 200: { description: 'Asked to stop', schema: okSchema } },
    handle: async (call) => {
      await (await channel(call)).session.abort();
      return call.context.json({ ok: true });
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/compact',
    role: 'prompt',
    summary: 'Replaces the conversation by a summary of it',
    body: compactRequestSchema,
    responses: { 200: { description: 'Compacted', schema: okSchema } },
    handle: compactSession,
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/fork',
    role: 'prompt',
    summary: 'Copies a saved session under a new id',
    responses: { 201: { description: 'The copy', schema: createdSchema } },
    handle: async ({ context, scene, param }) => {
      const { sessionId } = await scene.door.fork(param('id'));
      return context.json({ session_id: sessionId }, 201);
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/commands/{name}',
    role: 'prompt',
    summary: 'Runs a command by name',
    body: commandRequestSchema,
    responses: { 200: { description: 'What the command answers', schema: commandResultSchema } },
    handle: async (call) => {
      const name = call.param('name');
      assertRole(call.identity, roleOfCommand(name));
      const { session } = await channel(call);
      return call.context.json(await runCommand(session, name, call.body.args));
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/permissions/{requestId}',
    role: 'approve',
    summary: 'Answers a permission question; the first answer counts',
    body: permissionDecisionSchema,
    responses: { 200: { description: 'Answered', schema: okSchema } },
    handle: async (call) => {
      const { session } = await channel(call);
      const { user } = call.identity;
      if (await answerPermission(session, call.param('requestId'), { ...call.body, user })) {
        return call.context.json({ ok: true });
      }
      const message = 'No such question is open: it is unknown, or somebody answered before.';
      throw new WireError('permission_not_pending', message);
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/questions/{questionId}',
    role: 'approve',
    summary: 'Answers a question of any kind; the first answer counts',
    body: answerRequestSchema,
    responses: { 200: { description: 'Answered', schema: okSchema } },
    handle: async (call) => {
      const { session } = await channel(call);
      const { user } = call.identity;
      if (await session.answer(call.param('questionId'), call.body.answer, { user })) {
        return call.context.json({ ok: true });
      }
      const message = 'No such question is open: it is unknown, or somebody answered before.';
      throw new WireError('question_not_open', message);
    },
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/questions',
    role: 'read',
    summary: 'Lists what the session waits for somebody to decide',
    responses: { 200: { description: 'The questions', schema: questionListSchema } },
    handle: async (call) => {
      const { view } = await channel(call);
      return call.context.json({ questions: [...view.getQuestions()] });
    },
  }),
  route({
    method: 'patch',
    path: '/api/sessions/{id}',
    role: 'prompt',
    summary: 'Changes model, permission mode, name or language',
    body: changeSchema,
    responses: { 200: { description: 'Changed', schema: okSchema } },
    handle: async (call) => {
      const { session } = await channel(call);
      if (call.body.permission_mode !== undefined) assertRole(call.identity, 'approve');
      await session.change(changesOf(call.body));
      return call.context.json({ ok: true });
    },
  }),
  route({
    method: 'post',
    path: '/api/messages',
    role: 'prompt',
    summary:
      'Asks the session that belongs to this user and surface; makes one where there is none',
    body: inboundMessageSchema,
    responses: {
      200: { description: 'Events of the session up to the result of this prompt', events: true },
      202: { description: 'The prompt runs or waits', schema: acceptedSchema },
    },
    handle: async (call) => {
      const { text, user_id: user, message_id: messageId } = call.body;
      const target = await call.scene.door.sessionFor(call.body);
      return answerPrompt(call, target, { text, options: { user, messageId } });
    },
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/events',
    role: 'read',
    summary: 'Follows a session; "Last-Event-ID" (or "after") goes on without gap or repeat',
    query: resumeSchema,
    responses: {
      200: { description: 'The events as they happen', schema: sessionEventSchema, events: true },
    },
    handle: followSession,
  }),
];

function channel({ scene, param }: Call<unknown>): Promise<SessionChannel> {
  return scene.door.channel(param('id'));
}

function changesOf({ permission_mode: permissionMode, ...rest }: ChangeRequest): SessionChanges {
  return { ...rest, permissionMode };
}

async function createSession(call: Call<z.infer<typeof createSessionSchema>>): Promise<Response> {
  const { context, scene, body, identity } = call;
  // Another directory reaches other files, and a looser mode does things unasked.
  if (body.cwd !== undefined) assertRole(identity, 'admin');
  const isLoose = body.permission_mode !== undefined && body.permission_mode !== 'plan';
  if (isLoose && body.permission_mode !== 'default') assertRole(identity, 'approve');
  const { sessionId } = await scene.door.create(body, identity.user);
  return context.json({ session_id: sessionId }, 201);
}

async function submitPrompt(call: Call<z.infer<typeof promptRequestSchema>>): Promise<Response> {
  const { body, identity } = call;
  const { text, parts } = promptContent(body.content);
  const options = { messageId: body.message_id, user: identity.user, parts };
  return answerPrompt(call, await channel(call), { text, options });
}

async function answerPrompt(
  call: Call<unknown>,
  target: SessionChannel,
  { text, options }: { readonly text: string; readonly options: SubmitOptions },
): Promise<Response> {
  const { context } = call;
  const prompt = await target.prompts.submit(text, options);
  const { messageId, seq, part, result } = prompt;
  const { sessionId } = target.view;
  const about = { session_id: sessionId, message_id: messageId, seq, part };
  if (!context.req.header('accept')?.includes('text/event-stream')) {
    return context.json({ ...about, status: prompt.isRepeat ? 'repeated' : 'accepted' }, 202);
  }
  const { after = formatPosition(prompt) } = resumePoint(call);
  const index = target.journal.indexOf(parsePosition(after));
  // An answer given long ago is told from memory; one that the journal still has, with all its events.
  const isHeard = result && comparePositions(parsePosition(after), result) >= 0;
  if (result && (index === undefined || isHeard)) return sseOnce(result);
  return sseResponse(
    { channel: target, leave: () => undefined },
    {
      ...streamOptions(call),
      resume: { after },
      untilResultOf: messageId,
      greeting: { type: 'prompt_accepted', ...about },
    },
  );
}

async function compactSession(call: Call<z.infer<typeof compactRequestSchema>>): Promise<Response> {
  const { session } = await channel(call);
  if (session.isExecuting()) {
    throw new WireError('session_busy', 'A prompt is being answered; compact when it is done.');
  }
  await session.compact(call.body.instructions);
  return call.context.json({ ok: true });
}

async function followSession(call: Call<unknown>): Promise<Response> {
  const resume = resumePoint(call);
  const visit = await call.scene.door.visit(call.param('id'), resume);
  return sseResponse(visit, { ...streamOptions(call), resume });
}

function streamOptions({ scene }: Call<unknown>) {
  const { heartbeatMs, maxLagBytes, stopping } = scene;
  return { heartbeatMs, maxLagBytes, signal: stopping };
}

/** `Last-Event-ID` is what a browser sends by itself, so it wins over the address it was first given. */
function resumePoint({ context }: Call<unknown>): z.infer<typeof resumeSchema> {
  const after = context.req.header('last-event-id') || context.req.query('after') || undefined;
  const { epoch, agent, surface } = context.req.query();
  const parsed = resumeSchema.safeParse({ after, epoch, agent, surface });
  if (parsed.success) return parsed.data;
  throw new WireError(
    'invalid_request',
    'Last-Event-ID (or after) must be the number of an event.',
  );
}
