export type { ContextWindowState } from './context/context-window-state.ts';
export type {
  BatchScope,
  EngineEvent,
  EngineEventCallback,
  HistoryMutationEvent,
  ProviderRequestEvent,
  ProviderResponseNormalizedEvent,
  RoundScope,
  RunScope,
  ToolBatchStartedEvent,
  ToolExecutionRequestEvent,
  ToolExecutionResultEvent,
} from './engine-event.ts';
export type {
  HookAnswer,
  HookDefinition,
  HookEvent,
  HookFailure,
  HookFunction,
  HookGroup,
  HookInput,
  HookOutcome,
  HooksConfig,
  HookTypeExecutor,
} from './hooks/hook.ts';
export { HOOK_EVENTS } from './hooks/hook.ts';
export type { JsonObject, JsonValue } from './json.ts';
export type { SessionLogEntry } from './log-entry.ts';
export type { ChatEntry, HistoryEntry } from './messages/history-entry.ts';
export {
  chatEntryToMessage,
  getMessagesForAPI,
  isChatEntry,
  messageToHistoryEntry,
} from './messages/history-entry.ts';
export type {
  AssistantMessage,
  ImageUriPart,
  InlineImagePart,
  Message,
  MessageMetadata,
  MessagePart,
  MessageRole,
  MessageState,
  SystemMessage,
  TextPart,
  ThinkingPart,
  ToolCall,
  ToolMessage,
  UserMessage,
  VendorData,
  VendorPart,
} from './messages/message.ts';
export {
  createAssistantMessage,
  createSystemMessage,
  createToolMessage,
  createUserMessage,
} from './messages/message.ts';
export type {
  PermissionDecision,
  PermissionExplanation,
  PermissionLists,
  PermissionMode,
  TrustLevel,
} from './permissions/permission.ts';
export { TRUST_TO_MODE } from './permissions/permission.ts';
export type {
  ChatOptions,
  NativeWebCapability,
  NativeWebToolsRequest,
  Provider,
  ProviderCapabilities,
  ProviderNativeRawPayload,
  ServerToolUseCallback,
  TextDeltaCallback,
  ThinkingEffort,
  ToolCallDelta,
} from './provider.ts';
export type { ProviderErrorFacts, ProviderErrorKind } from './provider-error.ts';
export { ProviderError } from './provider-error.ts';
export type {
  Tool,
  ToolExecutionContext,
  ToolOutcome,
  ToolParameters,
  ToolSchema,
  ToolTouch,
  ToolTouchContext,
  ToolValidation,
} from './tool.ts';
export type { SandboxRunOptions, SandboxRunResult, ToolSandbox } from './tool-sandbox.ts';
