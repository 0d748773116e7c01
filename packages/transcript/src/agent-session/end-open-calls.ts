import type { ConversationBlock } from '../blocks.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import type { StreamEvent } from '../stream-events.ts';
import { isOpenCall } from './merge-reading.ts';

/** The program is not running: whatever its tools and agents were at will never be answered. */
export function endOpenCalls({ blocks, subagents }: ConversationState): StreamEvent[] {
  return [
    ...endIn('main', blocks),
    ...subagents.flatMap((thread) => endIn(thread.id, thread.blocks)),
  ];
}

function endIn(conversationId: string, blocks: readonly ConversationBlock[]): StreamEvent[] {
  return blocks.filter(isOpenCall).map(({ id, metadata }) => ({
    type: 'block_update',
    blockId: id,
    updates: { status: 'error', metadata: { ...metadata, interrupted: true } },
    conversationId,
  }));
}
