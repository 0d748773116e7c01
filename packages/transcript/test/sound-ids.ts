import type { ConversationBlock, ConversationState } from '@robota-sdk/agent-transcript';

/** Blocks and threads of a conversation without an id, or without the id of their call. */
export function unnamedIn(parsed: ConversationState): unknown[] {
  const threads = [parsed.blocks, ...parsed.subagents.map(({ blocks }) => blocks)];
  const aside = parsed.superseded.map(({ blocks }) => blocks);
  const unnamed = [...threads, ...aside].flat().filter(isUnnamed);
  return [...unnamed, ...parsed.subagents.filter(({ id }) => id === '')];
}

function isUnnamed(block: ConversationBlock): boolean {
  return (
    block.id === '' ||
    ('toolUseId' in block && block.toolUseId === '') ||
    ('subagentId' in block && block.subagentId === '')
  );
}
