import type {
  AssistantTextBlock,
  ConversationBlock,
  SubagentBlock,
  SystemBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserMessageBlock,
} from './blocks.ts';

/** True for a message from the user. */
export function isUserMessageBlock(block: ConversationBlock): block is UserMessageBlock {
  return block.type === 'user_message';
}

/** True for text from the model. */
export function isAssistantTextBlock(block: ConversationBlock): block is AssistantTextBlock {
  return block.type === 'assistant_text';
}

/** True for a tool call. */
export function isToolUseBlock(block: ConversationBlock): block is ToolUseBlock {
  return block.type === 'tool_use';
}

/** True for the result of a tool call. */
export function isToolResultBlock(block: ConversationBlock): block is ToolResultBlock {
  return block.type === 'tool_result';
}

/** True for reasoning. */
export function isThinkingBlock(block: ConversationBlock): block is ThinkingBlock {
  return block.type === 'thinking';
}

/** True for a notice from the program. */
export function isSystemBlock(block: ConversationBlock): block is SystemBlock {
  return block.type === 'system';
}

/** True for the block that represents a subagent. */
export function isSubagentBlock(block: ConversationBlock): block is SubagentBlock {
  return block.type === 'subagent';
}
