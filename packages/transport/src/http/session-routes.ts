import type { SessionChanges, SubmitOptions } from '@robota-sdk/agent-sdk';
import { toAgentType } from '@robota-sdk/agent-transcript';
import { z } from 'zod';
import { assertRole, roleOfCommand } from '../admission/roles.ts';
import { comparePositions, formatPosition, parsePosition } from '../live/event-position.ts';
import { answerPermission } from '../live/permission-answer.ts';
import { promptContent } from '../live/prompt-content.ts';
import { runSessionCommand } from '../live/run-session-command.ts';
import type { SessionChannel } from '../live/session-channel.ts';
import { assertId } from '../live/session-gateway.ts';
import { WireError } from '../live/wire-error.ts';
import {
  agentQuerySchema,
  answerRequestSchema,
  type ChangeRequest,
  changeSchema,
  commandRequestSchema,
  compactRequestSchema,
  createSessionSchema,
  inboundMessageSchema,
  permissionDecisionSchema,
  promptRequestSchema,
  resumeSchema,
  sessionEventSchema,
} from '../protocol.ts';
import { REWIND_ROUTES } from './rewind-routes.ts';
import { type Call, type Route, route } from './route.ts';
import { sseOnce, sseResponse } from './sse-stream.ts';

const okSchema = z.object({ ok: z.literal(true) });
const createdSchema = z.object({ session_id: z.string() });
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

/** Creates, prompts, changes, follows and deletes sessions. */
export const SESSION_ROUTES: readonly Route[] = [
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
    method: 'delete',
    path: '/api/sessions/{id}',
    role: 'admin',
    summary: 'Ends a session and deletes its saved data; transcripts of other programs are kept',
    responses: { 200: { description: 'Deleted', schema: okSchema } },
    handle: async ({ context, shared, param }) => {
      assertId(param('id'));
      await shared.directory.remove(param('id'));
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
      202: { description: 'The prompt is running or queued', schema: acceptedSchema },
    },
    handle: submitPrompt,
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/abort',
    role: 'prompt',
    summary: 'Aborts the running prompt and clears the queue',
    responses: { 200: { description: 'Aborted', schema: okSchema } },
    handle: async (call) => {
      await (await channel(call)).session.abort();
      return call.context.json({ ok: true });
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/compact',
    role: 'prompt',
    summary: 'Replaces the conversation with a summary',
    body: compactRequestSchema,
    responses: { 200: { description: 'Compacted', schema: okSchema } },
    handle: compactSession,
  }),
  ...REWIND_ROUTES,
  route({
    method: 'post',
    path: '/api/sessions/{id}/commands/{name}',
    role: 'prompt',
    summary: 'Runs a command by name',
    body: commandRequestSchema,
    responses: { 200: { description: 'The result of the command', schema: commandResultSchema } },
    handle: async (call) => {
      const name = call.param('name');
      assertRole(call.identity, roleOfCommand(name, call.body.args));
      const { session } = await channel(call);
      return call.context.json(await runSessionCommand(session, name, call.body.args));
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
      const message = 'No such question is open: it is unknown or already answered.';
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
      const message = 'No such question is open: it is unknown or already answered.';
      throw new WireError('question_not_open', message);
    },
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/questions',
    role: 'read',
    summary: 'Lists the questions the session is waiting on',
    responses: { 200: { description: 'The questions', schema: questionListSchema } },
    handle: async (call) => {
      const found = await channel(call);
      const { questions } = found.feed(call.identity).snapshot(1);
      return call.context.json({ questions });
    },
  }),
  route({
    method: 'patch',
    path: '/api/sessions/{id}',
    role: 'prompt',
    summary:
      'Changes model, permission mode, name or language; of a session of any agent its name, pin and archive flag',
    body: changeSchema,
    query: agentQuerySchema,
    responses: { 200: { description: 'Changed', schema: okSchema } },
    handle: changeSession,
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
      202: { description: 'The prompt is running or queued', schema: acceptedSchema },
    },
    handle: async (call) => {
      const { text: words, attachments = [], user_id: user, message_id: messageId } = call.body;
      const target = await call.shared.gateway.sessionFor(call.body);
      const { text, parts } = promptContent([{ type: 'text', text: words }, ...attachments]);
      return answerPrompt(call, target, { text, options: { user, messageId, parts } });
    },
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/events',
    role: 'read',
    summary: 'Follows a session; "Last-Event-ID" (or "after") resumes without gaps or duplicates',
    query: resumeSchema,
    responses: {
      200: { description: 'The events as they happen', schema: sessionEventSchema, events: true },
    },
    handle: followSession,
  }),
];

function channel({ shared, param }: Call<unknown>): Promise<SessionChannel> {
  const id = param('id');
  return shared.gateway.channel(shared.directory.liveSession(id)?.sessionId ?? id);
}

async function changeSession(
  call: Call<ChangeRequest, z.infer<typeof agentQuerySchema>>,
): Promise<Response> {
  const { shared, body, query, identity, context } = call;
  const { is_pinned: isPinned, is_archived: isArchived, ...others } = body;
  if (others.permission_mode !== undefined) assertRole(identity, 'approve');
  const id = call.param('id');
  assertId(id);
  const row = await shared.directory.row(id, query.agent);
  const isForeign = row.access !== 'drive';
  const name = isForeign ? others.name : undefined;
  const label = { name, isPinned, isArchived };
  if (Object.values(label).some((value) => value !== undefined)) {
    const type = toAgentType(row.agent) ?? row.agent;
    await shared.directory.labels.set({ type, id: row.native_id ?? row.id }, label);
    await shared.directory.changed(row);
  }
  const { permission_mode: permissionMode, ...rest } = others;
  const changes: SessionChanges = {
    ...rest,
    permissionMode,
    name: isForeign ? undefined : rest.name,
  };
  if (Object.values(changes).some((value) => value !== undefined)) {
    await (await shared.gateway.channel(row.id)).session.change(changes);
  }
  return context.json({ ok: true });
}

async function createSession(call: Call<z.infer<typeof createSessionSchema>>): Promise<Response> {
  const { context, shared, body, identity } = call;
  // Another directory gives access to other files, and a looser mode skips questions.
  if (body.cwd !== undefined) assertRole(identity, 'admin');
  const isLoose = body.permission_mode !== undefined && body.permission_mode !== 'plan';
  if (isLoose && body.permission_mode !== 'default') assertRole(identity, 'approve');
  const { sessionId } = await shared.gateway.create(body, identity.user);
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
  // A result that has left the journal is sent alone; otherwise its events are replayed too.
  const isReceived = result && comparePositions(parsePosition(after), result) >= 0;
  if (result && (index === undefined || isReceived)) return sseOnce(result);
  return sseResponse(
    { feed: target.feed(call.identity), leave: () => undefined },
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
  const { channel, leave } = await call.shared.gateway.visit(call.param('id'), resume);
  const feed = channel.feed(call.identity);
  return sseResponse({ feed, leave }, { ...streamOptions(call), resume });
}

function streamOptions({ shared, identity }: Call<unknown>) {
  const { heartbeatMs, maxLagBytes, stopping, admission } = shared;
  const watch = (onRevoked: () => void) => admission.watch(identity, onRevoked);
  return { heartbeatMs, maxLagBytes, signal: stopping, watch };
}

/** Browsers send `Last-Event-ID` when reconnecting, so it takes precedence over the original query. */
function resumePoint({ context }: Call<unknown>): z.infer<typeof resumeSchema> {
  const after = context.req.header('last-event-id') || context.req.query('after') || undefined;
  const { epoch, agent, surface, tail } = context.req.query();
  const parsed = resumeSchema.safeParse({ after, epoch, agent, surface, tail });
  if (parsed.success) return parsed.data;
  throw new WireError(
    'invalid_request',
    'Last-Event-ID (or after) must be the number of an event.',
  );
}
