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

export function isUserMessageBlock(block: ConversationBlock): block is UserMessageBlock {
  return block.type === 'user_message';
}

export function isAssistantTextBlock(block: ConversationBlock): block is AssistantTextBlock {
  return block.type === 'assistant_text';
}

export function isToolUseBlock(block: ConversationBlock): block is ToolUseBlock {
  return block.type === 'tool_use';
}

export function isToolResultBlock(block: ConversationBlock): block is ToolResultBlock {
  return block.type === 'tool_result';
}

export function isThinkingBlock(block: ConversationBlock): block is ThinkingBlock {
  return block.type === 'thinking';
}

export function isSystemBlock(block: ConversationBlock): block is SystemBlock {
  return block.type === 'system';
}

export function isSubagentBlock(block: ConversationBlock): block is SubagentBlock {
  return block.type === 'subagent';
}
