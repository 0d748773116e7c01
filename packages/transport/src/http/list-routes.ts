import type { UsageGrouping } from '@robota-sdk/agent-archive';
import { z } from 'zod';
import type { Identity } from '../admission/roles.ts';
import {
  listQuerySchema,
  type SearchAnswer,
  searchAnswerSchema,
  searchQuerySchema,
  sessionListSchema,
  sessionRowSchema,
  type UsageAnswer,
  usageAnswerSchema,
  usageQuerySchema,
} from '../protocol.ts';
import { markHits } from './mark-hits.ts';
import { type Call, type Route, type RouteContext, route } from './route.ts';

const aboutSchema = z.object({
  node: z.string(),
  version: z.string(),
  user: z.string().optional(),
  roles: z.array(z.string()),
  /** Changes when the server restarts. */
  epoch: z.string(),
});

/** Session lists, search and usage. */
export const LIST_ROUTES: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/me',
    role: 'read',
    summary: 'Describes the server and the caller',
    responses: { 200: { description: 'Server and caller', schema: aboutSchema } },
    handle: ({ context, shared, identity }) => {
      const { node, version } = shared.parts.about ?? { node: 'robota', version: '' };
      const roles = [...identity.roles];
      return context.json({ node, version, user: identity.user, roles, epoch: shared.epoch });
    },
  }),
  route({
    method: 'get',
    path: '/api/sessions',
    role: 'read',
    summary: 'Lists sessions of every agent, newest first, including those open here',
    query: listQuerySchema,
    responses: { 200: { description: 'A page of sessions', schema: sessionListSchema } },
    handle: async ({ context, shared, query }) => context.json(await shared.directory.list(query)),
  }),
  route({
    method: 'get',
    path: '/api/sessions/events',
    role: 'read',
    summary: 'Streams rows of the list as they change',
    responses: { 200: { description: 'Rows', schema: sessionRowSchema, events: true } },
    handle: ({ shared, identity }) => rowStream(shared, identity),
  }),
  route({
    method: 'get',
    path: '/api/search',
    role: 'read',
    summary: 'Searches the text of sessions of every agent',
    query: searchQuerySchema,
    responses: { 200: { description: 'Hits, newest sessions first', schema: searchAnswerSchema } },
    handle: search,
  }),
  route({
    method: 'get',
    path: '/api/usage',
    role: 'read',
    summary: 'Sums up model usage and cost, counting each request once',
    query: usageQuerySchema,
    responses: { 200: { description: 'Totals', schema: usageAnswerSchema } },
    handle: usage,
  }),
];

async function search(call: Call<unknown, z.infer<typeof searchQuerySchema>>): Promise<Response> {
  const { q, since, limit, hits: hitsPerSession, session: id, ...filter } = call.query;
  const begun = performance.now();
  const from = since === undefined ? undefined : Date.parse(since);
  const { catalogue } = call.shared.directory;
  const query = { ...filter, id, text: q, since: from, limit, hitsPerSession };
  const found = await catalogue.search(query);
  const answer: SearchAnswer = {
    hits: found.sessions.flatMap(({ session, hits }) =>
      hits.map(({ thread, blockId, snippet }) => ({
        agent: session.agent,
        session_id: session.id,
        title: session.title,
        updated_at: new Date(session.updatedAt).toISOString(),
        thread,
        block_id: blockId,
        snippet: markHits(snippet, q),
      })),
    ),
    has_more: found.hasMore,
    took_ms: Math.round((performance.now() - begun) * 10) / 10,
    ...(found.problem !== undefined && { problem: found.problem }),
  };
  return call.context.json(answer);
}

const BY_TIME: readonly UsageGrouping[] = ['day', 'week', 'month'];

async function usage(call: Call<unknown, z.infer<typeof usageQuerySchema>>): Promise<Response> {
  const { group = 'day', since, until, agent, project, time_zone: timeZone } = call.query;
  const { catalogue } = call.shared.directory;
  const scope = {
    project,
    timeZone,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  };
  const isByTime = BY_TIME.includes(group);
  const agents =
    isByTime && agent === undefined
      ? (await catalogue.usage({ ...scope, by: 'agent' })).rows.map(({ key }) => key)
      : [agent];
  const rows: UsageAnswer['rows'] = [];
  for (const one of agents) {
    const report = await catalogue.usage({ ...scope, by: group, agent: one });
    for (const row of report.rows) {
      const isPriced = row.unpricedRequests < row.requests;
      rows.push({
        key: row.key,
        label: row.label,
        ...(isByTime && one !== undefined && { agent: one }),
        requests: row.requests,
        input_tokens: row.inputTokens,
        output_tokens: row.outputTokens,
        cache_read_tokens: row.cacheReadTokens,
        cache_write_tokens: row.cacheWriteTokens,
        ...(isPriced && { cost_usd: row.costUsd }),
        unpriced_requests: row.unpricedRequests,
      });
    }
  }
  return call.context.json({ rows });
}

/** A client that does not read is disconnected; it lists again when it reconnects. */
const MOST_WAITING = 1_000;

function rowStream(shared: RouteContext, identity: Identity): Response {
  const { directory, heartbeatMs, stopping, admission } = shared;
  let end = () => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => {
          if ((controller.desiredSize ?? 0) < -MOST_WAITING) end();
          else controller.enqueue(Buffer.from(text));
        };
        const unwatch = directory.watch((row) => write(`data: ${JSON.stringify(row)}\n\n`));
        const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs).unref();
        const unlisten = admission.watch(identity, () => end());
        end = () => {
          end = () => {};
          unlisten();
          unwatch();
          clearInterval(heartbeat);
          stopping.removeEventListener('abort', finish);
          controller.close();
        };
        const finish = () => end();
        stopping.addEventListener('abort', finish, { once: true });
        write(': here\n\n');
      },
      cancel() {
        const stop = end;
        end = () => {};
        // The stream is already closed; only the subscription is left to end.
        try {
          stop();
        } catch {
          // A cancelled stream cannot be closed again.
        }
      },
    },
    new CountQueuingStrategy({ highWaterMark: 1 }),
  );
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  };
  return new Response(stream, { headers });
}
