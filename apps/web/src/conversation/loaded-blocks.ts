import type { ConversationBlock, ToolResultBlock } from '@robota-sdk/agent-transcript';
import type { BlockReader } from './row-plan.ts';

/** A reader over fully loaded blocks. Results are indexed once. */
export function loadedBlocks(blocks: readonly ConversationBlock[]): BlockReader {
  const results = new Map<string, ToolResultBlock>();
  for (const block of blocks) if (block.type === 'tool_result') results.set(block.toolUseId, block);
  return {
    total: blocks.length,
    at: (ordinal) => blocks[ordinal],
    resultOf: (toolUseId) => results.get(toolUseId),
  };
}
