import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import {
  Agent,
  type EngineEvent,
  type PermissionMode,
  type Tool,
  type ToolSchema,
  TRUST_TO_MODE,
} from '@robota-sdk/agent-core';
import { CompactionOrchestrator } from './context/compaction-orchestrator.ts';
import { ContextKeeper } from './context/context-keeper.ts';
import { ContextWindowTracker } from './context/context-window-tracker.ts';
import { guardCallbacks } from './guard-callbacks.ts';
import { LifecycleHooks } from './lifecycle-hooks.ts';
import { SessionJournal } from './log/session-journal.ts';
import { PermissionEnforcer } from './permissions/permission-enforcer.ts';
import { UnwrappedToolBridge } from './permissions/unwrapped-tool-bridge.ts';
import { RecordKeeper } from './records/record-keeper.ts';
import { assertSessionId } from './records/session-id.ts';
import type { SessionOptions } from './session-options.ts';
import { UsageLedger } from './usage-ledger.ts';

/** What a session is made of, put together once. */
export interface SessionParts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly options: SessionOptions;
  readonly agent: Agent;
  readonly enforcer: PermissionEnforcer;
  readonly tracker: ContextWindowTracker;
  readonly context: ContextKeeper;
  readonly hooks: LifecycleHooks;
  readonly journal: SessionJournal;
  readonly records: RecordKeeper;
  readonly usage: UsageLedger;
  readonly mode: { current: PermissionMode };
  /** What the running turn gives tools to stop it with. */
  readonly turn: { stop: ((reason: string) => void) | undefined };
}

const DEFAULT_MODEL = 'claude-sonnet-4-5';
const MODES = ['plan', 'default', 'acceptEdits', 'bypassPermissions'] as const;

export function assembleSession(given: SessionOptions): SessionParts {
  const options = guardCallbacks(given);
  const sessionId = options.sessionId ?? randomUUID();
  assertSessionId(sessionId);
  const cwd = checkCwd(options.cwd);
  const mode = { current: initialMode(options) };
  const turn: SessionParts['turn'] = { stop: undefined };
  const usage = new UsageLedger();
  const journal = new SessionJournal(sessionId, options.sessionLogger, options.onNotice);
  const hooks = makeHooks(options, { sessionId, cwd, journal, mode });
  const enforcer = makeEnforcer(options, { cwd, journal, hooks, mode, turn });
  const tools = enforcer.wrapTools(options.tools);
  const bridge = new UnwrappedToolBridge(enforcer, options.onToolExecution);
  const hear = engineListener(options, { journal, bridge, usage });
  const agent = makeAgent(options, { sessionId, cwd, tools, hear });
  const { contextMaxTokens, autoCompactThreshold } = options;
  const tracker = new ContextWindowTracker(
    agent.getModel(),
    contextMaxTokens,
    autoCompactThreshold,
  );
  const context = makeContext(options, { agent, tracker, journal, hooks, usage });
  const records = new RecordKeeper({
    sessionId,
    cwd,
    agent,
    getToolSchemas: () => schemasOf(agent),
    store: options.sessionStore,
    onNotice: options.onNotice,
  });
  return {
    sessionId,
    cwd,
    options,
    agent,
    enforcer,
    tracker,
    context,
    hooks,
    journal,
    records,
    usage,
    mode,
    turn,
  };
}

export function schemasOf(agent: Agent): ToolSchema[] {
  return agent.getTools().map((tool) => tool.schema);
}

export function checkPermissionMode(mode: PermissionMode): PermissionMode {
  if (MODES.includes(mode)) return mode;
  throw new TypeError(`Invalid permission mode "${String(mode)}". Valid: ${MODES.join(' | ')}`);
}

function initialMode({ permissionMode, defaultTrustLevel }: SessionOptions): PermissionMode {
  if (permissionMode !== undefined) return checkPermissionMode(permissionMode);
  return (defaultTrustLevel && TRUST_TO_MODE[defaultTrustLevel]) ?? 'default';
}

function checkCwd(cwd: string | undefined): string {
  if (cwd === undefined) return process.cwd();
  if (isAbsolute(cwd)) return cwd;
  throw new TypeError(`Session option cwd must be an absolute path, not "${cwd}".`);
}

type Some<Key extends keyof SessionParts> = Pick<SessionParts, Key>;

function makeHooks(
  options: SessionOptions,
  { sessionId, cwd, journal, mode }: Some<'sessionId' | 'cwd' | 'journal' | 'mode'>,
): LifecycleHooks {
  return new LifecycleHooks({
    sessionId,
    cwd,
    hooks: options.hooks,
    executors: options.hookTypeExecutors,
    getPermissionMode: () => mode.current,
    getTranscriptPath: () => options.sessionStore?.getFilePath?.(sessionId),
    onNotice: options.onNotice,
    log: (event, data) => void journal.write(event, data),
  });
}

function makeEnforcer(
  options: SessionOptions,
  { cwd, journal, hooks, mode, turn }: Some<'cwd' | 'journal' | 'hooks' | 'mode' | 'turn'>,
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
    onToolExecution: options.onToolExecution,
    onProjectGrant: options.onProjectGrant,
    onStop: (reason) => turn.stop?.(reason),
    log: (event, data) => void journal.write(event, data),
  });
}

/** The log hears first: what is shown has been written. */
function engineListener(
  options: SessionOptions,
  parts: Some<'journal' | 'usage'> & { readonly bridge: UnwrappedToolBridge },
): (event: EngineEvent) => void | Promise<void> {
  const { journal, usage, bridge } = parts;
  const tell = (event: EngineEvent): void | Promise<void> => {
    usage.hear(event);
    bridge.hear(event);
    return options.onEngineEvent?.(event);
  };
  return (event) => {
    const written = journal.writeEngineEvent(event);
    return written instanceof Promise ? written.then(() => tell(event)) : tell(event);
  };
}

function makeAgent(
  options: SessionOptions,
  parts: Some<'sessionId' | 'cwd'> & {
    readonly tools: readonly Tool[];
    readonly hear: (event: EngineEvent) => void | Promise<void>;
  },
): Agent {
  const { sessionId, cwd, tools, hear } = parts;
  const { provider, model = DEFAULT_MODEL, systemMessage, maxTokens, temperature } = options;
  const said = systemMessage ? { systemMessage } : {};
  return new Agent({
    name: options.agentName ?? 'agent',
    provider,
    model,
    ...said,
    defaultModel: {
      model,
      provider: provider.name,
      ...said,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
    },
    tools,
    ...(options.providerTimeout !== undefined && { timeout: options.providerTimeout }),
    ...(options.toolConcurrency !== undefined && { toolConcurrency: options.toolConcurrency }),
    ...(options.contextMaxTokens !== undefined && { contextMaxTokens: options.contextMaxTokens }),
    ...(options.retry && { retry: options.retry }),
    ...(options.ownerPath && { ownerPath: options.ownerPath }),
    cwd,
    sessionId,
    onEvent: hear,
  });
}

function makeContext(
  options: SessionOptions,
  parts: Some<'agent' | 'tracker' | 'journal' | 'hooks' | 'usage'>,
): ContextKeeper {
  const { agent, tracker, journal, hooks, usage } = parts;
  const orchestrator = new CompactionOrchestrator({
    getProvider: () => agent.getProvider(),
    getModel: () => agent.getModel(),
    getMaxTokens: () => tracker.getMaxTokens(),
    hooks,
    compactInstructions: options.compactInstructions,
    onReply: (reply) => {
      const asked = { provider: agent.getProvider().name, model: agent.getModel() };
      const entry = usage.add('compaction', reply, asked);
      void journal.write('compaction_request', { ...entry });
    },
  });
  const { onContextUpdate, onCompact, onCompactEvent, onNotice } = options;
  const callbacks = { onContextUpdate, onCompact, onCompactEvent, onNotice };
  return new ContextKeeper({ agent, tracker, orchestrator, journal, hooks, ...callbacks });
}
