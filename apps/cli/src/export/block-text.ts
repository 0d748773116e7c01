import {
  type ConversationBlock,
  describeTool,
  type MessageContent,
  neutraliseLine,
  type ToolResultBlock,
  type ToolUseBlock,
  type ToolView,
} from '@robota-sdk/agent-transcript';

/** The text of a block, common to all export formats. */
export interface WrittenBlock {
  readonly heading: string;
  /** Prose is Markdown; code is verbatim; a diff has `+` and `-` before its lines. */
  readonly kind: 'prose' | 'code' | 'diff' | 'note';
  readonly text: string;
}

/** The blocks of a conversation as texts; a result is merged into its call. */
export function conversationTexts(blocks: readonly ConversationBlock[]): WrittenBlock[] {
  const results = new Map<string, ToolResultBlock>();
  for (const block of blocks) {
    if (block.type === 'tool_result') results.set(block.toolUseId, block);
  }
  const calls = new Set(
    blocks.flatMap((block) => (block.type === 'tool_use' ? [block.toolUseId] : [])),
  );
  return blocks.flatMap((block) => {
    if (block.type === 'tool_use') return [callText(block, results.get(block.toolUseId))];
    if (block.type === 'tool_result' && calls.has(block.toolUseId)) return [];
    return [blockText(block)];
  });
}

function blockText(block: ConversationBlock): WrittenBlock {
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
      return callText(block, undefined);
    case 'tool_result':
      return {
        heading: headingOf('Result', viewOfResult(block)),
        kind: 'code',
        text: viewOfResult(block).text,
      };
    case 'system':
      return { heading: 'System', kind: 'note', text: block.message };
    case 'subagent':
      return {
        heading: `Subagent: ${block.name ?? block.subagentId} (${block.status})`,
        kind: 'note',
        text: [block.input, block.output].filter(Boolean).join('\n\n'),
      };
  }
}

/** The text of a message, with placeholders for other content. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

/** The diff of a call, or its input and output. */
function callText(block: ToolUseBlock, result: ToolResultBlock | undefined): WrittenBlock {
  const view = describeTool(block, result);
  const heading = headingOf(`${view.verb} ${view.target}`.trim(), view);
  if (view.diff && view.state === 'success') {
    const lines = view.diff.lines.map(({ sign, text }) =>
      sign === '@' ? `@@ ${text}`.trim() : `${sign}${text}`,
    );
    return { heading, kind: 'diff', text: lines.join('\n') };
  }
  const asked = view.fields
    .filter(({ value }) => value !== view.target)
    .map(({ name, value }) => (value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`));
  const text = [asked.join('\n'), view.text.trimEnd()].filter((part) => part !== '').join('\n\n');
  return { heading, kind: 'code', text };
}

function headingOf(text: string, { state, exitCode }: ToolView): string {
  const words = neutraliseLine(text);
  if (exitCode !== undefined && exitCode !== 0) return `${words} (exit ${exitCode})`;
  if (state === 'denied') return `${words} (denied)`;
  return state === 'error' ? `${words} (failed)` : words;
}

/** A result whose call is missing. */
function viewOfResult(block: ToolResultBlock): ToolView {
  const { id, timestamp, toolUseId } = block;
  const call = { id, timestamp, toolUseId, toolName: '', input: {}, status: 'success' } as const;
  return describeTool({ ...call, type: 'tool_use' }, block);
}
