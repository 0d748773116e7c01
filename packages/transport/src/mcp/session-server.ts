import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { LiveSession, SubmitOutcome } from '@robota-sdk/agent-sdk';
import { z } from 'zod';
import { assertRole, EVERYBODY, type Identity, roleOfCommand } from '../admission/roles.ts';
import { promptContent } from '../live/prompt-content.ts';
import { runSessionCommand } from '../live/run-session-command.ts';
import type { SessionGateway } from '../live/session-gateway.ts';
import { toWireError } from '../live/wire-error.ts';
import { attachmentSchema, sessionIdSchema } from '../protocol.ts';
import { askClientPermission } from './ask-client-permission.ts';
import { askSession } from './ask-session.ts';

export interface SessionServerParts {
  readonly gateway: SessionGateway;
  /** Default session of the tools. */
  readonly session: LiveSession;
  /** Resumes the default session if it was closed. */
  readonly reopen?: (() => Promise<LiveSession>) | undefined;
  /** The caller; everyone by default. */
  readonly identity?: Identity | undefined;
  readonly serverName: string;
}

type SessionChoice = { readonly session_id?: string | undefined };

/** An MCP server whose tools submit prompts and run commands. */
export function createSessionServer(parts: SessionServerParts): McpServer {
  const server = new McpServer({ name: parts.serverName, version: '0.2.0' });
  const which = { session_id: sessionIdSchema.optional() };
  const { identity = EVERYBODY } = parts;
  const find = async ({ session_id }: SessionChoice): Promise<LiveSession> => {
    if (session_id !== undefined) return parts.gateway.open(session_id);
    return parts.reopen ? parts.reopen() : parts.session;
  };
  server.registerTool(
    'submit',
    {
      description: 'Asks the agent and returns its answer.',
      inputSchema: z.object({
        prompt: z.string({ error: 'prompt is required' }).trim().min(1, 'prompt is required'),
        attachments: z.array(attachmentSchema).max(50).optional(),
        ...which,
      }),
    },
    (given, context) =>
      answered(async () => {
        const waitsForOthers = parts.reopen !== undefined;
        const place = { server, context, identity, waitsForOthers };
        return submit(await find(given), given, place);
      }),
  );
  for (const { name, description } of parts.session.listCommands()) {
    server.registerTool(
      `command_${name}`,
      { description, inputSchema: z.object({ args: z.string().optional(), ...which }) },
      (given) =>
        answered(async () => {
          assertRole(identity, roleOfCommand(name, given.args));
          const { message, success } = await runSessionCommand(await find(given), name, given.args);
          return textResult(message, !success);
        }),
    );
  }
  if (parts.gateway.host) addSessionList(server, parts.gateway);
  return server;
}

function addSessionList(server: McpServer, gateway: SessionGateway): void {
  server.registerTool(
    'list_sessions',
    {
      description: 'Lists the sessions that the other tools can use.',
      inputSchema: z.object({}),
    },
    () => answered(async () => textResult(JSON.stringify(await gateway.list()), false)),
  );
}

interface SubmitPlace {
  readonly server: McpServer;
  readonly context: ServerContext;
  readonly identity: Identity;
  readonly waitsForOthers: boolean;
}

interface GivenPrompt {
  readonly prompt: string;
  readonly attachments?: readonly z.infer<typeof attachmentSchema>[] | undefined;
}

async function submit(
  session: LiveSession,
  { prompt, attachments = [] }: GivenPrompt,
  { server, context, identity, waitsForOthers }: SubmitPlace,
): Promise<CallToolResult> {
  const isAskable = server.server.getClientCapabilities()?.elicitation !== undefined;
  const canAsk = isAskable && identity.roles.has('approve');
  const { text, parts } = promptContent([{ type: 'text', text: prompt }, ...attachments]);
  const outcome = await askSession(session, text, {
    user: identity.user,
    parts,
    signal: context.mcpReq.signal,
    onProgress: progressTo(context),
    waitsForOthers,
    ...(canAsk && {
      onQuestion: (question) => void askClientPermission(session, question, context),
    }),
  });
  return toToolResult(outcome);
}

/** Sends progress if the client asked for it. */
function progressTo({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A disconnected client needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function toToolResult(outcome: SubmitOutcome): CallToolResult {
  switch (outcome.status) {
    case 'completed':
      return textResult(outcome.result.response, false);
    case 'interrupted':
      return textResult(`Interrupted. ${outcome.result.response}`.trim(), true);
    case 'failed':
      return textResult(`Error: ${toWireError(outcome.error).message}`, true);
    case 'superseded':
      return textResult('Error: Another prompt took its place.', true);
    case 'refused':
      return textResult(`Error: ${outcome.reason}`, true);
  }
}

/** Failures are tool results with `isError`, never protocol errors. */
async function answered(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return textResult(`Error: ${toWireError(error).message}`, true);
  }
}

function textResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}
