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
import { notReady, type ProgramFacts, ProgramFailedError } from '../program-errors.ts';
import { startProgram } from '../start-program.ts';
import type { AcpAgent } from './known-agents.ts';

/** A started agent, and what it said of itself. */
export interface AcpConnection {
  readonly rpc: JsonRpcConnection;
  readonly capabilities: JsonRecord;
  /** How one can sign in, by id. */
  readonly authMethods: readonly JsonRecord[];
}

/** Starts the agent and agrees on the protocol. What is left of one that does not is ended. */
export async function connectAcpAgent(
  agent: AcpAgent,
  setting: AgentSetting,
): Promise<AcpConnection> {
  const facts = factsOf(agent);
  const [command, ...args] = agent.command;
  // A command line that is given replaces ours as a whole.
  const program = setting.program ?? { command, args };
  const started = await startProgram(facts, { ...setting, program }, { args: [], environment: {} });
  const rpc = new JsonRpcConnection(started);
  try {
    const said = await rpc.request('initialize', INITIALIZE);
    if (asNumber(said.protocolVersion) !== PROTOCOL) throw wrongVersion(agent, said);
    return {
      rpc,
      capabilities: asRecord(said.agentCapabilities),
      authMethods: asArray(said.authMethods).filter(isRecord),
    };
  } catch (error) {
    await rpc.end();
    throw notReady(facts, error);
  }
}

/** Opens a session; an agent that wants a sign-in first is given the key it finds in its environment. */
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

function wrongVersion({ title }: AcpAgent, said: JsonRecord): Error {
  return new ProgramFailedError(
    `${title} speaks version ${String(said.protocolVersion)} of the Agent Client Protocol; ` +
      `version ${PROTOCOL} is needed.`,
  );
}

/** What is known of an agent for errors about its program. */
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
  // The agent acts on this machine itself, where its own rules hold.
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'robota', title: 'Robota', version: '0.2.0' },
};
const SIGN_IN_NEEDED = -32000;
