export type { AgentArchitectureType, BuiltInArchitectureType } from './architecture-type.ts';
export type { AgentTraits } from './architectures/agent-traits.ts';
export { toAgentName, toAgentType } from './architectures/agent-traits.ts';
export { parseClaudeTranscriptFile } from './architectures/claude-agent-sdk/parse-transcript.ts';
export {
  type CodexParserOptions,
  createCodexTranscriptParser,
  parseCodexTranscriptFile,
} from './architectures/codex/parse-transcript.ts';
export {
  registerTranscriptFormat,
  type TranscriptFormat,
  transcriptFormats,
} from './architectures/formats.ts';
export type { TranscriptView } from './architectures/gemini-cli/message-ledger.ts';
export {
  type GeminiParseOptions,
  parseGeminiTranscriptFile,
} from './architectures/gemini-cli/parse-transcript.ts';
export { BlocksFold, type SavedBlocks } from './architectures/robota/blocks-fold.ts';
export {
  isAssistantTextBlock,
  isSubagentBlock,
  isSystemBlock,
  isThinkingBlock,
  isToolResultBlock,
  isToolUseBlock,
  isUserMessageBlock,
} from './block-guards.ts';
export type {
  AssistantTextBlock,
  ContentPart,
  ContentSource,
  ConversationBlock,
  DocumentContent,
  ImageContent,
  MessageContent,
  SubagentBlock,
  SubagentStatus,
  SystemBlock,
  SystemSubtype,
  TextContent,
  ThinkingBlock,
  ToolExecutionStatus,
  ToolResultBlock,
  ToolUseBlock,
  UserMessageBlock,
} from './blocks.ts';
export { describeTool, type ToolField, type ToolStep, type ToolView } from './describe-tool.ts';
export { applyStreamEvent } from './fold/apply-stream-event.ts';
export { type ConversationState, EMPTY_CONVERSATION } from './fold/conversation-state.ts';
export {
  type ConversationDifference,
  diffConversation,
} from './fold/diff-conversation.ts';
export type { ModelRequest, RequestCause } from './model-request.ts';
export { neutraliseEscapes, neutraliseLine } from './neutralise-escapes.ts';
export { createStreamTranslator, parseTranscripts } from './parse-transcripts.ts';
export type {
  ParsedTranscript,
  RawSubagentTranscript,
  RawTranscripts,
  SkippedInput,
  SubagentThread,
  SupersededBranch,
  SupersededReason,
} from './parsed-transcript.ts';
export type {
  Question,
  QuestionAnswer,
  QuestionChoice,
  QuestionField,
  QuestionKind,
} from './question.ts';
export { reconcileBlocks } from './reconcile-blocks.ts';
export type {
  RuntimeSessionData,
  RuntimeSubagent,
  SavedSessionData,
  SavedSubagent,
  SessionListData,
  SessionStatus,
  WorkspaceFile,
} from './session-data.ts';
export type { SessionMetadata, TokenUsage } from './session-metadata.ts';
export type { AGENT_ARCHITECTURE_TYPE } from './spec-names.ts';
export type {
  BlockCompleteEvent,
  BlockStartEvent,
  BlockUpdateEvent,
  BlockUpdates,
  MetadataUpdateEvent,
  StreamEvent,
  TextDeltaEvent,
} from './stream-events.ts';
export type { StreamTranslator } from './stream-translator.ts';
export { sumUsage } from './token-usage.ts';
export {
  compareLines,
  linesOfText,
  type TextChange,
  type ToolDiffLine,
} from './tool-view/line-diff.ts';
export { readableValue } from './tool-view/readable-value.ts';
export { type ToolDiff, toolDiff } from './tool-view/tool-diff.ts';
export type { ToolKind } from './tool-view/tool-kind.ts';
export type { SubagentReader, TranscriptParser, TranscriptReader } from './transcript-parser.ts';
