export {
  chatEntryToMessage,
  createSystemMessage,
  getMessagesForAPI,
  getModelName,
  type HistoryEntry,
  isChatEntry,
  MissingOptionError,
  messageToHistoryEntry,
  ProviderError,
} from '@robota-sdk/agent-core';
export type {
  DiffLine,
  Entry,
  ModelTally,
  RewindScope,
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
  AskQuestion,
  Contribution,
  ExtensionContext,
  ExtensionHost,
  PreparedPrompt,
  PromptPreparation,
  ReadySession,
  RequestPermission,
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
export { effectiveLayers, type SettingsSource } from './config/effective-layers.ts';
export type { InactiveSetting } from './config/inactive-settings.ts';
export { PERMISSION_MODES } from './config/permission-modes.ts';
export { familyOfProvider } from './config/provider-profile.ts';
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
export {
  distrustDirectory,
  isDirectoryTrusted,
  listTrustedDirectories,
  type TrustedDirectory,
  trustDirectory,
  trustProblem,
  type WorkspaceTrust,
} from './config/trust.ts';
export type { ProjectContext } from './context/load-context.ts';
export type { ProjectKind } from './context/project-kind.ts';
export { AgentExecutor, type AgentExecutorOptions } from './hooks/agent-executor.ts';
export { PromptExecutor, type PromptExecutorOptions } from './hooks/prompt-executor.ts';
export { findAcpProgram } from './host/acp-program.ts';
export type { AgentPlaceRequest } from './host/agent-sessions.ts';
export { ArchiveRunner, type ArchiveRunnerParts } from './host/archive-runner.ts';
export type { HostedSession } from './host/hosted-session.ts';
export { openHostStore } from './host/open-host-store.ts';
export { type NewSession, SessionHost, type SessionHostOptions } from './host/session-host.ts';
export type { HostArchive } from './host/shared-sessions.ts';
export type { InboundText, SessionOwner } from './host/stored-sessions.ts';
export { type HostSweeping, sweepEvery } from './host/sweep-every.ts';
export { type Attachment, AttachmentError } from './interactive/attachments.ts';
export type {
  CompactionNotice,
  InteractiveSessionEvents,
  SessionNotice,
} from './interactive/events.ts';
export type { ExecutionResult, SubmitOutcome } from './interactive/execution-result.ts';
export { InteractiveSession } from './interactive/interactive-session.ts';
export type { ExtraModelRequest, ModelCost } from './interactive/model-cost.ts';
export type {
  AssembledSessionOptions,
  InjectedSessionOptions,
  InteractiveSessionOptions,
  SubmitOptions,
} from './interactive/options.ts';
export type {
  EngineQuestion,
  InteractivePermissionHandler,
  PermissionAnswer,
  PermissionRequest,
  PermissionResolution,
} from './interactive/permission-broker.ts';
export type { QueuedPrompt } from './interactive/prompt-queue.ts';
export type { SessionPort } from './interactive/session-port.ts';
export { StreamEventRedactor } from './interactive/stream-event-redactor.ts';
export type { TransportAdapter } from './interactive/transport-adapter.ts';
export type { AcceptedSubmit, AcceptingSession } from './live/accepting-session.ts';
export { type AgentLiveOptions, AgentLiveSession } from './live/agent-live-session.ts';
export {
  type AgentPlace,
  type AgentPlaceOptions,
  type LoadProfile,
  openAgentPlace,
} from './live/agent-place.ts';
export { type ArchiveLiveOptions, ArchiveLiveSession } from './live/archive-live-session.ts';
export { type AttachableSession, toLiveSession } from './live/engine-live-session.ts';
export { FollowedSession, type FollowedSessionOptions } from './live/followed-session.ts';
export type {
  LiveAnswer,
  LiveChoice,
  LiveQuestion,
  LiveResolution,
} from './live/live-question.ts';
export type { ForkOptions, LiveSession, SessionChanges } from './live/live-session.ts';
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
export type {
  BundlePluginManifest,
  LoadedBundlePlugin,
  PluginInCode,
} from './plugins/bundle-plugin.ts';
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
export { createQuery, type Query } from './query/create-query.ts';
export { type ObjectOutput, ObjectOutputError, submitForObject } from './query/object-output.ts';
export type { JsonSchema, ObjectSchema, OutputOf } from './query/object-schema.ts';
export type { CreateQueryOptions, QueryOptions } from './query/query-options.ts';
export type { QueryResult } from './query/query-result.ts';
export { type QueryEvent, QueryStream } from './query/query-stream.ts';
export { type FollowSessionLogOptions, followSessionLog } from './records/follow-session-log.ts';
export type { ForkStart } from './records/hand-over/fork-source.ts';
export { handOver } from './records/hand-over/hand-over.ts';
export {
  type HandOverManifest,
  listDamagedHandOvers,
  listHandOvers,
  type RemoveHandOverResult,
  removeHandOver,
} from './records/hand-over/hand-over-manifest.ts';
export {
  describeHandOver,
  type HandOverLoss,
  type HandOverReport,
} from './records/hand-over/hand-over-report.ts';
export {
  type HandOverOptions,
  type HandOverResult,
  HandOverTargetError,
  type WhenTooLong,
} from './records/hand-over/hand-over-request.ts';
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
export { readImages } from './references/read-reference.ts';
export type {
  ConflictChoice,
  RewindFile,
  RewindOptions,
  RewindPreview,
  RewindResult,
  UndoRewindOptions,
} from './rewind/rewind.ts';
export type { Skill, SkillInCode } from './skills/skill.ts';
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
