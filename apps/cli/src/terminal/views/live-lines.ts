import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import type { StyledLine } from '../markdown/styled-text.ts';
import { visibleEnd } from '../markdown/visible-end.ts';
import { isShownByCall } from '../state/find-result.ts';
import { currentQuestion } from '../state/question.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { bannerLines } from './banner.ts';
import { blockLines } from './block-lines.ts';
import { assistantTextLines } from './blocks/assistant-text.ts';
import { openThinkingLines } from './blocks/thinking.ts';
import { quietCallLines, quietCallsAt } from './quiet-calls.ts';

/** Everything that is not printed yet. */
export function liveLines(state: ScreenState): StyledLine[] {
  const { blocks } = state.conversation;
  const lines: StyledLine[] = state.banner.isPrinted ? [] : bannerLines(state);
  for (let index = state.print.blocks; index < blocks.length; ) {
    const quiet = quietCallsAt(blocks, index);
    if (quiet) lines.push([], ...quietCallLines(quiet, state));
    else lines.push(...openBlockLines(state, index));
    index = quiet ? quiet.next : index + 1;
  }
  return lines;
}

function openBlockLines(state: ScreenState, index: number): StyledLine[] {
  const { blocks } = state.conversation;
  const block = blocks[index];
  if (!block || isShownByCall(blocks, index) || isAskedAbout(state, block)) return [];
  if (block.type === 'assistant_text') {
    const from = index === state.print.blocks ? state.print.characters : 0;
    const rest = block.content.slice(from);
    if (rest.trim() === '') return [];
    return [[], ...assistantTextLines(visibleEnd(rest, state.rows), state)];
  }
  if (block.type === 'thinking' && state.openBlocks.has(block.id)) {
    return [[], ...openThinkingLines(block, state.columns)];
  }
  const lines = blockLines(state, index, { isUnfolded: false });
  return lines.length === 0 ? [] : [[], ...lines];
}

/** Whether the open question already shows this call. */
function isAskedAbout(state: ScreenState, block: ConversationBlock): boolean {
  const question = currentQuestion(state);
  if (question?.kind !== 'agent' || block.type !== 'tool_use') return false;
  return question.phase !== 'hidden' && question.asked.toolCallId === block.toolUseId;
}
