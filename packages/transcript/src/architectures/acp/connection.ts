import {
  asArray,
  asNumber,
  asRecord,
  asString,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import { JsonRpcConnection, JsonRpcError } from '../../process/json-rpc.ts';
import type { AgentSetting } from '../agent-program.ts';
import { type ProgramFacts, ProgramFailedError, toStartError } from '../program-errors.ts';
import { startProgram } from '../start-program.ts';
import type { AcpAgent } from './known-agents.ts';

/** A running agent and the capabilities it announced. */
export interface AcpConnection {
  readonly rpc: JsonRpcConnection;
  readonly capabilities: JsonRecord;
  /** Available sign-in methods. */
  readonly authMethods: readonly JsonRecord[];
}

/** Starts the agent and negotiates the protocol version; ends the agent if that fails. */
export async function connectAcpAgent(
  agent: AcpAgent,
  setting: AgentSetting,
): Promise<AcpConnection> {
  const facts = factsOf(agent);
  const [command, ...args] = agent.command;
  // A configured command line replaces ours completely.
  const program = setting.program ?? { command, args };
  const started = await startProgram(facts, { ...setting, program }, { args: [], environment: {} });
  const rpc = new JsonRpcConnection(started);
  try {
    const response = await rpc.request('initialize', INITIALIZE);
    if (asNumber(response.protocolVersion) !== PROTOCOL) throw wrongVersion(agent, response);
    return {
      rpc,
      capabilities: asRecord(response.agentCapabilities),
      authMethods: asArray(response.authMethods).filter(isRecord),
    };
  } catch (error) {
    await rpc.end();
    throw toStartError(facts, error);
  }
}

/** Opens a session; if the agent requires a sign-in, signs in with the API key from its environment. */
export async function openWithSignIn(
  { rpc, authMethods }: AcpConnection,
  agent: AcpAgent,
  open: () => Promise<JsonRecord>,
): Promise<JsonRecord> {
  try {
    return await open();
  } catch (error) {
    if (!isSignInNeeded(error)) throw error;
    const ids = authMethods.map(({ id }) => asString(id) ?? '');
    const methodId = ids.find((id) => /api[-_]?key|^openai$/i.test(id));
    if (methodId === undefined) throw signInFirst(agent, authMethods);
    await rpc.request('authenticate', { methodId });
    return open();
  }
}

function isSignInNeeded(error: unknown): boolean {
  return error instanceof JsonRpcError && error.errorCode === SIGN_IN_NEEDED;
}

function signInFirst({ title, command }: AcpAgent, methods: readonly JsonRecord[]): Error {
  const ways = methods.map(({ name, id }) => asString(name) ?? String(id)).join(', ');
  const how = ways === '' ? '' : ` (${ways})`;
  return new ProgramFailedError(
    `${title} wants you to sign in first${how}: start "${command[0]}" in a terminal and do it there.`,
  );
}

function wrongVersion({ title }: AcpAgent, response: JsonRecord): Error {
  return new ProgramFailedError(
    `${title} speaks version ${String(response.protocolVersion)} of the Agent Client Protocol; ` +
      `version ${PROTOCOL} is needed.`,
  );
}

/** Program facts for error messages. */
function factsOf({ title, command, npmPackage, tested }: AcpAgent): ProgramFacts {
  return {
    title,
    command: command[0],
    npmPackage: npmPackage ?? command[0],
    oldest: '0.0.0',
    tested: tested ?? 'the newest',
  };
}

const PROTOCOL = 1;
const INITIALIZE = {
  protocolVersion: PROTOCOL,
  // The agent accesses files and terminals itself, under its own permission rules.
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'robota', title: 'Robota', version: '0.2.0' },
};
const SIGN_IN_NEEDED = -32000;
