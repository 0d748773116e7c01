import type { ConversationBlock } from './blocks.ts';

/**
 * Which block of a reloaded conversation each live block has become, by id. Blocks that carry the agent's own id
 * keep it; those numbered here because the stream named none are matched in order by what they are and say.
 */
export function reconcileBlocks(
  live: readonly ConversationBlock[],
  parsed: readonly ConversationBlock[],
): ReadonlyMap<string, string> {
  const known = new Set(parsed.map((block) => block.id));
  const sameId = live.filter((block) => known.has(block.id)).map((block) => block.id);
  const map = new Map(sameId.map((id) => [id, id]));
  const taken = new Set(sameId);
  let from = 0;
  for (const block of live) {
    if (known.has(block.id)) continue;
    const place = findCounterpart(parsed, block, { from, taken });
    const counterpart = parsed[place];
    if (counterpart === undefined) continue;
    map.set(block.id, counterpart.id);
    taken.add(counterpart.id);
    from = place + 1;
  }
  return map;
}

/** The first counterpart from `from` on that is still free, or else one before it. */
function findCounterpart(
  parsed: readonly ConversationBlock[],
  block: ConversationBlock,
  { from, taken }: { from: number; taken: ReadonlySet<string> },
): number {
  const wanted = meaningOf(block);
  const matches = (candidate: ConversationBlock) =>
    !taken.has(candidate.id) && candidate.type === block.type && meaningOf(candidate) === wanted;
  const later = parsed.findIndex((candidate, index) => index >= from && matches(candidate));
  return later === -1 ? parsed.findIndex(matches) : later;
}

/** What a block says, without its id, time and state. */
function meaningOf(block: ConversationBlock): string {
  switch (block.type) {
    case 'user_message':
    case 'assistant_text':
    case 'thinking':
      return JSON.stringify(block.content);
    case 'tool_use':
      return JSON.stringify([block.toolName, block.input]);
    case 'tool_result':
      return JSON.stringify([block.isError, block.output]);
    case 'system':
      return block.message;
    case 'subagent':
      return JSON.stringify([block.name, block.input]);
  }
}
