import {
  type PermissionMode,
  type Provider,
  type Tool,
  TRUST_TO_MODE,
} from '@robota-sdk/agent-core';
import {
  Session,
  type SessionOptions,
  type SubagentIdentity,
  type TerminalOutput,
} from '@robota-sdk/agent-session';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ProjectContext } from '../context/load-context.ts';
import { currentEnvironment, describeEnvironment } from '../context/prompt-environment.ts';
import { NOOP_TERMINAL } from '../interactive/noop-terminal.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { filterSubagentTools } from './filter-tools.ts';
import { resolveSubagentModel } from './subagent-model.ts';
import { assembleSubagentPrompt } from './subagent-prompt.ts';

/** Everything a subagent is made of; nothing is read from disk. */
export interface SubagentSessionOptions extends PassedThrough {
  readonly agentDefinition: AgentDefinition;
  readonly parentConfig: ResolvedConfig;
  readonly parentContext: ProjectContext;
  /** Before any permission gate: the subagent's session has its own. */
  readonly parentTools: readonly Tool[];
  readonly provider: Provider;
  /** The model in use; the one of the parent's settings when left out. */
  readonly parentModel?: string | undefined;
  /** What the caller wants in place of the definition's model. */
  readonly model?: string | undefined;
  readonly isForkWorker?: boolean | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly terminal?: TerminalOutput | undefined;
  readonly subagent?: SubagentIdentity | undefined;
  /** Hears when the wanted model is another vendor's. */
  readonly onModelNotice?: ((message: string) => void) | undefined;
}

type PassedThrough = Pick<
  SessionOptions,
  | 'cwd'
  | 'sessionId'
  | 'sessionLogger'
  | 'vault'
  | 'permissions'
  | 'permissionHandler'
  | 'onProjectGrant'
  | 'hooks'
  | 'hookTypeExecutors'
  | 'onTextDelta'
  | 'onToolExecution'
  | 'onEntry'
  | 'onNotice'
  | 'providerTimeout'
  | 'ownerPath'
>;

/** A session of its own for a subagent, with the parent's rules and only the tools its definition leaves it. */
export function createSubagentSession(options: SubagentSessionOptions): Session {
  const {
    agentDefinition,
    parentConfig,
    parentContext,
    parentTools,
    parentModel,
    model: wanted,
    isForkWorker,
    subagent,
    onModelNotice,
    terminal = NOOP_TERMINAL,
    permissionMode,
    permissions = parentConfig.permissions,
    ...passedThrough
  } = options;
  const { model, notice } = resolveSubagentModel({
    wanted: wanted ?? agentDefinition.model,
    parentModel: parentModel ?? parentConfig.provider?.model ?? options.provider.model,
    provider: options.provider,
  });
  if (notice) onModelNotice?.(notice);
  const { maxTurns } = agentDefinition;
  const trusted = parentConfig.defaultTrustLevel && TRUST_TO_MODE[parentConfig.defaultTrustLevel];
  const mode = permissionMode ?? parentConfig.permissionMode ?? trusted;
  const { additionalDirectories, bypassForbiddenBy } = parentConfig.permissions ?? {};
  return new Session({
    ...passedThrough,
    terminal,
    tools: filterSubagentTools(parentTools, agentDefinition),
    systemMessage: assembleSubagentPrompt({
      agentBody: agentDefinition.systemPrompt,
      claudeMd: parentContext.claudeMd,
      agentsMd: parentContext.agentsMd,
      environment: surroundingsOf(options.cwd ?? process.cwd()),
      isForkWorker,
    }),
    agentName: agentDefinition.name,
    model,
    maxTurns,
    permissionMode: mode,
    bypassForbiddenBy,
    permissions,
    additionalDirectories,
    subagent,
  });
}

function surroundingsOf(cwd: string): string {
  return `Working directory: ${cwd}\n${describeEnvironment(currentEnvironment())}`;
}
