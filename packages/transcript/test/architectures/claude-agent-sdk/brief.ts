import type { ConversationBlock } from '@robota-sdk/agent-transcript';

/** A block as one line, for comparison. */
export function brief(block: ConversationBlock): string {
  switch (block.type) {
    case 'user_message':
      return `user: ${JSON.stringify(block.content)}`;
    case 'assistant_text':
      return `text: ${block.content}`;
    case 'thinking':
      return `thinking: ${block.content}`;
    case 'tool_use':
      return `${block.toolName} ${block.toolUseId}: ${block.status}`;
    case 'tool_result':
      return `result ${block.toolUseId}: ${JSON.stringify(block.output)}${block.isError ? ' (error)' : ''}`;
    case 'system':
      return `${block.subtype}: ${block.message}`;
    case 'subagent':
      return `subagent ${block.subagentId} ${block.name ?? '-'}: ${block.status}`;
  }
}

export function briefs(blocks: readonly ConversationBlock[]): string[] {
  return blocks.map(brief);
}
