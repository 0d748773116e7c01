import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { LiveSession, SubmitOutcome } from '@robota-sdk/agent-sdk';
import { z } from 'zod';
import { runCommand } from '../live/run-command.ts';
import type { SessionDoor } from '../live/session-door.ts';
import { toWireError } from '../live/wire-error.ts';
import { sessionIdSchema } from '../protocol.ts';
import { askPermission } from './ask-permission.ts';
import { askSession } from './ask-session.ts';

export interface SessionServerParts {
  readonly door: SessionDoor;
  /** The session that tools use unless they name another. */
  readonly session: LiveSession;
  readonly serverName: string;
}

type SessionChoice = { readonly session_id?: string | undefined };

/** An MCP server whose tools are what a person could do to the session: ask it, and run its commands. */
export function createSessionServer(parts: SessionServerParts): McpServer {
  const server = new McpServer({ name: parts.serverName, version: '0.1.0' });
  const which = { session_id: sessionIdSchema.optional() };
  const find = async ({ session_id }: SessionChoice): Promise<LiveSession> =>
    session_id === undefined ? parts.session : parts.door.open(session_id);
  server.registerTool(
    'submit',
    {
      description: 'Asks the agent and returns its answer.',
      inputSchema: z.object({
        prompt: z.string({ error: 'prompt is required' }).trim().min(1, 'prompt is required'),
        ...which,
      }),
    },
    (given, context) =>
      answered(async () => submit(server, await find(given), { prompt: given.prompt, context })),
  );
  for (const { name, description } of parts.session.listCommands()) {
    server.registerTool(
      `command_${name}`,
      { description, inputSchema: z.object({ args: z.string().optional(), ...which }) },
      (given) =>
        answered(async () => {
          const { message, success } = await runCommand(await find(given), name, given.args);
          return said(message, !success);
        }),
    );
  }
  if (parts.door.host) addSessionList(server, parts.door);
  return server;
}

function addSessionList(server: McpServer, door: SessionDoor): void {
  server.registerTool(
    'list_sessions',
    {
      description: 'Lists the sessions that other tools can be told to use.',
      inputSchema: z.object({}),
    },
    () => answered(async () => said(JSON.stringify(await door.list()), false)),
  );
}

async function submit(
  server: McpServer,
  session: LiveSession,
  { prompt, context }: { prompt: string; context: ServerContext },
): Promise<CallToolResult> {
  const canAsk = server.server.getClientCapabilities()?.elicitation !== undefined;
  const outcome = await askSession(session, prompt, {
    signal: context.mcpReq.signal,
    onProgress: progressTo(context),
    ...(canAsk && {
      onQuestion: (question) => void askPermission(session, question, context),
    }),
  });
  return toToolResult(outcome);
}

/** Tells the client how far it is, if it asked to be told. */
function progressTo({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that has gone needs no progress; the answer will fail to reach it too.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function toToolResult(outcome: SubmitOutcome): CallToolResult {
  switch (outcome.status) {
    case 'completed':
      return said(outcome.result.response, false);
    case 'interrupted':
      return said(`Interrupted. ${outcome.result.response}`.trim(), true);
    case 'failed':
      return said(`Error: ${toWireError(outcome.error).message}`, true);
    case 'superseded':
      return said('Error: Another prompt took its place.', true);
    case 'refused':
      return said(`Error: ${outcome.reason}`, true);
  }
}

/** A failure is a result that says so, never a protocol error. */
async function answered(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return said(`Error: ${toWireError(error).message}`, true);
  }
}

function said(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}
