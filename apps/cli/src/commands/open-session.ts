import {
  InteractiveSession,
  latestSessionId,
  resolveSessionReference,
  resolveSettings,
  type SessionExtension,
  SessionNotFoundError,
  type WorkspaceTrust,
} from '@robota-sdk/agent-sdk';
import type { RunArguments, SessionChoice } from '../arguments/parse-arguments.ts';
import { createOutput } from '../output.ts';
import { createProvider } from '../provider/create-provider.ts';
import { chooseProvider, type ProviderChoice } from '../provider/provider-choice.ts';

/** A session as the command line asks for it, and who answers in it. */
export interface OpenedSession {
  readonly session: InteractiveSession;
  readonly choice: ProviderChoice;
  readonly model: string;
}

export interface OpenOptions {
  readonly cwd?: string;
  /** Asked when the directory's settings want something that needs trust. */
  readonly trust?: WorkspaceTrust | undefined;
  readonly extensions?: readonly SessionExtension[] | undefined;
}

/** Reads the settings, chooses the provider and opens the session. Nothing has been sent yet. */
export async function openSession(
  options: RunArguments,
  { cwd = process.cwd(), trust, extensions }: OpenOptions = {},
): Promise<OpenedSession> {
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
  const session = new InteractiveSession({
    cwd,
    provider,
    // A resumed session keeps its own model unless the command line names one.
    model: past && options.model === undefined ? undefined : model,
    trust: trusted,
    persistence: options.persistence,
    sessionName: options.name,
    permissionMode: options.permissionMode,
    allowedTools: options.allowedTools,
    deniedTools: options.deniedTools,
    maxTurns: options.maxTurns,
    confine: options.sandbox,
    systemPrompt: options.systemPrompt,
    appendSystemPrompt: options.appendSystemPrompt,
    language: options.language,
    extensions,
    ...(options.additionalDirectories.length > 0 && {
      settings: { permissions: { additionalDirectories: options.additionalDirectories } },
    }),
    ...past,
    ...(options.session.kind === 'new' && { sessionId: options.session.sessionId }),
  });
  return { session, choice, model };
}

async function findPast(
  choice: SessionChoice,
  cwd: string,
): Promise<{ resumeSessionId: string; forkSession: boolean } | undefined> {
  if (choice.kind === 'new' || choice.kind === 'pick') return undefined;
  if (choice.kind === 'reference') {
    return {
      resumeSessionId: await ownSessionId(choice.reference, cwd),
      forkSession: choice.fork,
    };
  }
  const latest = latestSessionId(cwd);
  if (latest === null) {
    throw Object.assign(
      new Error(`There is no session to continue in ${cwd}. Start one with robota -p "…".`),
      {
        code: 'session_not_found',
      },
    );
  }
  return { resumeSessionId: latest, forkSession: choice.fork };
}

/** Our own are found without the catalogue, which is asked for what they are not. */
async function ownSessionId(reference: string, cwd: string): Promise<string> {
  try {
    return resolveSessionReference(reference, { cwd });
  } catch (error) {
    if (!(error instanceof SessionNotFoundError)) throw error;
  }
  const { findSession, isOwn } = await import('./find-session.ts');
  const session = await findSession(reference, createOutput());
  if (isOwn(session)) return session.id;
  throw new Error(
    `${session.id} is a session of ${session.agent}; robota resume ${session.id} goes on with it there.`,
  );
}
