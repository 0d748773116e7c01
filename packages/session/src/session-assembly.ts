import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import {
  Agent,
  assertProvider,
  type EngineEvent,
  type Message,
  MissingOptionError,
  type PermissionMode,
  type Tool,
  type ToolSchema,
  UNNAMED_MODEL,
} from '@robota-sdk/agent-core';
import { emptySessionState, SessionFold, type SessionState } from '@robota-sdk/agent-core/log';
import { CompactionOrchestrator } from './context/compaction-orchestrator.ts';
import { ContextKeeper } from './context/context-keeper.ts';
import { ContextWindowTracker } from './context/context-window-tracker.ts';
import { EntryLog } from './entry-log.ts';
import { LifecycleHooks, type NoticeCallback } from './lifecycle-hooks.ts';
import { recoverTurn } from './log/recover-turn.ts';
import { PermissionEnforcer } from './permissions/permission-enforcer.ts';
import { initialPermissionMode } from './permissions/permission-mode.ts';
import { RecordKeeper } from './records/record-keeper.ts';
import { assertSessionId } from './records/session-id.ts';
import { finishRewind } from './rewind.ts';
import { type OpenedSecrets, openSecrets } from './secrets/open-secrets.ts';
import type { SessionSecrets } from './secrets/session-secrets.ts';
import { SessionCallbacks } from './session-callbacks.ts';
import type { SessionOptions } from './session-options.ts';

/** The collaborators of a session, created once. */
export interface SessionParts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly options: SessionOptions;
  readonly agent: Agent;
  readonly enforcer: PermissionEnforcer;
  readonly tracker: ContextWindowTracker;
  readonly context: ContextKeeper;
  readonly hooks: LifecycleHooks;
  readonly log: EntryLog;
  readonly fold: SessionFold;
  readonly records: RecordKeeper;
  /** Secrets of the session it continues from. */
  readonly secrets: SessionSecrets;
  readonly ownSecrets: SessionSecrets;
  readonly notice: NoticeCallback;
  readonly mode: { current: PermissionMode };
  /** Set by the running turn, so that permission hooks can stop it. */
  readonly turn: { stop: ((reason: string) => void) | undefined };
}

export function assembleSession(given: SessionOptions): SessionParts {
  assertProvider('A session', given?.provider);
  if (!Array.isArray(given.tools)) {
    throw new MissingOptionError('A session', 'tools', 'a list of tools, which may be empty');
  }
  const sessionId = given.sessionId ?? randomUUID();
  assertSessionId(sessionId);
  const secrets = openSecrets(given, sessionId);
  const options = withRestoredSecrets(given, secrets);
  const cwd = checkCwd(options.cwd);
  const mode = { current: initialPermissionMode(options).mode };
  const turn: SessionParts['turn'] = { stop: undefined };
  const fold = foldOf(options, sessionId);
  const callbacks = new SessionCallbacks(options);
  const log = new EntryLog({
    sessionId,
    logger: options.sessionLogger,
    secrets: secrets.own,
    onProblem: (notice) => callbacks.notice({ kind: 'not_saved', ...notice }),
  });
  log.subscribe((entry) => fold.apply(entry));
  log.subscribe(callbacks.handle);
  const notice: NoticeCallback = (given) => void log.append('notice', { ...given });
  const shared = { sessionId, cwd, mode, turn, fold, log, notice };
  const hooks = makeHooks(options, shared);
  const enforcer = makeEnforcer(options, { ...shared, hooks });
  const agent = makeAgent(options, { ...shared, tools: enforcer.wrapTools(options.tools) });
  const tracker = new ContextWindowTracker(
    agent.getModel(),
    options.contextMaxTokens,
    options.autoCompactThreshold,
  );
  const context = makeContext(options, { ...shared, agent, tracker, hooks });
  const records = new RecordKeeper({
    sessionId,
    cwd,
    log,
    fold,
    getMessages: () => agent.getHistory(),
    getToolSchemas: () => schemasOf(agent),
    store: options.sessionStore,
    logger: options.sessionLogger,
    secrets: secrets.own,
    saved: options.restored?.record,
    folds: options.folds,
    keepUnused: options.keepUnused,
    onNotice: (given) => callbacks.notice(given),
  });
  return {
    ...shared,
    options,
    agent,
    enforcer,
    tracker,
    context,
    hooks,
    records,
    secrets: secrets.past,
    ownSecrets: secrets.own,
  };
}

/** Writes the first entries of this process: the session's configuration, and what it continues from. */
export function beginLog(parts: SessionParts): void {
  const { agent, log, options, cwd, mode } = parts;
  const { restored, systemMessage } = options;
  const recovery = restored && recoverTurn(parts.secrets.restoreState(restored.fold.state));
  if (recovery) {
    agent.adoptMessages(recovery.messages);
    const { hasSystem, n, messages } = restored.fold.state;
    const known = agent.getHistory().slice(0, messages.length);
    // The history of another session enters this log with `session_restored`.
    log.continueFrom(restored.from ? NOTHING_LOGGED : { n, hasSystem, messages: known });
  }
  void log.append('session_init', {
    cwd,
    systemPrompt: systemMessage,
    systemPromptLength: systemMessage?.length ?? 0,
    provider: options.provider.name,
    model: agent.getModel(),
    permissionMode: mode.current,
    toolSchemas: schemasOf(agent),
  });
  const { problem } = initialPermissionMode(options);
  if (problem !== undefined) {
    parts.notice({ level: 'warning', kind: 'permissions', message: problem });
  }
  if (!restored || !recovery) {
    agent.announceSystemMessage();
    return;
  }
  const { from, fold } = restored;
  if (from) {
    const messages = agent.getHistory().slice(0, fold.state.messages.length);
    const state = { ...inheritedState(fold, from.reason), messages };
    const { reason, sessionId: origin } = from;
    void log.append('session_restored', { reason, origin, state, folds: options.folds?.() });
  } else void log.append('session_resumed', { fromN: fold.state.n });
  warnAboutPlaceholders(parts, recovery.messages);
  for (const { event, fields } of recovery.entries) void log.append(event, fields);
  finishRewind(parts);
  if (agent.getSystemMessage() !== (systemMessage || null)) {
    agent.setSystemMessage(systemMessage || null);
  }
}

/** Restored secrets are sent to the model again; warns when their values are no longer known. */
function warnAboutPlaceholders(
  { secrets, notice, options, sessionId }: SessionParts,
  messages: readonly Message[],
): void {
  if (!secrets.areMissingIn(messages)) return;
  const why = options.vault === false ? 'no vault is used' : 'its vault is missing or not whole';
  notice({
    level: 'warning',
    kind: 'restore',
    message: `Secrets in session ${sessionId} are replaced by placeholders: ${why}, so the model does not see them any more.`,
  });
}

/** The system message of a restored session comes from its record, with placeholders. */
function withRestoredSecrets(options: SessionOptions, { past }: OpenedSecrets): SessionOptions {
  if (!options.restored) return options;
  return { ...options, systemMessage: past.restoreText(options.systemMessage) };
}

/** A fork starts empty: its `session_restored` entry fills the fold. */
function foldOf({ restored, fold }: SessionOptions, sessionId: string): SessionFold {
  if (fold) return fold;
  if (restored && !restored.from) return restored.fold;
  return new SessionFold({ ...emptySessionState(), sessionId });
}

/** A fork inherits the conversation, but neither usage nor permissions. */
function inheritedState({ state }: SessionFold, reason: 'fork' | 'record'): Partial<SessionState> {
  if (reason === 'record') return state;
  const {
    usage: _usage,
    grants: _grants,
    questions: _questions,
    rewinds: _rewinds,
    ...inherited
  } = state;
  return inherited;
}

const NOTHING_LOGGED = { n: 0, messages: [], hasSystem: false };

export function schemasOf(agent: Agent): ToolSchema[] {
  return agent.getTools().map((tool) => tool.schema);
}

function checkCwd(cwd: string | undefined): string {
  if (cwd === undefined) return process.cwd();
  if (isAbsolute(cwd)) return cwd;
  throw new TypeError(`Session option cwd must be an absolute path, not "${cwd}".`);
}

type Some<Key extends keyof SessionParts> = Pick<SessionParts, Key>;

function makeHooks(
  options: SessionOptions,
  { sessionId, cwd, log, mode, notice }: Some<'sessionId' | 'cwd' | 'log' | 'mode' | 'notice'>,
): LifecycleHooks {
  return new LifecycleHooks({
    sessionId,
    cwd,
    hooks: options.hooks,
    executors: options.hookTypeExecutors,
    getPermissionMode: () => mode.current,
    getTranscriptPath: () => options.sessionStore?.getFilePath?.(sessionId),
    onNotice: notice,
    log: (event, data) => void log.append(event, data),
  });
}

function makeEnforcer(
  options: SessionOptions,
  { cwd, log, hooks, mode, turn }: Some<'cwd' | 'log' | 'hooks' | 'mode' | 'turn'>,
): PermissionEnforcer {
  const { additionalDirectories } = options;
  return new PermissionEnforcer({
    terminal: options.terminal,
    permissionHandler: options.permissionHandler,
    promptForApproval: options.promptForApproval,
    getPermissionMode: () => mode.current,
    getPermissions: () => ({
      ...options.permissions,
      cwd,
      ...(additionalDirectories && { additionalDirectories }),
    }),
    hooks,
    onProjectGrant: options.onProjectGrant,
    onStop: (reason) => turn.stop?.(reason),
    log: (event, data) => log.append(event, data),
  });
}

function makeAgent(
  options: SessionOptions,
  {
    sessionId,
    cwd,
    tools,
    log,
  }: Some<'sessionId' | 'cwd' | 'log'> & {
    readonly tools: readonly Tool[];
  },
): Agent {
  const { provider, systemMessage, maxTokens, temperature } = options;
  const model = options.model ?? provider.model ?? UNNAMED_MODEL;
  const system = systemMessage ? { systemMessage } : {};
  return new Agent({
    name: options.agentName ?? 'agent',
    provider,
    model,
    ...system,
    defaultModel: { model, provider: provider.name, ...system, maxTokens, temperature },
    tools,
    timeout: options.providerTimeout,
    toolConcurrency: options.toolConcurrency,
    contextMaxTokens: options.contextMaxTokens,
    retry: options.retry,
    stopSequences: options.stopSequences,
    fallbackModels: options.fallbackModels,
    ownerPath: options.ownerPath,
    cwd,
    sessionId,
    onEvent: (event) => appendEngineEvent(log, event),
  });
}

/** Engine events become log entries; only the name of the kind differs. */
function appendEngineEvent(log: EntryLog, event: EngineEvent): void | Promise<void> {
  if (event.type === 'provider_stream_raw_delta' || event.type === 'provider_thinking_delta') {
    return log.appendText(event);
  }
  const { type, ...fields } = event;
  if (type !== 'server_tool') return log.append(type, fields);
  const { query } = event.input;
  return log.append(type, { ...fields, query: typeof query === 'string' ? query : '' });
}

function makeContext(
  options: SessionOptions,
  parts: Some<'agent' | 'tracker' | 'log' | 'hooks' | 'notice' | 'fold'>,
): ContextKeeper {
  const { agent, tracker, hooks, fold } = parts;
  const orchestrator = new CompactionOrchestrator({
    getProvider: () => agent.getProvider(),
    getModel: () => agent.getModel(),
    getMaxTokens: () => tracker.getMaxTokens(),
    ask: (messages, signal) => agent.ask(messages, { cause: 'compaction', signal }),
    hooks,
    compactInstructions: options.compactInstructions,
    getPins: () => fold.state.pins,
  });
  return new ContextKeeper({ ...parts, orchestrator });
}
