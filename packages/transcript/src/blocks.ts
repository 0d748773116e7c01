/** One event of a conversation, discriminated by `type`; ids are unique within a conversation. */
export type ConversationBlock =
  | UserMessageBlock
  | AssistantTextBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | SystemBlock
  | SubagentBlock;

/** Text in a message. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

/** An image in a message. */
export interface ImageContent {
  readonly type: 'image';
  readonly source: ContentSource;
}

/** A file passed to the model as it is, such as a PDF. */
export interface DocumentContent {
  readonly type: 'document';
  readonly source: ContentSource;
  readonly title?: string;
}

/** The content of an image or document. */
export interface ContentSource {
  readonly type: 'base64' | 'url' | 'text';
  /** Base64 bytes, a URL, or the text itself, depending on `type`. */
  readonly data: string;
  readonly mediaType?: string;
}

/** A piece of a message. */
export type ContentPart = TextContent | ImageContent | DocumentContent;

/** Text, or text with images and documents. */
export type MessageContent = string | readonly ContentPart[];

/** Fields of every block. `timestamp` is ISO 8601, taken from the agent's own record. */
interface BlockOrigin {
  readonly id: string;
  readonly timestamp: string;
  /** Agent-specific data without a field of its own. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A message from the user. */
export interface UserMessageBlock extends BlockOrigin {
  readonly type: 'user_message';
  readonly content: MessageContent;
}

/** Text from the model. */
export interface AssistantTextBlock extends BlockOrigin {
  readonly type: 'assistant_text';
  readonly content: string;
  readonly model?: string;
}

/** Progress of a tool call. */
export type ToolExecutionStatus = 'pending' | 'running' | 'success' | 'error';

/** A tool call requested by the model. */
export interface ToolUseBlock extends BlockOrigin {
  readonly type: 'tool_use';
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly status: ToolExecutionStatus;
  readonly displayName?: string;
  readonly description?: string;
}

/** The result of a tool call. */
export interface ToolResultBlock extends BlockOrigin {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly output: unknown;
  readonly isError: boolean;
  readonly durationMs?: number;
  readonly renderOutputAsMarkdown?: boolean;
}

/** Reasoning that the model showed. */
export interface ThinkingBlock extends BlockOrigin {
  readonly type: 'thinking';
  readonly content: string;
  readonly summary?: string;
}

/** The kind of a system block. */
export type SystemSubtype =
  | 'session_start'
  | 'session_end'
  | 'error'
  | 'status'
  | 'hook_response'
  | 'auth_status';

/** A notice from the program that is not part of the conversation. */
export interface SystemBlock extends BlockOrigin {
  readonly type: 'system';
  readonly subtype: SystemSubtype;
  readonly message: string;
}

/** Progress of a subagent. */
export type SubagentStatus = ToolExecutionStatus;

/** Represents a subagent in the parent conversation; its own thread is found under `subagentId`. */
export interface SubagentBlock extends BlockOrigin {
  readonly type: 'subagent';
  readonly subagentId: string;
  readonly name?: string;
  readonly input: string;
  readonly status: SubagentStatus;
  readonly output?: string;
  readonly durationMs?: number;
  readonly toolUseId?: string;
}
