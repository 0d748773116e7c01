import type { ConversationBlock } from '../blocks.ts';
import { changeOf, firstEvent } from '../fold/diff-conversation.ts';
import type { SubagentThread } from '../parsed-transcript.ts';
import type { StreamEvent } from '../stream-events.ts';

/** Events for the last blocks of a conversation; `undefined` if they do not continue what is shown. */
export function diffTail(
  shown: readonly ConversationBlock[],
  tail: readonly ConversationBlock[],
): StreamEvent[] | undefined {
  const first = tail[0]?.id;
  const start = shown.findLastIndex(({ id }) => id === first);
  return start === -1 ? undefined : continued('main', shown.slice(start), tail);
}

/** As `diffTail`, for a subagent's file read alone: the shown thread also has our start and end blocks. */
export function diffAgentTail(
  { id, blocks }: SubagentThread,
  read: readonly ConversationBlock[],
): StreamEvent[] | undefined {
  const last = blocks.at(-1);
  const hasEnded = last?.type === 'system' && last.subtype === 'session_end';
  return hasEnded ? undefined : continued(id, blocks.slice(1), read);
}

function continued(
  conversationId: string,
  shown: readonly ConversationBlock[],
  now: readonly ConversationBlock[],
): StreamEvent[] | undefined {
  if (shown.some(({ id }, index) => now[index]?.id !== id)) return undefined;
  return now.flatMap((block, index) => {
    const earlier = shown[index];
    if (earlier === undefined) return [firstEvent(conversationId, block)];
    return changeOf(conversationId, earlier, block) ?? [];
  });
}
