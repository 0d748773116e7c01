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

/** Options of a subagent's session; nothing is read from disk. */
export interface SubagentSessionOptions extends PassedThrough {
  readonly agentDefinition: AgentDefinition;
  readonly parentConfig: ResolvedConfig;
  readonly parentContext: ProjectContext;
  /** Before any permission gate: the subagent's session has its own. */
  readonly parentTools: readonly Tool[];
  readonly provider: Provider;
  /** The parent's current model; defaults to that of its settings. */
  readonly parentModel?: string | undefined;
  /** Overrides the definition's model. */
  readonly model?: string | undefined;
  readonly isForkWorker?: boolean | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly terminal?: TerminalOutput | undefined;
  readonly subagent?: SubagentIdentity | undefined;
  /** Called when the wanted model belongs to another vendor. */
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

/** Creates a subagent's session with the parent's rules and only the tools its definition permits. */
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
      environment: environmentOf(options.cwd ?? process.cwd()),
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

function environmentOf(cwd: string): string {
  return `Working directory: ${cwd}\n${describeEnvironment(currentEnvironment())}`;
}
