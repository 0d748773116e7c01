import {
  type ContextWindowState,
  type EngineEventCallback,
  type HooksConfig,
  mergeHooks,
  type PermissionMode,
  type Tool,
  TRUST_TO_MODE,
} from '@robota-sdk/agent-core';
import {
  type NoticeCallback,
  type PermissionHandler,
  Session,
  type SessionLogger,
  type SessionRecordStore,
} from '@robota-sdk/agent-session';
import { autoCompactThresholdFor } from '../config/resolved-config.ts';
import { buildSystemPrompt } from '../context/system-prompt.ts';
import type { CompactionNotice } from '../interactive/events.ts';
import { NOOP_TERMINAL } from '../interactive/noop-terminal.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import type { ToolCallReport } from '../interactive/tool-tracker.ts';
import type { Contributions } from './contributions.ts';
import { gatherPermissions } from './permission-lists.ts';
import type { Surroundings } from './surroundings.ts';

/** Where the session reports to. */
export interface SessionListeners {
  readonly onTextDelta: (delta: string) => void;
  readonly onToolExecution: (report: ToolCallReport) => void;
  readonly onEngineEvent: EngineEventCallback;
  readonly onContextUpdate: (state: ContextWindowState) => void;
  readonly onCompactEvent: (compaction: CompactionNotice) => void;
  readonly onNotice: NoticeCallback;
  /** Keeps a rule that a person allowed for the whole project. */
  readonly onProjectGrant: (pattern: string) => void;
  readonly permissionHandler: PermissionHandler;
}

export interface SessionIngredients {
  readonly options: AssembledSessionOptions;
  readonly surroundings: Surroundings;
  readonly contributions: Contributions;
  readonly tools: readonly Tool[];
  readonly sessionId: string;
  readonly model: string | undefined;
  readonly systemMessage: string;
  readonly logger: SessionLogger | undefined;
  readonly store: SessionRecordStore | undefined;
  readonly source: 'startup' | 'resume';
  readonly listeners: SessionListeners;
}

/** Puts the real session together from what was given and found. */
export function createSession(ingredients: SessionIngredients): Session {
  const { options, surroundings, contributions, tools, model, logger, store } = ingredients;
  const { config, context } = surroundings;
  const { additionalDirectories } = config.permissions ?? {};
  const providerTimeout = options.providerTimeout ?? config.provider?.timeout ?? DEFAULT_TIMEOUT_MS;
  const threshold =
    options.autoCompactThreshold ??
    autoCompactThresholdFor(config.autoCompactThreshold, model ?? '');
  return new Session({
    ...ingredients.listeners,
    tools: [...tools],
    provider: options.provider,
    systemMessage: ingredients.systemMessage,
    terminal: NOOP_TERMINAL,
    cwd: options.cwd,
    sessionId: ingredients.sessionId,
    source: ingredients.source,
    permissionMode: permissionModeOf(options, surroundings),
    permissions: gatherPermissions({ config, options, contributions }),
    hooks: gatherHooks(ingredients),
    hookTypeExecutors: [...contributions.hookTypeExecutors, ...(options.hookTypeExecutors ?? [])],
    providerTimeout,
    ...(additionalDirectories && { additionalDirectories: [...additionalDirectories] }),
    ...(model !== undefined && { model }),
    ...(options.maxTurns !== undefined && { maxTurns: options.maxTurns }),
    ...(logger && { sessionLogger: logger }),
    ...(store && { sessionStore: store }),
    ...(context.compactInstructions && { compactInstructions: context.compactInstructions }),
    ...(options.contextMaxTokens !== undefined && { contextMaxTokens: options.contextMaxTokens }),
    ...(threshold !== undefined && { autoCompactThreshold: threshold }),
    ...(options.onCompact && { onCompact: options.onCompact }),
    ...(options.agentName && { agentName: options.agentName }),
  });
}

const DEFAULT_TIMEOUT_MS = 120_000;

function permissionModeOf(
  options: AssembledSessionOptions,
  { config }: Surroundings,
): PermissionMode {
  const trusted = config.defaultTrustLevel && TRUST_TO_MODE[config.defaultTrustLevel];
  return options.permissionMode ?? config.permissionMode ?? trusted ?? 'default';
}

export interface PromptIngredients {
  readonly options: AssembledSessionOptions;
  readonly surroundings: Surroundings;
  readonly contributions: Contributions;
  readonly tools: readonly Tool[];
  readonly language: string | undefined;
}

/** The system prompt of a new session; a resumed one keeps its own. */
export function systemPromptOf({
  options,
  surroundings,
  contributions,
  tools,
  language,
}: PromptIngredients): string {
  if (options.systemPrompt !== undefined) {
    return [options.systemPrompt, options.appendSystemPrompt].filter(Boolean).join('\n\n');
  }
  const webSearch = options.provider.getCapabilities?.().nativeWebTools.webSearch.supported;
  return buildSystemPrompt({
    cwd: options.cwd,
    context: surroundings.context,
    permissionMode: permissionModeOf(options, surroundings),
    tools: tools.map((tool) => tool.schema),
    language,
    hasServerWebSearch: webSearch === true,
    extraSections: contributions.promptSections,
    append: options.appendSystemPrompt,
  });
}

/** Hooks of settings, extensions and options together; variables of the settings reach each of them. */
export function gatherHooks({
  options,
  surroundings,
  contributions,
}: Pick<SessionIngredients, 'options' | 'surroundings' | 'contributions'>): HooksConfig {
  const { env, hooks } = surroundings.config;
  const merged = mergeHooks(hooks ?? {}, contributions.hooks, options.hooks ?? {});
  if (!env) return merged;
  return Object.fromEntries(
    Object.entries(merged).map(([event, groups]) => [
      event,
      groups.map((group) => ({ ...group, env: { ...env, ...group.env } })),
    ]),
  );
}
