import { existsSync } from 'node:fs';
import {
  describeHandOver,
  type HandOverOptions,
  type HandOverResult,
  HandOverTargetError,
  handOver,
  listHandOvers,
  removeHandOver,
} from '@robota-sdk/agent-sdk';
import { z } from 'zod';
import { assertRole } from '../admission/roles.ts';
import { assertId } from '../live/session-gateway.ts';
import { WireError } from '../live/wire-error.ts';
import { agentQuerySchema } from '../protocol.ts';
import { type Call, type Route, route } from './route.ts';

const requestSchema = z.strictObject({
  /** `claude`, `codex`, `gemini` or `robota`. */
  to: z.string().min(1).max(64),
  /** An existing directory on the server; the session's own by default. */
  cwd: z.string().min(1).max(4096).optional(),
  /** Reports what would be carried over without writing anything. */
  dry_run: z.boolean().optional(),
  /** Carries the whole history, including what a compaction replaced. */
  full: z.boolean().optional(),
  /** Allows the target to compact a session that is too long for it before its first turn. */
  leave_to_target: z.boolean().optional(),
});
const reportSchema = z.object({
  status: z.enum(['planned', 'too_long', 'written', 'ready']),
  from: z.object({ agent: z.string(), id: z.string() }),
  to: z.string(),
  cwd: z.string(),
  /** Id of the new session; absent for a dry run or a refusal. */
  session_id: z.string().optional(),
  /** For another program: its transcript file, and the command to run in `cwd`. */
  file: z.string().optional(),
  resume: z.array(z.string()).optional(),
  message: z.string().optional(),
  estimated_tokens: z.number().int(),
  losses: z.array(z.looseObject({ what: z.string(), count: z.number().int() })),
  /** The report as text. */
  lines: z.array(z.string()),
});
const writtenSchema = z.object({
  hand_overs: z.array(
    z.object({
      id: z.string(),
      agent: z.string(),
      from: z.object({ agent: z.string(), id: z.string() }),
      at: z.string(),
    }),
  ),
});
const removedSchema = z.object({ status: z.enum(['removed', 'continued', 'missing']) });

/** Continues a session in another agent. */
export const HAND_OVER_ROUTES: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/sessions/{id}/hand-over',
    role: 'prompt',
    summary: 'Hands the session over to another agent under a new id; the original is unchanged',
    body: requestSchema,
    query: agentQuerySchema,
    responses: {
      200: {
        description: 'What would be carried over, or why it was refused',
        schema: reportSchema,
      },
      201: { description: 'The new session', schema: reportSchema },
    },
    handle: handOverSession,
  }),
  route({
    method: 'get',
    path: '/api/hand-overs',
    role: 'read',
    summary: 'Lists sessions written for other agents, newest first',
    responses: { 200: { description: 'Written sessions', schema: writtenSchema } },
    handle: async ({ context }) => {
      const written = await listHandOvers();
      const handOvers = written.map(({ target, source, at }) => ({
        id: target.id,
        agent: target.agent,
        from: { agent: source.agent, id: source.id },
        at,
      }));
      return context.json({ hand_overs: handOvers });
    },
  }),
  route({
    method: 'delete',
    path: '/api/hand-overs/{id}',
    role: 'prompt',
    summary: 'Removes a written session, unless its program has continued it',
    responses: { 200: { description: 'Whether it was removed', schema: removedSchema } },
    handle: async ({ context, param }) => {
      const { status } = await removeHandOver(param('id'));
      if (status !== 'unknown') return context.json({ status });
      throw new WireError('session_not_found', `Nothing was handed over as ${param('id')}.`);
    },
  }),
];

async function handOverSession(
  call: Call<z.infer<typeof requestSchema>, z.infer<typeof agentQuerySchema>>,
): Promise<Response> {
  const { shared, context, body } = call;
  assertId(call.param('id'));
  // Another directory gives access to other files.
  if (body.cwd !== undefined) assertRole(call.identity, 'admin');
  const row = await shared.directory.row(call.param('id'), call.query.agent);
  const cwd = body.cwd ?? row.cwd;
  if (cwd !== undefined && !body.dry_run && !existsSync(cwd)) {
    const message = `The directory ${cwd} no longer exists; pass "cwd" to continue elsewhere.`;
    throw new WireError('invalid_cwd', message);
  }
  const isOurs = row.agent === 'robota';
  const id = isOurs ? row.id : (row.native_id ?? row.id);
  const catalogued = isOurs ? undefined : await shared.directory.catalogued(id, row.agent);
  const result = await attempt({
    from: { agent: row.agent, id, path: catalogued?.path },
    to: body.to,
    cwd,
    dryRun: body.dry_run,
    full: body.full,
    whenTooLong: body.leave_to_target ? 'leave_to_target' : undefined,
    place: shared.parts.handOverPlace,
  });
  const report = reportOf(result);
  if (result.status === 'written') return context.json({ ...report, session_id: result.id }, 201);
  if (result.status !== 'ready') return context.json(report);
  const { sessionId } = await shared.gateway.createFrom(result.start, {
    cwd: result.cwd,
    user: call.identity.user,
    name: row.name,
  });
  return context.json({ ...report, session_id: sessionId }, 201);
}

function attempt(options: HandOverOptions): Promise<HandOverResult> {
  return handOver(options).catch((error: unknown) => {
    if (!(error instanceof HandOverTargetError)) throw error;
    throw new WireError('unknown_target', error.message, { cause: error });
  });
}

function reportOf(result: HandOverResult) {
  const { status, from, to, cwd, report } = result;
  return {
    status,
    from: { agent: from.agent, id: from.id },
    to,
    cwd,
    ...(result.status === 'written' && { file: result.file, resume: [...result.resume] }),
    ...(result.status === 'too_long' && { message: result.message }),
    estimated_tokens: report.estimatedTokens,
    losses: report.losses.map((loss) => ({ ...loss })),
    lines: describeHandOver(report),
  };
}
