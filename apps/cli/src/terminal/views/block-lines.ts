import { describeTool, type ToolResultBlock } from '@robota-sdk/agent-transcript';
import type { StyledLine } from '../markdown/styled-text.ts';
import { resultOf } from '../state/find-result.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { assistantTextLines } from './blocks/assistant-text.ts';
import { subagentLines } from './blocks/subagent.ts';
import { systemLines } from './blocks/system.ts';
import { thinkingLines } from './blocks/thinking.ts';
import { toolUseLines } from './blocks/tool-use.ts';
import { userMessageLines } from './blocks/user-message.ts';
import { foldedOutput } from './folded-output.ts';

export interface BlockLook {
  /** Shows output and thinking in full. */
  readonly isUnfolded: boolean;
}

/** A block as terminal rows. A tool result is drawn with its call, not by itself. */
export function blockLines(
  state: ScreenState,
  index: number,
  { isUnfolded }: BlockLook,
): StyledLine[] {
  const block = state.conversation.blocks[index];
  const { columns, facts } = state;
  switch (block?.type) {
    case 'user_message':
      return userMessageLines(block, columns);
    case 'assistant_text':
      return assistantTextLines(block.content, state);
    case 'thinking':
      return thinkingLines(block, { columns, times: facts.times.get(block.id), isUnfolded });
    case 'tool_use':
      return toolUseLines(state, block, {
        result: resultOf(state.conversation.blocks, index),
        isUnfolded,
      });
    case 'tool_result':
      return lostResultLines(block, columns, isUnfolded);
    case 'system':
      return systemLines(block, { columns, advice: facts.advice.get(block.id), isUnfolded });
    case 'subagent':
      return subagentLines(state, block, { isUnfolded });
    case undefined:
      return [];
  }
}

/** A result whose call is no longer in the conversation. */
function lostResultLines(
  block: ToolResultBlock,
  columns: number,
  isUnfolded: boolean,
): StyledLine[] {
  const { id, timestamp, toolUseId } = block;
  const call = { id, timestamp, toolUseId, toolName: '', input: {}, status: 'success' } as const;
  const { text } = describeTool({ ...call, type: 'tool_use' }, block);
  return foldedOutput(text, { columns, isUnfolded, style: block.isError ? 'failure' : 'dim' });
}
