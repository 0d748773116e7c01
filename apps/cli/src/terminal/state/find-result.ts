import type { ConversationBlock, ToolResultBlock } from '@robota-sdk/agent-transcript';

/** A result follows its call closely; blocks further away are not searched. */
const RESULT_REACH = 256;

/** The result of a call, if it has arrived. */
export function resultOf(
  blocks: readonly ConversationBlock[],
  index: number,
): ToolResultBlock | undefined {
  const call = blocks[index];
  if (call?.type !== 'tool_use') return undefined;
  for (let next = index + 1; next < Math.min(blocks.length, index + RESULT_REACH); next++) {
    const block = blocks[next];
    if (block?.type === 'tool_result' && block.toolUseId === call.toolUseId) return block;
  }
  return undefined;
}

/** Whether the result is drawn together with its call. */
export function isShownByCall(blocks: readonly ConversationBlock[], index: number): boolean {
  const result = blocks[index];
  if (result?.type !== 'tool_result') return false;
  for (let before = index - 1; before >= Math.max(0, index - RESULT_REACH); before--) {
    const block = blocks[before];
    if (block?.type === 'tool_use' && block.toolUseId === result.toolUseId) return true;
  }
  return false;
}
