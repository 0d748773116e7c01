import type { Tool, ToolSandbox } from '@robota-sdk/agent-core';
import type { SessionLogger, SessionRecordStore } from '@robota-sdk/agent-session';
import { type Contributions, collectContributions } from '../assembly/contributions.ts';
import {
  createSession,
  gatherHooks,
  type SessionListeners,
  systemPromptOf,
} from '../assembly/create-session.ts';
import { createExtensions } from '../assembly/extensions.ts';
import { gatherPermissions } from '../assembly/permission-lists.ts';
import type { SessionDoors, StandingSession } from '../assembly/session-extension.ts';
import { readSurroundings, type Surroundings } from '../assembly/surroundings.ts';
import type { SavedSession } from '../records/load-saved-session.ts';
import type { AssembledSessionOptions } from './options.ts';
import type { SessionPort } from './session-port.ts';

export interface SessionSourceParts {
  readonly options: AssembledSessionOptions;
  readonly sessionId: string;
  readonly logger: SessionLogger | undefined;
  readonly store: SessionRecordStore | undefined;
  readonly listeners: SessionListeners;
  /** The conversation to go on with; it is awaited once. */
  readonly saved: () => Promise<SavedSession | undefined>;
  readonly doors: SessionDoors;
  /** Where logs are kept; undefined where nothing may be written. */
  readonly logDirectory: string | undefined;
}

/** A session that stands, with what it was made of. */
export interface AssembledSession {
  readonly session: SessionPort;
  readonly surroundings: Surroundings;
  readonly contributions: Contributions;
  /** The system prompt as it would be in another language. */
  promptIn(language: string): string;
}

/** Reads the surroundings, asks the extensions, builds the session and gives it its past back. */
export async function assembleSession(parts: SessionSourceParts): Promise<AssembledSession> {
  const { options, sessionId } = parts;
  const [surroundings, saved] = await Promise.all([readSurroundings(options), parts.saved()]);
  await restoreSandbox(options.sandbox, saved, options);
  const own = options.tools ?? (await defaultTools(options, surroundings));
  const { config } = surroundings;
  const stage = new Stage();
  const contributions = await contributionsOf(parts, { surroundings, own, stage });
  const tools = [...own, ...contributions.tools];
  const prompt = { options, surroundings, contributions, tools };
  const fresh = systemPromptOf({ ...prompt, language: options.language ?? config.language });
  const session = createSession({
    ...prompt,
    sessionId,
    model: modelOf(options, surroundings, saved),
    systemMessage: keptPrompt(options, saved) ?? fresh,
    source: saved ? 'resume' : 'startup',
    logger: parts.logger,
    store: parts.store,
    listeners: parts.listeners,
  });
  stage.set(standingSession(session, prompt));
  if (saved) restoreConversation(session, saved);
  return {
    session,
    surroundings,
    contributions,
    promptIn: (language) => systemPromptOf({ ...prompt, language }),
  };
}

/** Holds the session for extensions that were asked before it stood. */
class Stage {
  #standing: StandingSession | undefined;

  set(standing: StandingSession): void {
    this.#standing = standing;
  }

  get(): StandingSession {
    if (this.#standing) return this.#standing;
    throw new Error(
      'The session is still being put together; extensions may use it from the first prompt on.',
    );
  }
}

function contributionsOf(
  { options, sessionId, doors, logDirectory }: SessionSourceParts,
  found: { surroundings: Surroundings; own: readonly Tool[]; stage: Stage },
): Promise<Contributions> {
  const { config, context, trusted } = found.surroundings;
  return collectContributions([...createExtensions(), ...(options.extensions ?? [])], {
    ...doors,
    sessionId,
    cwd: options.cwd,
    provider: options.provider,
    options,
    config,
    context,
    trusted,
    tools: found.own,
    logDirectory,
    standing: () => found.stage.get(),
  });
}

function standingSession(
  session: SessionPort,
  made: {
    options: AssembledSessionOptions;
    surroundings: Surroundings;
    contributions: Contributions;
    tools: readonly Tool[];
  },
): StandingSession {
  const { options, surroundings, contributions } = made;
  let { tools } = made;
  return {
    session,
    get tools() {
      return tools;
    },
    setTools(next) {
      tools = next;
      session.setTools?.(next);
    },
    permissions: gatherPermissions({ config: surroundings.config, options, contributions }),
    hooks: gatherHooks(made),
    hookTypeExecutors: [...contributions.hookTypeExecutors, ...(options.hookTypeExecutors ?? [])],
  };
}

/** Gives a session its past back; without `restoreMessages` calls and results of tools are dropped together. */
export function restoreConversation(session: SessionPort, saved: SavedSession): void {
  const messages = saved.messages.filter(({ role }) => role !== 'system');
  if (session.restoreMessages) {
    session.restoreMessages(messages);
    return;
  }
  for (const message of messages) {
    if (message.role === 'tool' || !message.content) continue;
    session.injectMessage(message.role, message.content);
  }
}

/** A resumed conversation keeps its prompt to the byte unless the caller asks for another. */
function keptPrompt(
  options: AssembledSessionOptions,
  saved: SavedSession | undefined,
): string | undefined {
  const { systemPrompt, appendSystemPrompt, language } = options;
  if (!saved || systemPrompt !== undefined || appendSystemPrompt !== undefined) return undefined;
  if (language !== undefined) return undefined;
  const message = saved.messages.find(({ role }) => role === 'system');
  return message?.content ?? saved.record.systemPrompt;
}

function modelOf(
  options: AssembledSessionOptions,
  { config }: Surroundings,
  saved: SavedSession | undefined,
): string | undefined {
  const lastUsed = saved?.record.model;
  return (
    options.model ??
    (typeof lastUsed === 'string' ? lastUsed : undefined) ??
    config.provider?.model ??
    options.provider.model
  );
}

async function defaultTools(options: AssembledSessionOptions, { config }: Surroundings) {
  const { createDefaultTools } = await import('../assembly/default-tools.ts');
  const { cwd, sandbox } = options;
  return createDefaultTools({ cwd, sandbox, env: config.env ?? {} });
}

async function restoreSandbox(
  sandbox: ToolSandbox | undefined,
  saved: SavedSession | undefined,
  options: AssembledSessionOptions,
): Promise<void> {
  const remembered = options.forkSession ? undefined : saved?.record.sandboxSnapshotId;
  const snapshotId = options.sandboxSnapshotId ?? remembered;
  if (snapshotId === undefined) return;
  if (!sandbox?.restore) {
    throw new Error(`Sandbox snapshot ${snapshotId} needs a sandbox that can restore it.`);
  }
  await sandbox.restore(snapshotId);
}
