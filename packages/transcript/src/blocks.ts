/** One thing that happened in a conversation. Told apart by `type`; ids are unique within a conversation. */
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

/** A file handed to the model whole, such as a PDF. */
export interface DocumentContent {
  readonly type: 'document';
  readonly source: ContentSource;
  readonly title?: string;
}

/** Where the bytes of an image or document are. */
export interface ContentSource {
  readonly type: 'base64' | 'url' | 'text';
  /** The bytes in base64, the address, or the text itself. */
  readonly data: string;
  readonly mediaType?: string;
}

/** A piece of a message. */
export type ContentPart = TextContent | ImageContent | DocumentContent;

/** Text, or text with images and documents. */
export type MessageContent = string | readonly ContentPart[];

/** What every block has. `timestamp` is ISO 8601, taken from the agent's own record. */
interface BlockOrigin {
  readonly id: string;
  readonly timestamp: string;
  /** Facts of the agent that have no field of their own. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Something a person said. */
export interface UserMessageBlock extends BlockOrigin {
  readonly type: 'user_message';
  readonly content: MessageContent;
}

/** Something the model said. */
export interface AssistantTextBlock extends BlockOrigin {
  readonly type: 'assistant_text';
  readonly content: string;
  readonly model?: string;
}

/** How a tool call stands. */
export type ToolExecutionStatus = 'pending' | 'running' | 'success' | 'error';

/** A tool that the model asked for. */
export interface ToolUseBlock extends BlockOrigin {
  readonly type: 'tool_use';
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly status: ToolExecutionStatus;
  readonly displayName?: string;
  readonly description?: string;
}

/** What a tool call came to. */
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

/** What kind of thing a program said. */
export type SystemSubtype =
  | 'session_start'
  | 'session_end'
  | 'error'
  | 'status'
  | 'hook_response'
  | 'auth_status';

/** Something the program said that is no part of the conversation. */
export interface SystemBlock extends BlockOrigin {
  readonly type: 'system';
  readonly subtype: SystemSubtype;
  readonly message: string;
}

/** How a subagent stands. */
export type SubagentStatus = ToolExecutionStatus;

/** Stands in the parent conversation for a thread of its own, found under `subagentId`. */
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
