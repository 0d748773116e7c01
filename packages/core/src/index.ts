export { Agent } from './agent/agent.ts';
export { AgentBusyError } from './agent/agent-busy-error.ts';
export type {
  AgentConfig,
  Prompt,
  PromptWithParts,
  RunOptions,
  RunResult,
} from './agent/agent-config.ts';
export { AgentConfigError } from './agent/agent-config-error.ts';
export type { InjectedMessageFields } from './agent/message-from-outside.ts';
export type { ContextWindowState } from './context/context-window-state.ts';
export { contextWindowState } from './context/context-window-state.ts';
export type { ContextEstimate, EstimateOptions } from './context/estimate.ts';
export {
  estimateContextTokensFromMessages,
  estimateSerializedContextTokens,
} from './context/estimate.ts';
export type { TokenUsage } from './context/usage.ts';
export { addUsage, readUsage } from './context/usage.ts';
export { OUTCOME_UNKNOWN_TEXT, repairToolPairs } from './conversation/repair-tool-pairs.ts';
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
export { compileGlob, type Glob } from './glob.ts';
export type { RunHooksOptions } from './hooks/configured-hooks.ts';
export { HOOK_TIMEOUT_SECONDS } from './hooks/execute-hook.ts';
export { commandHookExecutor } from './hooks/executors/command.ts';
export { DEFAULT_HOOK_EXECUTORS } from './hooks/executors/defaults.ts';
export { functionHookExecutor } from './hooks/executors/function.ts';
export { httpHookExecutor } from './hooks/executors/http.ts';
export type {
  HookAnswer,
  HookDefinition,
  HookEvent,
  HookExecution,
  HookFailure,
  HookFunction,
  HookGroup,
  HookInput,
  HookOutcome,
  HooksConfig,
  HookTypeExecutor,
} from './hooks/hook.ts';
export { HOOK_EVENTS } from './hooks/hook.ts';
export type { HooksProblem } from './hooks/hook-fields.ts';
export type {
  EventHook,
  HookFunctions,
  HookInputOf,
  HookReply,
  MatchedHook,
} from './hooks/hook-functions.ts';
export { toHooksConfig } from './hooks/hook-functions.ts';
export { mergeHooks } from './hooks/merge-hooks.ts';
export { parseHooksConfig } from './hooks/parse-hooks-config.ts';
export type { ReadHooks, ReadHooksOptions } from './hooks/read-hooks-config.ts';
export { readHooksConfig } from './hooks/read-hooks-config.ts';
export { runHooks } from './hooks/run-hooks.ts';
export type { JsonObject, JsonValue } from './json.ts';
export type { EndedBy, SessionLogEntry } from './log/entry.ts';
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
  InlineFilePart,
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
export { assertProvider, MissingOptionError } from './missing-option-error.ts';
export type { ModelOptions } from './model-options.ts';
export type { ChosenModel, ModelCandidate, ModelProvider } from './models/choose-model.ts';
export {
  chooseModel,
  expandModelAlias,
  modelFamilyOf,
  providerFamilyOf,
} from './models/choose-model.ts';
export { listModels, type ModelOffer, problemWithModel } from './models/list-models.ts';
export type { ModelOverrides } from './models/model-limits.ts';
export { formatTokenCount, getModelLimits, getModelName } from './models/model-limits.ts';
export type { ModelFamily, ModelLimits } from './models/model-table.ts';
export { DEFAULT_MODELS, MODEL_ALIASES, UNNAMED_MODEL } from './models/model-table.ts';
export { findModelLimits, priceUsage } from './models/price-usage.ts';
export {
  loadRequestPricer,
  type PricedTokens,
  type RequestPricer,
} from './models/request-prices.ts';
export { nearestName } from './nearest-name.ts';
export { type CallGrant, grantOf, withGrant } from './permissions/call-grant.ts';
export { denyRuleNotice } from './permissions/deny-rule-notice.ts';
export { evaluatePermission, explainPermission } from './permissions/evaluate-permission.ts';
export {
  judgeToolCall,
  readFilter,
  type ToolCallJudgement,
  type ToolCallQuestion,
} from './permissions/judge-tool-call.ts';
export { isOwnSecret } from './permissions/own-secrets.ts';
export type {
  PermissionDecision,
  PermissionExplanation,
  PermissionLists,
  PermissionMode,
  TrustLevel,
  UnaskedCommand,
} from './permissions/permission.ts';
export { TRUST_TO_MODE } from './permissions/permission.ts';
export { isProtected } from './permissions/protected-paths.ts';
export { readOnlyEnvironment } from './permissions/read-only/read-only-environment.ts';
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
export type { Clock, ClockTimer } from './run/clock.ts';
export type { RetryPolicy } from './run/retry-policy.ts';
export type {
  IAgentConfig,
  IAIProvider,
  IAssistantMessage,
  IChatOptions,
  IContextWindowState,
  IHistoryEntry,
  IHookInput,
  IHookTypeExecutor,
  INativeWebToolsRequest,
  IProviderCapabilities,
  IProviderNativeRawPayloadEvent,
  IRunOptions,
  IRunResult,
  ISystemMessage,
  IToolCall,
  IToolExecutionContext,
  IToolMessage,
  IToolResult,
  IToolSchema,
  IToolWithEventService,
  IUserMessage,
  THooksConfig,
  TMessageState,
  TPermissionDecision,
  TPermissionMode,
  TTextDeltaCallback,
  TToolArgs,
  TTrustLevel,
  TUniversalMessage,
  TUniversalMessagePart,
  TUniversalMessageRole,
} from './spec-names.ts';
export { Robota } from './spec-names.ts';
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
export {
  mergeUpdatedInput,
  TOOL_PARAMETER_SPELLINGS,
  toOurSpelling,
  withBothSpellings,
} from './tool-spelling.ts';
