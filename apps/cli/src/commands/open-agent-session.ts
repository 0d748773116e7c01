import { AgentLiveSession, findAcpProgram, openAgentPlace } from '@robota-sdk/agent-sdk';
import { toAgentName, toAgentType } from '@robota-sdk/agent-transcript';
import type { RunArguments, SessionChoice } from '../arguments/parse-arguments.ts';
import { agentTitle } from '../arguments/read-agent.ts';
import { UsageError } from '../usage-error.ts';
import { findDriven, latestDriven } from './find-driven-session.ts';

/** A session of another agent's program, started here and driven through its own protocol. */
export async function openAgentSession(
  options: RunArguments,
  cwd: string,
  queueDepth: number,
): Promise<AgentLiveSession> {
  const { agent = '', trust } = options;
  const program = await findAcpProgram(agent, { cwd, trust: trust ? true : undefined });
  const type = await drivableType(agent);
  refuseForeignFlags(options, agentTitle(type));
  const place = await openAgentPlace({ cwd, program });
  const { systemPrompt } = options;
  const { session, name, model, permissionMode } = options;
  const { sessionId, begin } = await beginningOf(session, { type, cwd, place });
  return new AgentLiveSession({
    type,
    place: { ...place, setting: { ...place.setting, systemPrompt } },
    sessionId,
    begin,
    name,
    model,
    permissionMode,
    queueDepth,
  });
}

/** Only agents registered as drivable are accepted. */
async function drivableType(agent: string): Promise<string> {
  const { registeredAgent, registeredAgents } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  const able = registeredAgents().flatMap(({ name, createAdapter }) => (createAdapter ? name : []));
  const type = toAgentType(agent);
  if (type === undefined) {
    throw new UsageError(`Unknown agent "${agent}". Valid: ${able.join(' | ')}`);
  }
  if (registeredAgent(type).createAdapter) return type;
  throw new UsageError(
    `Sessions of ${agentTitle(type)} can be followed, not driven. Valid: ${able.join(' | ')}`,
  );
}

/** Flags that only our own engine supports are refused rather than ignored. */
function refuseForeignFlags(options: RunArguments, title: string): void {
  const given: readonly (readonly [boolean, string])[] = [
    [options.provider !== undefined, '--provider'],
    [options.baseUrl !== undefined, '--base-url'],
    [options.allowedTools.length > 0, '--allowed-tools'],
    [options.deniedTools.length > 0, '--denied-tools'],
    [options.additionalDirectories.length > 0, '--add-dir'],
    [options.maxTurns !== undefined, '--max-turns'],
    [options.appendSystemPrompt !== undefined, '--append-system-prompt'],
    [options.language !== undefined, '--language'],
    [options.sandbox !== undefined, '--sandbox'],
    [!options.persistence, '--no-session-persistence'],
  ];
  const flag = given.find(([isGiven]) => isGiven)?.[1];
  if (flag === undefined) return;
  throw new UsageError(`${flag} is for robota's own engine; ${title} has its own settings.`);
}

interface AgentRequest {
  readonly type: string;
  readonly cwd: string;
  readonly place: Awaited<ReturnType<typeof openAgentPlace>>;
}

type Beginning = Pick<ConstructorParameters<typeof AgentLiveSession>[0], 'sessionId' | 'begin'>;

/** Sessions driven from here are found by our id and by the program's own id. */
async function beginningOf(choice: SessionChoice, request: AgentRequest): Promise<Beginning> {
  if (choice.kind === 'pick') return { begin: 'new' };
  if (choice.kind === 'new') return { sessionId: choice.sessionId, begin: 'new' };
  const { type, place, cwd } = request;
  const kept = (await place.persistence.listAllSessions()).filter(
    (session) => session.type === type,
  );
  const driven = { sessions: kept, type, cwd };
  const found =
    choice.kind === 'latest' ? latestDriven(driven) : findDriven(choice.reference, driven);
  if (found) {
    return choice.fork
      ? { begin: { forkOf: found.sessionId } }
      : { sessionId: found.sessionId, begin: 'open' };
  }
  throw notDriven(choice, request);
}

function notDriven(choice: SessionChoice, { type, cwd }: AgentRequest): Error {
  const title = agentTitle(type);
  const message =
    choice.kind === 'reference'
      ? `No session "${choice.reference}" of ${title} was started with robota --agent ${toAgentName(type)}; "robota resume ${choice.reference}" resumes one in its own program, "robota sessions --all" lists all.`
      : `There is no ${title} session to continue in ${cwd} that was started with robota --agent.`;
  return Object.assign(new Error(message), { code: 'session_not_found' });
}
