export {
  chatEntryToMessage,
  createSystemMessage,
  getMessagesForAPI,
  getModelName,
  type HistoryEntry,
  isChatEntry,
  messageToHistoryEntry,
} from '@robota-sdk/agent-core';
export type {
  DiffLine,
  Entry,
  ModelTally,
  ToolState,
  ToolSummary,
  TurnUsage,
  UsageCause,
} from '@robota-sdk/agent-core/log';
export type {
  PromptExtras,
  SessionLogger,
  SessionRecord,
  SessionRecordStore,
  SessionSummary,
  TerminalOutput,
} from '@robota-sdk/agent-session';
export { describeSaveFailure, redact, redactText } from '@robota-sdk/agent-session';
export {
  bashTool,
  editTool,
  findConfinement,
  globTool,
  grepTool,
  readTool,
  writeTool,
} from '@robota-sdk/agent-tools';
export {
  createRobotaArchitecture,
  registerRobotaArchitecture,
} from './architecture/robota-adapter.ts';
export {
  createRobotaDriver,
  type RobotaDriver,
  type RobotaQuery,
} from './architecture/robota-driver.ts';
export type { RobotaArchitectureDefaults } from './architecture/session-options.ts';
export type {
  AskPermission,
  Contribution,
  ExtensionContext,
  ExtensionHost,
  PreparedPrompt,
  PromptPreparation,
  ReadySession,
  SessionExtension,
} from './assembly/session-extension.ts';
export type {
  BackgroundTask,
  BackgroundTaskEvent,
  BackgroundTaskStatus,
} from './background/background-task.ts';
export { applyCommandResult, type ChangeableSession } from './commands/apply-command-result.ts';
export { BuiltinCommandSource } from './commands/builtin-command-source.ts';
export type { Command, CommandSource } from './commands/command.ts';
export { CommandRegistry } from './commands/command-registry.ts';
export type { CommandResult, SystemCommand } from './commands/system-command.ts';
export type { InactiveSetting } from './config/inactive-settings.ts';
export { PERMISSION_MODES } from './config/permission-modes.ts';
export {
  type ResolvedSettings,
  type ResolveSettingsOptions,
  resolveSettings,
} from './config/resolve-settings.ts';
export type { ResolvedConfig, ResolvedPermissions } from './config/resolved-config.ts';
export type {
  AutoCompactSetting,
  MarketplaceSetting,
  McpServerSetting,
  PermissionSettings,
  ProviderProfile,
  Settings,
  TransportSetting,
} from './config/settings.ts';
export { SettingsError } from './config/settings-error.ts';
export { isDirectoryTrusted, trustDirectory, type WorkspaceTrust } from './config/trust.ts';
export type { ProjectContext } from './context/load-context.ts';
export type { ProjectKind } from './context/project-kind.ts';
export { AgentExecutor, type AgentExecutorOptions } from './hooks/agent-executor.ts';
export { PromptExecutor, type PromptExecutorOptions } from './hooks/prompt-executor.ts';
export type { AgentPlaceRequest } from './host/agent-sessions.ts';
export type { HostedSession } from './host/hosted-session.ts';
export { openHostStore } from './host/open-host-store.ts';
export {
  type AcceptedSubmit,
  type NewSession,
  SessionHost,
  type SessionHostOptions,
} from './host/session-host.ts';
export type { InboundText, SessionOwner } from './host/stored-sessions.ts';
export { type HostSweeping, sweepEvery } from './host/sweep-every.ts';
export type {
  CompactionNotice,
  InteractiveSessionEvents,
  SessionNotice,
} from './interactive/events.ts';
export type { ExecutionResult, SubmitOutcome } from './interactive/execution-result.ts';
export { InteractiveSession } from './interactive/interactive-session.ts';
export type { ModelCost, ModelRequest } from './interactive/model-cost.ts';
export type {
  AssembledSessionOptions,
  InjectedSessionOptions,
  InteractiveSessionOptions,
  SubmitOptions,
} from './interactive/options.ts';
export type {
  InteractivePermissionHandler,
  PermissionAnswer,
  PermissionRequest,
  PermissionResolution,
} from './interactive/permission-broker.ts';
export type { QueuedPrompt } from './interactive/prompt-queue.ts';
export type { SessionPort } from './interactive/session-port.ts';
export { StreamEventRedactor } from './interactive/stream-event-redactor.ts';
export type { TransportAdapter } from './interactive/transport-adapter.ts';
export { type AgentLiveOptions, AgentLiveSession } from './live/agent-live-session.ts';
export { type AgentPlace, type AgentPlaceOptions, openAgentPlace } from './live/agent-place.ts';
export { type AttachableSession, toLiveSession } from './live/engine-live-session.ts';
export { FollowedSession, type FollowedSessionOptions } from './live/followed-session.ts';
export type {
  LiveAnswer,
  LiveChoice,
  LiveQuestion,
  LiveResolution,
} from './live/live-question.ts';
export type { LiveSession, SessionChanges } from './live/live-session.ts';
export type { ChangedFacts, LiveSessionEvents, StartedPrompt } from './live/live-session-events.ts';
export type { SessionCapabilities } from './live/session-capabilities.ts';
export type { SessionView } from './live/session-view.ts';
export {
  homeDirectory,
  type ProjectPaths,
  projectPaths,
  robotaHome,
  type UserPaths,
  userPaths,
} from './paths.ts';
export { promptForApproval } from './permissions/permission-prompt.ts';
export type { BundlePluginManifest, LoadedBundlePlugin } from './plugins/bundle-plugin.ts';
export {
  BundlePluginInstaller,
  type BundlePluginInstallerOptions,
  type InstallOptions,
} from './plugins/bundle-plugin-installer.ts';
export { BundlePluginLoader } from './plugins/bundle-plugin-loader.ts';
export { compareVersions } from './plugins/compare-versions.ts';
export {
  DEFAULT_MARKETPLACE_URL,
  type KnownMarketplace,
  MarketplaceClient,
  type MarketplaceClientOptions,
  type OfferedPlugin,
} from './plugins/marketplace-client.ts';
export type { MarketplaceSource } from './plugins/marketplace-source.ts';
export { PluginCommandSource } from './plugins/plugin-command-source.ts';
export type { InstalledPlugin } from './plugins/plugin-registry.ts';
export { type CreateQueryOptions, createQuery, type Query, type QueryOptions } from './query.ts';
export { followSessionLog } from './records/follow-session-log.ts';
export type { ForkStart } from './records/hand-over/fork-source.ts';
export {
  type HandOverOptions,
  type HandOverResult,
  HandOverTargetError,
  handOver,
  type WhenTooLong,
} from './records/hand-over/hand-over.ts';
export {
  type HandOverManifest,
  listHandOvers,
  type RemoveHandOverResult,
  removeHandOver,
} from './records/hand-over/hand-over-manifest.ts';
export {
  describeHandOver,
  type HandOverLoss,
  type HandOverReport,
} from './records/hand-over/hand-over-report.ts';
export type { HandOverSource } from './records/hand-over/source-session.ts';
export type { OpenedSession } from './records/open-session.ts';
export { createProjectSessionStore, ProjectSessionStore } from './records/project-session-store.ts';
export { renameSession } from './records/rename-session.ts';
export { scrubSession } from './records/scrub-session.ts';
export { AmbiguousSessionError, SessionNotFoundError } from './records/session-errors.ts';
export {
  deleteSession,
  latestSessionId,
  listSessionSummaries,
  resolveSessionReference,
  type SessionListScope,
} from './records/session-listing.ts';
export {
  type OpenSessionLog,
  openSavedSession,
  openSessionLog,
  type ReplayedSession,
  replaySession,
  type SessionLogPlace,
  type SessionValidation,
  validateSession,
} from './records/session-log.ts';
export type { Skill } from './skills/skill.ts';
export { SkillCommandSource } from './skills/skill-command-source.ts';
export type {
  IAgentDefinition,
  IBundlePluginManifest,
  ICommand,
  ICommandResult,
  ICommandSource,
  IDiffLine,
  IExecutionResult,
  IHistoryEntry,
  IInteractiveSessionEvents,
  IInteractiveSessionOptions,
  ILoadedBundlePlugin,
  IResolvedConfig,
  ISystemCommand,
  IToolState,
  IToolSummary,
  ITransportAdapter,
  TInteractivePermissionHandler,
} from './spec-names.ts';
export type { AgentDefinition } from './subagents/agent-definition.ts';
export { createSubagentLogger } from './subagents/create-subagent-logger.ts';
export {
  createSubagentSession,
  type SubagentSessionOptions,
} from './subagents/create-subagent-session.ts';
export { assembleSubagentPrompt, type SubagentPromptOptions } from './subagents/subagent-prompt.ts';
