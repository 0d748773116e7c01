import type { ConversationBlock, MessageContent } from '@robota-sdk/agent-transcript';

/** What a block says, in one shape for every written form. */
export interface BlockText {
  readonly heading: string;
  /** Prose is Markdown; code is shown as it is. */
  readonly kind: 'prose' | 'code' | 'note';
  readonly text: string;
}

export function blockText(block: ConversationBlock): BlockText {
  switch (block.type) {
    case 'user_message':
      return { heading: 'User', kind: 'prose', text: contentText(block.content) };
    case 'assistant_text':
      return {
        heading: block.model ? `Assistant (${block.model})` : 'Assistant',
        kind: 'prose',
        text: block.content,
      };
    case 'thinking':
      return { heading: 'Thinking', kind: 'note', text: block.content };
    case 'tool_use':
      return {
        heading: `Tool: ${block.toolName}`,
        kind: 'code',
        text: JSON.stringify(block.input, null, 2),
      };
    case 'tool_result':
      return {
        heading: block.isError ? 'Result (failed)' : 'Result',
        kind: 'code',
        text: valueText(block.output),
      };
    case 'system':
      return { heading: 'System', kind: 'note', text: block.message };
    case 'subagent':
      return {
        heading: `Subagent: ${block.name ?? block.subagentId} (${block.status})`,
        kind: 'note',
        text: block.input,
      };
  }
}

/** The words of a message; what is no text stands as a placeholder. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

/** Output as a person reads it: text as it is, parts joined, anything else as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(partText).join('\n');
  return JSON.stringify(value, null, 2) ?? '';
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null || !('type' in part)) return JSON.stringify(part);
  if (part.type === 'text' && 'text' in part) return String(part.text);
  return `[${String(part.type)}]`;
}
