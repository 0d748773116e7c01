/** The root entry without the permission code, for packages that need a fast start. */
export { Agent } from './agent/agent.ts';
export { AgentBusyError } from './agent/agent-busy-error.ts';
export { AgentConfigError } from './agent/agent-config-error.ts';
export { contextWindowState } from './context/context-window-state.ts';
export {
  estimateContextTokensFromMessages,
  estimateSerializedContextTokens,
} from './context/estimate.ts';
export { addUsage, readUsage } from './context/usage.ts';
export { OUTCOME_UNKNOWN_TEXT, repairToolPairs } from './conversation/repair-tool-pairs.ts';
export { HOOK_TIMEOUT_SECONDS } from './hooks/execute-hook.ts';
export { commandHookExecutor } from './hooks/executors/command.ts';
export { DEFAULT_HOOK_EXECUTORS } from './hooks/executors/defaults.ts';
export { functionHookExecutor } from './hooks/executors/function.ts';
export { httpHookExecutor } from './hooks/executors/http.ts';
export { HOOK_EVENTS } from './hooks/hook.ts';
export { toHooksConfig } from './hooks/hook-functions.ts';
export { mergeHooks } from './hooks/merge-hooks.ts';
export { parseHooksConfig } from './hooks/parse-hooks-config.ts';
export { readHooksConfig } from './hooks/read-hooks-config.ts';
export { runHooks } from './hooks/run-hooks.ts';
export {
  chatEntryToMessage,
  getMessagesForAPI,
  isChatEntry,
  messageToHistoryEntry,
} from './messages/history-entry.ts';
export {
  createAssistantMessage,
  createSystemMessage,
  createToolMessage,
  createUserMessage,
} from './messages/message.ts';
export { assertProvider, MissingOptionError } from './missing-option-error.ts';
export {
  chooseModel,
  expandModelAlias,
  modelFamilyOf,
  providerFamilyOf,
} from './models/choose-model.ts';
export { listModels, problemWithModel } from './models/list-models.ts';
export { formatTokenCount, getModelLimits, getModelName } from './models/model-limits.ts';
export { DEFAULT_MODELS, MODEL_ALIASES, UNNAMED_MODEL } from './models/model-table.ts';
export { findModelLimits, priceUsage } from './models/price-usage.ts';
export { loadRequestPricer } from './models/request-prices.ts';
export { nearestName } from './nearest-name.ts';
export { grantOf, withGrant } from './permissions/call-grant.ts';
export { denyRuleNotice } from './permissions/deny-rule-notice.ts';
export { isOwnSecret } from './permissions/own-secrets.ts';
export { TRUST_TO_MODE } from './permissions/permission.ts';
export { readOnlyEnvironment } from './permissions/read-only/read-only-environment.ts';
export { ProviderError } from './provider-error.ts';
export { Robota } from './spec-names.ts';
export {
  mergeUpdatedInput,
  TOOL_PARAMETER_SPELLINGS,
  toOurSpelling,
  withBothSpellings,
} from './tool-spelling.ts';
