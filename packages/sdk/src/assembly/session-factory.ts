import {
  type ChosenModel,
  chooseModel,
  denyRuleNotice,
  type HooksConfig,
  type ModelOptions,
  mergeHooks,
  parseHooksConfig,
  type Tool,
  type ToolSandbox,
  toHooksConfig,
} from '@robota-sdk/agent-core';
import type { SessionFold } from '@robota-sdk/agent-core/log';
import {
  initialPermissionMode,
  type RestoredSession,
  Session,
  type SessionLogger,
  type SessionOptions,
  type SessionRecordStore,
} from '@robota-sdk/agent-session';
import type { BlocksFold } from '@robota-sdk/agent-transcript';
import { BACKGROUND_PROCESS } from '../background/background-tools.ts';
import { SessionCommands } from '../background/session-commands.ts';
import { autoCompactThresholdFor, type ConfiguredModel } from '../config/resolved-config.ts';
import { currentEnvironment } from '../context/prompt-environment.ts';
import { buildSystemPrompt } from '../context/system-prompt.ts';
import { NOOP_TERMINAL } from '../interactive/noop-terminal.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import { userPaths } from '../paths.ts';
import type { OpenedSession } from '../records/open-session.ts';
import type { SessionFileTracker } from '../rewind/session-file-tracker.ts';
import { type Contributions, collectContributions } from './contributions.ts';
import { createDefaultTools } from './default-tools.ts';
import { withEditDiff } from './edit-diff.ts';
import { createExtensions } from './extensions.ts';
import { gatherPermissions, withdrawRule } from './permission-lists.ts';
import { commandSandbox } from './sandbox-environment.ts';
import type { ExtensionHost, ReadySession } from './session-extension.ts';
import type { SharedExtensions } from './shared-extensions.ts';
import { readSurroundings, type Surroundings } from './surroundings.ts';

export interface SessionFactoryParts {
  readonly options: AssembledSessionOptions;
  readonly sessionId: string;
  readonly fold: SessionFold;
  readonly blocks: () => BlocksFold;
  /** The session to resume or fork. */
  readonly opened: OpenedSession | undefined;
  readonly logger: SessionLogger | undefined;
  readonly store: SessionRecordStore | undefined;
  /** Where logs are kept; undefined where nothing may be written. */
  readonly logDirectory: string | undefined;
  readonly host: ExtensionHost;
  readonly callbacks: Pick<
    SessionOptions,
    'onEntry' | 'permissionHandler' | 'onProjectGrant' | 'onNotice'
  >;
}

/** An assembled session and its parts. */
export interface AssembledSession {
  readonly session: Session;
  readonly surroundings: Surroundings;
  readonly contributions: Contributions;
  /** Records file changes by tools; undefined when nothing may be written. */
  readonly files: SessionFileTracker | undefined;
  /** The system prompt as it would be in another language. */
  promptIn(language: string): string;
}

/** The inputs of one session, given or found. */
interface Ingredients {
  readonly options: AssembledSessionOptions;
  readonly surroundings: Surroundings;
  readonly contributions: Contributions;
  readonly tools: readonly Tool[];
  readonly chosen: ChosenModel;
  readonly permissions: ReturnType<typeof gatherPermissions>;
}

/** Reads the surroundings, calls the extensions, builds the session and restores its conversation. */
export async function assembleEngine(parts: SessionFactoryParts): Promise<AssembledSession> {
  const { options, opened } = parts;
  const read = await readSurroundings(options);
  const chosen = modelOf(options, read, opened);
  const surroundings = withNotices(read, chosen);
  await restoreSandbox(options, opened);
  const files = await filesOf(parts);
  const shared = sharedExtensions(options);
  const own = ownTools(options, surroundings, shared).map((tool) => {
    const diffed = withEditDiff(tool, options.cwd);
    return files ? files.watched(diffed) : diffed;
  });
  const holder: { ready?: ReadySession } = {};
  const contributions = await contributionsOf(parts, { surroundings, own, holder, shared });
  const added = contributions.tools.map((tool) =>
    files && mayChangeFiles(tool) ? files.watched(tool) : tool,
  );
  const tools = [...own, ...added];
  const permissions = gatherPermissions({ ...surroundings, options, contributions });
  const found = { options, surroundings, contributions, tools, chosen, permissions };
  const session = new Session(sessionOptions(parts, found));
  holder.ready = readySession(session, found);
  const limits = denyRuleNotice(holder.ready.permissions);
  if (limits !== undefined) parts.host.notice(limits);
  return {
    session,
    files,
    surroundings,
    contributions,
    promptIn: (language) => systemPromptOf(found, language),
  };
}

/** Whether a tool of an extension may change files: MCP servers and background processes can write anywhere. */
function mayChangeFiles({ schema: { name } }: Tool): boolean {
  return name.startsWith('mcp__') || name === BACKGROUND_PROCESS;
}

/** Undefined (and the module not loaded) for a sandbox, whose files are elsewhere, and without a log to record in. */
async function filesOf({ options, sessionId, logDirectory, host }: SessionFactoryParts) {
  if (logDirectory === undefined || options.sandbox) return undefined;
  const { SessionFileTracker } = await import('../rewind/session-file-tracker.ts');
  return new SessionFileTracker({
    cwd: options.cwd,
    sessionId,
    logDirectory,
    home: userPaths().home,
    record: (report) => host.log('files_changed', { ...report }),
    notice: host.notice,
  });
}

const DEFAULT_TIMEOUT_MS = 120_000;

function sessionOptions(parts: SessionFactoryParts, found: Ingredients): SessionOptions {
  const { options, opened, fold, blocks, logger, store } = parts;
  const { surroundings, contributions, tools } = found;
  const { config, context } = surroundings;
  const { model } = found.chosen;
  const { language = config.language } = options;
  return {
    ...parts.callbacks,
    ...modelOptions(options, surroundings),
    model,
    tools,
    provider: options.provider,
    systemMessage: keptPrompt(options, opened) ?? systemPromptOf(found, language),
    terminal: NOOP_TERMINAL,
    cwd: options.cwd,
    sessionId: parts.sessionId,
    source: opened ? 'resume' : 'startup',
    ...permissionModeOptions(options, surroundings),
    permissions: found.permissions,
    additionalDirectories: config.permissions?.additionalDirectories,
    hooks: gatherHooks(found),
    hookTypeExecutors: [...contributions.hookTypeExecutors, ...(options.hookTypeExecutors ?? [])],
    maxTurns: options.maxTurns,
    autoCompactThreshold:
      options.autoCompactThreshold ??
      autoCompactThresholdFor(config.autoCompactThreshold, model ?? ''),
    compactInstructions: context.compactInstructions,
    onCompact: options.onCompact,
    agentName: options.agentName,
    sessionLogger: logger,
    sessionStore: store,
    vault: options.vault ?? config.vault,
    keepUnused: false,
    fold,
    folds: () => ({ blocks: blocks().save() }),
    restored: opened && restoredFrom(options, opened),
  };
}

/** Explicit options win over settings. */
function modelOptions(options: AssembledSessionOptions, { config }: Surroundings): ModelOptions {
  const { provider: profile = {} } = config;
  return {
    maxTokens: options.maxTokens ?? profile.maxTokens,
    temperature: options.temperature ?? profile.temperature,
    thinking: options.thinking ?? profile.thinking,
    retry: options.retry ?? profile.retry,
    stopSequences: options.stopSequences ?? profile.stopSequences,
    fallbackModels: options.fallbackModels ?? profile.fallbackModels,
    maxBudgetTokens: options.maxBudgetTokens ?? profile.maxBudgetTokens,
    maxBudgetUsd: options.maxBudgetUsd ?? profile.maxBudgetUsd,
    toolConcurrency: options.toolConcurrency ?? profile.toolConcurrency,
    contextMaxTokens: options.contextMaxTokens ?? profile.contextMaxTokens,
    providerTimeout: options.providerTimeout ?? profile.timeout ?? DEFAULT_TIMEOUT_MS,
  };
}

function restoredFrom(
  { forkSession }: AssembledSessionOptions,
  { id, record, fold, problem }: OpenedSession,
): RestoredSession {
  if (forkSession) {
    return { fold, record: undefined, from: { reason: 'fork', sessionId: id } };
  }
  if (problem?.code !== 'log_shorter') return { fold, record };
  return { fold, record, from: { reason: 'record', sessionId: id } };
}

function contributionsOf(
  { options, sessionId, host, logDirectory }: SessionFactoryParts,
  found: {
    surroundings: Surroundings;
    own: readonly Tool[];
    holder: { ready?: ReadySession };
    shared: SharedExtensions;
  },
): Promise<Contributions> {
  const { config, context, trusted } = found.surroundings;
  const extensions = createExtensions(found.shared, { everyday: options.everyday === true });
  return collectContributions([...extensions, ...(options.extensions ?? [])], {
    ...host,
    sessionId,
    cwd: options.cwd,
    provider: options.provider,
    options,
    config,
    projectContext: context,
    trusted,
    tools: found.own,
    logDirectory,
    ready() {
      if (found.holder.ready) return found.holder.ready;
      throw new Error(
        'The session is still being assembled; extensions may use it from the first prompt on.',
      );
    },
  });
}

function readySession(session: Session, found: Ingredients): ReadySession {
  const { options, contributions } = found;
  let { tools } = found;
  return {
    session,
    get tools() {
      return tools;
    },
    setTools(next) {
      tools = next;
      session.setTools(next);
    },
    permissions: found.permissions,
    withdrawRule: (rule) => withdrawRule(found.permissions, rule),
    hooks: gatherHooks(found),
    hookTypeExecutors: [...contributions.hookTypeExecutors, ...(options.hookTypeExecutors ?? [])],
  };
}

/** A resumed conversation keeps its system prompt byte for byte unless the caller asks for another. */
function keptPrompt(
  options: AssembledSessionOptions,
  opened: OpenedSession | undefined,
): string | undefined {
  const { systemPrompt, appendSystemPrompt, language } = options;
  if (!opened || systemPrompt !== undefined || appendSystemPrompt !== undefined) return undefined;
  if (language !== undefined) return undefined;
  const { messages, systemPrompt: saved } = opened.fold.state;
  const message = messages.find(({ role }) => role === 'system');
  return message?.content ?? saved;
}

/** In order: the option, explicit settings, the saved session, the provider's own model, other settings. */
function modelOf(
  { model, provider }: AssembledSessionOptions,
  { config }: Surroundings,
  opened: OpenedSession | undefined,
): ChosenModel {
  const configured: readonly ConfiguredModel[] = config.models ?? [
    { model: config.provider?.model, source: 'settings' },
  ];
  return chooseModel(
    [
      { model, source: 'asked for' },
      ...configured.filter(({ isExplicit }) => isExplicit),
      { model: opened?.fold.state.model, source: 'the saved session' },
      { model: provider.isDefaultModel ? undefined : provider.model, source: 'the provider' },
      ...configured.filter(({ isExplicit }) => !isExplicit),
    ],
    provider,
  );
}

function withNotices(surroundings: Surroundings, { notices }: ChosenModel): Surroundings {
  const added = notices.map((message) => ({ kind: 'model', message }));
  return { ...surroundings, notices: [...surroundings.notices, ...added] };
}

function permissionModeOptions(options: AssembledSessionOptions, { config }: Surroundings) {
  return {
    permissionMode: options.permissionMode ?? config.permissionMode,
    defaultTrustLevel: config.defaultTrustLevel,
    bypassForbiddenBy: config.permissions?.bypassForbiddenBy,
  };
}

/** The system prompt of a new session; a resumed one keeps its own. */
function systemPromptOf(
  { options, surroundings, contributions, tools }: Ingredients,
  language: string | undefined,
): string {
  if (options.systemPrompt !== undefined) {
    return [options.systemPrompt, options.appendSystemPrompt].filter(Boolean).join('\n\n');
  }
  const webSearch = options.provider.getCapabilities?.().nativeWebTools.webSearch.supported;
  return buildSystemPrompt({
    cwd: options.cwd,
    context: surroundings.context,
    environment: currentEnvironment(),
    permissionMode: initialPermissionMode(permissionModeOptions(options, surroundings)).mode,
    tools: tools.map((tool) => tool.schema),
    language,
    hasServerWebSearch: webSearch === true,
    extraSections: contributions.promptSections,
    append: options.appendSystemPrompt,
  });
}

/** Hooks of settings, extensions and options combined; each gets the `env` of the settings. */
function gatherHooks({ options, surroundings, contributions }: Ingredients): HooksConfig {
  const { env, hooks, disableAllHooks } = surroundings.config;
  const customTypes = options.hookTypeExecutors?.map(({ type }) => type);
  const written = options.hooks && toHooksConfig(options.hooks);
  const given = parseHooksConfig(written, 'the session options', { customTypes });
  const found = disableAllHooks
    ? functionHooksOnly(contributions.hooks)
    : mergeHooks(hooks, contributions.hooks);
  const merged = mergeHooks(found, given);
  if (!env) return merged;
  return Object.fromEntries(
    Object.entries(merged).map(([event, groups]) => [
      event,
      groups.map((group) => ({ ...group, env: { ...env, ...group.env } })),
    ]),
  );
}

/** `disableAllHooks` covers hooks of users and plugins, not the functions extensions are built on. */
function functionHooksOnly(hooks: HooksConfig): HooksConfig {
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      groups.map((group) => ({
        ...group,
        hooks: group.hooks.filter(({ type }) => type === 'function'),
      })),
    ]),
  );
}

/** Created before the extensions because tools such as Bash already need `commands`. */
function sharedExtensions({ everyday }: AssembledSessionOptions): SharedExtensions {
  const shared: SharedExtensions = { plugins: [], agents: [] };
  if (everyday) shared.commands = new SessionCommands(() => shared.background);
  return shared;
}

/** The built-in tools and the caller's own, which replace built-in ones of the same name. */
function ownTools(
  options: AssembledSessionOptions,
  surroundings: Surroundings,
  shared: SharedExtensions,
): readonly Tool[] {
  const { tools: given = [], builtinTools = true } = options;
  if (!builtinTools) return given;
  const names = given.map(({ schema }) => schema.name);
  const builtin = defaultTools(options, surroundings, shared);
  return [...builtin.filter(({ schema }) => !names.includes(schema.name)), ...given];
}

function defaultTools(
  options: AssembledSessionOptions,
  { config }: Surroundings,
  { commands: background }: SharedExtensions,
) {
  const { cwd, sandbox, aroundSandbox } = options;
  const shell = commandSandbox(options, config);
  const place = aroundSandbox ? shell : sandbox;
  return createDefaultTools({ cwd, sandbox: place, shell, background });
}

async function restoreSandbox(
  options: AssembledSessionOptions,
  opened: OpenedSession | undefined,
): Promise<void> {
  const sandbox: ToolSandbox | undefined = options.sandbox;
  const remembered = options.forkSession ? undefined : opened?.record.sandboxSnapshotId;
  const snapshotId = options.sandboxSnapshotId ?? remembered;
  if (snapshotId === undefined) return;
  if (!sandbox?.restore) {
    throw new Error(`Sandbox snapshot ${snapshotId} needs a sandbox that can restore it.`);
  }
  await sandbox.restore(snapshotId);
}
