import {
  type BackgroundTask,
  InteractiveSession,
  type LiveSession,
  latestSessionId,
  resolveSessionReference,
  resolveSettings,
  type SessionExtension,
  SessionNotFoundError,
  toLiveSession,
  type WorkspaceTrust,
} from '@robota-sdk/agent-sdk';
import type { RunArguments, SessionChoice } from '../arguments/parse-arguments.ts';
import { createOutput } from '../output.ts';
import { createProvider } from '../provider/create-provider.ts';
import { passedOverModels } from '../provider/passed-over-models.ts';
import { chooseProvider, type ProviderChoice } from '../provider/provider-choice.ts';
import { sessionCommands } from './session-commands.ts';

/** An open session with its provider and model. */
export interface CommandSession {
  readonly session: LiveSession;
  /** The chosen provider and the reason; undefined for other agents. */
  readonly choice: ProviderChoice | undefined;
  readonly model: string;
  /** A note for the user about how the session starts. */
  readonly remark?: string | undefined;
}

export interface OpenOptions {
  readonly cwd?: string;
  /** Called when the directory's settings need trust. */
  readonly trust?: WorkspaceTrust | undefined;
  readonly extensions?: readonly SessionExtension[] | undefined;
  readonly onBackgroundTasks?: ((tasks: readonly BackgroundTask[]) => void) | undefined;
}

/** Maximum number of queued prompts; further ones are refused. */
const QUEUE_DEPTH = 1_000;

/** Opens the chosen session of any agent. No model is called yet. */
export async function openCommandSession(
  options: RunArguments,
  { cwd = process.cwd(), trust, extensions, onBackgroundTasks }: OpenOptions = {},
): Promise<CommandSession> {
  if (options.agent !== undefined && options.agent !== 'robota') {
    const { openAgentSession } = await import('./open-agent-session.ts');
    const session = await openAgentSession(options, cwd, QUEUE_DEPTH);
    return { session, choice: undefined, model: options.model ?? '' };
  }
  const trusted: WorkspaceTrust | undefined = options.trust ? true : trust;
  const past = await findPast(options.session, cwd);
  const { config } = await resolveSettings({ cwd, trust: trusted });
  const choice = chooseProvider({
    provider: options.provider,
    model: options.model,
    baseUrl: options.baseUrl,
    profile: config.provider,
    profiles: config.providers ?? {},
    models: config.models ?? [],
    environment: process.env,
  });
  const { provider, model } = await createProvider(choice);
  // A resumed session keeps its own model unless the command line names one.
  const keepsModel = past !== undefined && !past.remark && options.model === undefined;
  const session = new InteractiveSession({
    cwd,
    provider,
    model: keepsModel ? undefined : model,
    trust: trusted,
    persistence: options.persistence,
    queueDepth: QUEUE_DEPTH,
    sessionName: options.name,
    permissionMode: options.permissionMode,
    allowedTools: options.allowedTools,
    deniedTools: options.deniedTools,
    mcpServers: options.mcpServers,
    everyday: true,
    maxTurns: options.maxTurns,
    confine: options.sandbox,
    systemPrompt: options.systemPrompt,
    appendSystemPrompt: options.appendSystemPrompt,
    language: options.language,
    extensions: [...(extensions ?? []), ...(keepsModel ? [] : [passedOverModels(choice)])],
    onBackgroundTasks,
    commands: sessionCommands(),
    ...(options.additionalDirectories.length > 0 && {
      settings: { permissions: { additionalDirectories: options.additionalDirectories } },
    }),
    ...past?.start,
    ...(options.session.kind === 'new' && { sessionId: options.session.sessionId }),
  });
  return { session: toLiveSession(session), choice, model, remark: past?.remark };
}

/** The session to continue; `remark` names the origin if it is another agent's. */
interface Past {
  readonly start: {
    readonly resumeSessionId: string;
    readonly forkSession: boolean;
    readonly forkAt?: string | undefined;
  };
  readonly remark?: string | undefined;
}

async function findPast(choice: SessionChoice, cwd: string): Promise<Past | undefined> {
  if (choice.kind === 'new' || choice.kind === 'pick') return undefined;
  if (choice.kind === 'reference') return findReferenced(choice, cwd);
  const latest = latestSessionId(cwd);
  if (latest === null) {
    const message = `There is no session to continue in ${cwd}. Start one with robota -p "…".`;
    throw Object.assign(new Error(message), { code: 'session_not_found' });
  }
  return { start: { resumeSessionId: latest, forkSession: choice.fork } };
}

/** Our own sessions are found without the catalogue; it is used only for other references. */
async function findReferenced(
  { reference, fork, at: forkAt }: Extract<SessionChoice, { kind: 'reference' }>,
  cwd: string,
): Promise<Past> {
  try {
    const resumeSessionId = resolveSessionReference(reference, { cwd });
    return { start: { resumeSessionId, forkSession: fork, forkAt } };
  } catch (error) {
    if (!(error instanceof SessionNotFoundError)) throw error;
  }
  const { findSession, isOwn } = await import('./find-session.ts');
  const session = await findSession(reference, createOutput());
  if (isOwn(session)) return { start: { resumeSessionId: session.id, forkSession: fork, forkAt } };
  const { forkForeign } = await import('./hand-over/fork-foreign.ts');
  return forkForeign(session, cwd);
}
