export type { HistoryEntry as IHistoryEntry } from '@robota-sdk/agent-core';
export type {
  DiffLine as IDiffLine,
  ToolState as IToolState,
  ToolSummary as IToolSummary,
} from '@robota-sdk/agent-core/log';
export type { Command as ICommand, CommandSource as ICommandSource } from './commands/command.ts';
export type {
  CommandResult as ICommandResult,
  SystemCommand as ISystemCommand,
} from './commands/system-command.ts';
export type { ResolvedConfig as IResolvedConfig } from './config/resolved-config.ts';
export type { InteractiveSessionEvents as IInteractiveSessionEvents } from './interactive/events.ts';
export type { ExecutionResult as IExecutionResult } from './interactive/execution-result.ts';
export type { InteractiveSessionOptions as IInteractiveSessionOptions } from './interactive/options.ts';
export type { InteractivePermissionHandler as TInteractivePermissionHandler } from './interactive/permission-broker.ts';
export type { TransportAdapter as ITransportAdapter } from './interactive/transport-adapter.ts';
export type {
  BundlePluginManifest as IBundlePluginManifest,
  LoadedBundlePlugin as ILoadedBundlePlugin,
} from './plugins/bundle-plugin.ts';
export type { AgentDefinition as IAgentDefinition } from './subagents/agent-definition.ts';
