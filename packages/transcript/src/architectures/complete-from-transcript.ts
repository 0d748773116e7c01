import type { ConversationBlock } from '../blocks.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import { reconcileBlocks } from '../reconcile-blocks.ts';
import type { StreamEvent } from '../stream-events.ts';

/**
 * Events for what the transcript has and the stream has not shown since `startedAt`: blocks of any thread, outputs of tools,
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
    if (shown !== undefined && !hasMore(shown, block)) return [];
    const completed = shown === undefined ? block : { ...block, id: shown.id };
    return [{ type: 'block_complete', blockId: completed.id, block: completed, conversationId }];
  });
}

/** Whether the transcript has details of a call or result that the stream did not report. */
function hasMore(shown: ConversationBlock, block: ConversationBlock): boolean {
  if (block.type !== 'tool_use' && block.type !== 'tool_result' && block.type !== 'subagent') {
    return false;
  }
  return contentOf(shown) !== contentOf(block);
}

function contentOf({ id, timestamp, metadata, ...content }: ConversationBlock): string {
  return JSON.stringify(Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1)));
}
