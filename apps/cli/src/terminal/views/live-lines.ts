import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import { isShownByCall, resultOf, viewOptions } from '../state/print-blocks.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { blockLines, textPieceLines } from './block-lines.ts';

/** What is still happening: blocks that are not printed yet. */
export function liveLines(state: ScreenState): StyledLine[] {
  const { blocks } = state.conversation;
  const lines: StyledLine[] = [];
  for (let index = state.print.blocks; index < blocks.length; index++) {
    const block = blocks[index];
    if (!block || isShownByCall(blocks, index)) continue;
    lines.push(...liveBlock(state, block, index));
  }
  return lines;
}

function liveBlock(state: ScreenState, block: ConversationBlock, index: number): StyledLine[] {
  if (block.type === 'assistant_text') return liveText(state, block.content, index);
  if (block.type === 'thinking' && state.openBlocks.has(block.id))
    return liveThinking(block.content);
  const lines = blockLines(block, resultOf(state.conversation.blocks, index), viewOptions(state));
  const thread = block.type === 'subagent' ? threadLines(state, block.subagentId) : [];
  return [[], ...lines, ...thread];
}

function liveText(state: ScreenState, content: string, index: number): StyledLine[] {
  const from = index === state.print.blocks ? state.print.characters : 0;
  const rest = content.slice(from);
  return rest.trim() === '' ? [] : [[], ...textPieceLines(rest, from === 0, state.highlight)];
}

/** While it streams, the line being thought is worth more than the first one. */
function liveThinking(content: string): StyledLine[] {
  const last = content.trimEnd().split('\n').at(-1) ?? '';
  return [[], [span('✻ ', 'dim'), span(last === '' ? 'Thinking…' : last, 'dim')]];
}

/** The last steps of a subagent that is at work. */
function threadLines(state: ScreenState, subagentId: string): StyledLine[] {
  const thread = state.conversation.subagents.find(({ id }) => id === subagentId);
  const steps = (thread?.blocks ?? []).filter(
    ({ type }) => type === 'tool_use' || type === 'assistant_text',
  );
  return steps.slice(-3).flatMap((block) => {
    const [first] = blockLines(block, undefined, viewOptions(state));
    return first ? [[span('  │ ', 'dim'), ...first]] : [];
  });
}
