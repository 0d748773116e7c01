import type { ConversationBlock } from '../blocks.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import { reconcileBlocks } from '../reconcile-blocks.ts';
import type { StreamEvent } from '../stream-events.ts';

/**
 * What the transcript has and the stream has not shown since `startedAt`: blocks of any thread, outputs of tools,
 * subagents. Live ids are kept.
 */
export function completeFromTranscript(
  live: ConversationState,
  parsed: ParsedTranscript,
  startedAt: string,
): StreamEvent[] {
  const threads = new Map(live.subagents.map(({ id, blocks }) => [id, blocks]));
  const main = completeThread('main', live.blocks, since(parsed.blocks, startedAt));
  const others = parsed.subagents.flatMap(({ id, blocks }) =>
    completeThread(id, threads.get(id) ?? [], since(blocks, startedAt)),
  );
  return [...main, ...others];
}

function since(blocks: readonly ConversationBlock[], startedAt: string): ConversationBlock[] {
  return blocks.filter(({ timestamp }) => timestamp >= startedAt);
}

function completeThread(
  conversationId: string,
  live: readonly ConversationBlock[],
  fresh: readonly ConversationBlock[],
): StreamEvent[] {
  const liveOf = new Map([...reconcileBlocks(live, fresh)].map(([from, to]) => [to, from]));
  const known = new Map(live.map((block) => [block.id, block]));
  return fresh.flatMap((block) => {
    const shown = known.get(liveOf.get(block.id) ?? '');
    if (shown !== undefined && !saysMore(shown, block)) return [];
    const told = shown === undefined ? block : { ...block, id: shown.id };
    return [{ type: 'block_complete', blockId: told.id, block: told, conversationId }];
  });
}

/** Whether the transcript knows of a call or its result what the stream did not tell. */
function saysMore(shown: ConversationBlock, block: ConversationBlock): boolean {
  if (block.type !== 'tool_use' && block.type !== 'tool_result' && block.type !== 'subagent') {
    return false;
  }
  return meaningOf(shown) !== meaningOf(block);
}

function meaningOf({ id, timestamp, metadata, ...meaning }: ConversationBlock): string {
  return JSON.stringify(Object.entries(meaning).sort(([one], [other]) => (one < other ? -1 : 1)));
}
