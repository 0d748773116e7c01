import { z } from 'zod';
import { assertRole, roleOfRewind } from '../admission/roles.ts';
import {
  forkRequestSchema,
  previewRequestSchema,
  rewindPreviewSchema,
  rewindRequestSchema,
  rewindResultSchema,
  undoRequestSchema,
} from '../rewind-protocol.ts';
import { type Call, type Route, route } from './route.ts';

/** Rewind, undo of a rewind, and fork from any block. */
export const REWIND_ROUTES: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/sessions/{id}/rewind/preview',
    role: 'prompt',
    summary: 'Previews what a rewind to before a prompt would change',
    body: previewRequestSchema,
    responses: { 200: { description: 'What would change', schema: rewindPreviewSchema } },
    handle: async (call) => {
      const session = await sessionOf(call);
      return call.context.json(await session.previewRewind(call.body.to));
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/rewind',
    role: 'prompt',
    summary:
      'Goes back to before a prompt: conversation, files or both; 409 where a person has to choose',
    body: rewindRequestSchema,
    responses: { 200: { description: 'What was done', schema: rewindResultSchema } },
    handle: async (call) => {
      assertRole(call.identity, roleOfRewind(call.body));
      const session = await sessionOf(call);
      return call.context.json(await session.rewind(call.body));
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/rewind/undo',
    role: 'approve',
    summary: 'Undoes the latest rewind',
    body: undoRequestSchema,
    responses: { 200: { description: 'What was done', schema: rewindResultSchema } },
    handle: async (call) => {
      const session = await sessionOf(call);
      return call.context.json(await session.undoRewind(call.body));
    },
  }),
  route({
    method: 'post',
    path: '/api/sessions/{id}/fork',
    role: 'prompt',
    summary: 'Copies a session under a new id, optionally only up to a block',
    body: forkRequestSchema,
    responses: {
      201: { description: 'The copy', schema: z.object({ session_id: z.string() }) },
    },
    handle: async ({ context, shared, param, body }) => {
      const { sessionId } = await shared.gateway.fork(param('id'), body.at);
      return context.json({ session_id: sessionId }, 201);
    },
  }),
];

async function sessionOf({ shared, param }: Call<unknown>) {
  return (await shared.gateway.channel(param('id'))).session;
}
