import { z } from 'zod';
import { answerPermission } from '../live/permission-answer.ts';
import { runCommand } from '../live/run-command.ts';
import { channelOf, type SessionChannel } from '../live/session-channel.ts';
import { WireError } from '../live/wire-error.ts';
import {
  commandRequestSchema,
  compactRequestSchema,
  contentText,
  createSessionSchema,
  hostedSessionSchema,
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
  status: z.enum(['accepted', 'repeated']),
});
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
    summary: 'Lists sessions, live ones first',
    responses: { 200: { description: 'The sessions', schema: sessionListSchema } },
    handle: async ({ context, scene }) => context.json({ sessions: await scene.door.list() }),
  }),
  route({
    method: 'post',
    path: '/api/sessions',
    summary: 'Creates a session',
    body: createSessionSchema,
    responses: { 201: { description: 'Created', schema: createdSchema } },
    handle: ({ context, scene, body }) => {
      const { sessionId } = scene.door.create(body);
      return context.json({ session_id: sessionId }, 201);
    },
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}',
    summary: 'Shows a session; a live one with its conversation in blocks',
    responses: { 200: { description: 'The session', schema: describedSchema } },
    handle: async ({ context, scene, param }) => {
      const { summary, live } = await scene.door.describe(param('id'));
      return context.json({ session: summary, ...(live && { state: channelOf(live).snapshot() }) });
    },
  }),
  route({
    method: 'delete',
    path: '/api/sessions/{id}',
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
    summary: 'Stops the running prompt and empties the queue',
    responses: { 200: { description: 'Asked to stop', schema: okSchema } },
    handle: async (call) => {
      (await channel(call)).session.abort();
      return call.context.json({ ok: true });
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/compact',
    summary: 'Replaces the conversation by a summary of it',
    body: compactRequestSchema,
    responses: { 200: { description: 'Compacted', schema: okSchema } },
    handle: compactSession,
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/fork',
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
    summary: 'Runs a command by name',
    body: commandRequestSchema,
    responses: { 200: { description: 'What the command answers', schema: commandResultSchema } },
    handle: async (call) => {
      const { session } = await channel(call);
      return call.context.json(await runCommand(session, call.param('name'), call.body.args));
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/permissions/{requestId}',
    summary: 'Answers a permission question; the first answer counts',
    body: permissionDecisionSchema,
    responses: { 200: { description: 'Answered', schema: okSchema } },
    handle: async (call) => {
      const { session } = await channel(call);
      if (answerPermission(session, call.param('requestId'), call.body)) {
        return call.context.json({ ok: true });
      }
      const message = 'No such question is open: it is unknown, or somebody answered before.';
      throw new WireError('permission_not_pending', message);
    },
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/events',
    summary: 'Follows a session; "Last-Event-ID" (or "after") goes on without gap or repeat',
    query: resumeSchema,
    responses: {
      200: { description: 'The events as they happen', schema: sessionEventSchema, events: true },
    },
    handle: followSession,
  }),
];

async function channel({ scene, param }: Call<unknown>): Promise<SessionChannel> {
  return channelOf(await scene.door.open(param('id')));
}

async function submitPrompt(call: Call<z.infer<typeof promptRequestSchema>>): Promise<Response> {
  const { context, body } = call;
  const target = await channel(call);
  const { message_id: messageId } = body;
  const prompt = await target.prompts.submit(contentText(body.content), messageId);
  if (!context.req.header('accept')?.includes('text/event-stream')) {
    const status = prompt.isRepeat ? 'repeated' : 'accepted';
    const { sessionId } = target.session;
    return context.json(
      { session_id: sessionId, message_id: prompt.messageId, seq: prompt.seq, status },
      202,
    );
  }
  const after = resumePoint(call).after ?? prompt.seq;
  // An answer given long ago is told from memory; one that the journal still has, with all its events.
  if (prompt.result && !target.journal.covers(after)) return sseOnce(prompt.result);
  if (prompt.result && after >= prompt.result.seq) return sseOnce(prompt.result);
  const { sessionId } = target.session;
  return sseResponse(target, {
    ...streamOptions(call),
    resume: { after },
    untilResultOf: prompt.messageId,
    greeting: {
      type: 'prompt_accepted',
      session_id: sessionId,
      message_id: prompt.messageId,
      seq: prompt.seq,
    },
  });
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
  return sseResponse(await channel(call), { ...streamOptions(call), resume });
}

function streamOptions({ scene }: Call<unknown>) {
  const { heartbeatMs, maxLagBytes, stopping } = scene;
  return { heartbeatMs, maxLagBytes, signal: stopping };
}

/** `Last-Event-ID` is what a browser sends by itself, so it wins over the address it was first given. */
function resumePoint({ context }: Call<unknown>): z.infer<typeof resumeSchema> {
  const after = context.req.header('last-event-id') || context.req.query('after') || undefined;
  const parsed = resumeSchema.safeParse({ after, epoch: context.req.query('epoch') });
  if (parsed.success) return parsed.data;
  throw new WireError(
    'invalid_request',
    'Last-Event-ID (or after) must be the number of an event.',
  );
}
