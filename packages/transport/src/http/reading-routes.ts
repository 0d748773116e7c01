import { redact } from '@robota-sdk/agent-sdk';
import type { ConversationBlock, ConversationState } from '@robota-sdk/agent-transcript';
import { z } from 'zod';
import { isReader } from '../admission/roles.ts';
import type { SessionFeed } from '../live/session-feed.ts';
import { assertId } from '../live/session-gateway.ts';
import { WireError } from '../live/wire-error.ts';
import { agentQuerySchema, sessionRowSchema, snapshotSchema } from '../protocol.ts';
import { type Call, type Route, route } from './route.ts';
import { EXPORT_FORMATS } from './server-parts.ts';

const describedSchema = z.object({
  session: sessionRowSchema,
  /** Only for a session that is open here. */
  state: snapshotSchema.optional(),
  commands: z.array(z.object({ name: z.string(), description: z.string() })).optional(),
  models: z.array(z.string()).optional(),
  permission_modes: z.array(z.string()).optional(),
});
const describeQuerySchema = z.object({
  ...agentQuerySchema.shape,
  /** `none` omits the conversation, for a client that fetches blocks separately. */
  state: z.enum(['whole', 'none']).optional(),
});
const pageQuerySchema = z.object({
  ...agentQuerySchema.shape,
  from: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** `main`, or the id of a subagent's thread. */
  thread: z.string().max(200).optional(),
});
const blockSchema = z.looseObject({ id: z.string(), type: z.string() });
const blockPageSchema = z.object({
  total: z.number().int(),
  from: z.number().int(),
  blocks: z.array(blockSchema),
});
const placeSchema = z.object({
  thread: z.string(),
  ordinal: z.number().int(),
  total: z.number().int(),
});
const exportQuerySchema = z.object({
  ...agentQuerySchema.shape,
  /** `md`, as on the command line, is `markdown`. */
  format: z.enum([...EXPORT_FORMATS, 'md']).optional(),
});
const filesQuerySchema = z.object({
  ...agentQuerySchema.shape,
  q: z.string().max(1000).optional(),
});

/** Reads a session of any agent. */
export const READING_ROUTES: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/sessions/{id}',
    role: 'read',
    summary: 'Returns a session, with its conversation if it is open here',
    query: describeQuerySchema,
    responses: { 200: { description: 'The session', schema: describedSchema } },
    handle: describeSession,
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/blocks',
    role: 'read',
    summary: 'Returns up to 500 blocks of the conversation by index',
    query: pageQuerySchema,
    responses: { 200: { description: 'The blocks', schema: blockPageSchema } },
    handle: async (call) => {
      const { from = 0, limit = 200, thread = 'main' } = call.query;
      return withFeed(call, (feed) => {
        const blocks = threadOf(feed.conversation(), thread);
        const page = { total: blocks.length, from, blocks: blocks.slice(from, from + limit) };
        return call.context.json(page as object);
      });
    },
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/blocks/{blockId}',
    role: 'read',
    summary: 'The position of a block found by a search',
    query: agentQuerySchema,
    responses: { 200: { description: 'Its thread and index', schema: placeSchema } },
    handle: async (call) =>
      withFeed(call, (feed) => {
        const found = placeOf(feed.conversation(), call.param('blockId'));
        if (found) return call.context.json(found);
        throw new WireError('block_not_found', 'The conversation has no such block any more.');
      }),
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/export',
    role: 'read',
    summary: 'The session as one file, with secrets redacted',
    query: exportQuerySchema,
    responses: { 200: { description: 'The file' } },
    handle: exportSession,
  }),
  route({
    method: 'get',
    path: '/api/sessions/{id}/files',
    role: 'prompt',
    summary: "Files of the session's directory whose path contains a text",
    query: filesQuerySchema,
    responses: {
      200: { description: 'Paths', schema: z.object({ files: z.array(z.string()) }) },
    },
    handle: findFiles,
  }),
];

async function describeSession(
  call: Call<unknown, z.infer<typeof describeQuerySchema>>,
): Promise<Response> {
  const { context, shared, query, identity } = call;
  const id = call.param('id');
  assertId(id);
  const session = await shared.directory.row(id, query.agent);
  const live = shared.directory.liveSession(session.id);
  if (!live) return context.json({ session });
  const channel = await shared.gateway.channel(live.sessionId);
  const { setModel, permissionModes } = live.getCapabilities();
  const models = setModel ? await shared.parts.listModels?.(live.agent) : undefined;
  return context.json({
    session,
    ...(query.state !== 'none' && { state: channel.feed(identity).snapshot() }),
    commands: live.listCommands().map(({ name, description }) => ({ name, description })),
    models: [...(models ?? [])],
    permission_modes: [...permissionModes],
  });
}

/** Reads a session without changing it; one of another program is followed for a while. */
async function withFeed(
  call: Call<unknown, { readonly agent?: string | undefined }>,
  work: (feed: SessionFeed) => Response | Promise<Response>,
): Promise<Response> {
  const { shared, query, identity } = call;
  const id = call.param('id');
  assertId(id);
  const agent = query.agent ?? (await shared.directory.row(id)).agent;
  const { channel, leave } = await shared.gateway.visit(id, { agent, surface: READING });
  try {
    return await work(channel.feed(identity));
  } finally {
    leave();
  }
}

/** All requests that only read share one surface. */
const READING = 'http:reading';

function threadOf(
  { blocks, subagents }: ConversationState,
  thread: string,
): readonly ConversationBlock[] {
  if (thread === 'main') return blocks;
  const found = subagents.find(({ id }) => id === thread);
  if (found) return found.blocks;
  throw new WireError('block_not_found', `The conversation has no thread ${thread}.`);
}

function placeOf({ blocks, subagents }: ConversationState, blockId: string) {
  for (const thread of [{ id: 'main', blocks }, ...subagents]) {
    const ordinal = thread.blocks.findIndex(({ id }) => id === blockId);
    if (ordinal !== -1) return { thread: thread.id, ordinal, total: thread.blocks.length };
  }
  return undefined;
}

const TYPES = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;

async function exportSession(
  call: Call<unknown, z.infer<typeof exportQuerySchema>>,
): Promise<Response> {
  const { exporter } = call.shared.parts;
  if (!exporter) throw new WireError('not_supported', 'This server cannot export sessions.');
  const { format: given = 'html', agent } = call.query;
  const format = given === 'md' ? 'markdown' : given;
  const row = await call.shared.directory.row(call.param('id'), agent);
  return withFeed(call, async (feed) => {
    const conversation = feed.conversation();
    // A reader's feed is already redacted.
    const shown = isReader(call.identity) ? conversation : redact(conversation);
    const text = await exporter(row, shown, format);
    return call.context.body(text, 200, {
      'content-type': TYPES[format],
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });
}

const MOST_FILES = 50;

async function findFiles(call: Call<unknown, z.infer<typeof filesQuerySchema>>): Promise<Response> {
  const { listFiles } = call.shared.parts;
  const { q = '', agent } = call.query;
  const { cwd } = await call.shared.directory.row(call.param('id'), agent);
  if (!listFiles || cwd === undefined) return call.context.json({ files: [] });
  const wanted = q.toLowerCase();
  const files = (await listFiles(cwd)).filter((path) => path.toLowerCase().includes(wanted));
  return call.context.json({ files: files.slice(0, MOST_FILES) });
}
