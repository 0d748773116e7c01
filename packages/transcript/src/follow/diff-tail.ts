import type { ConversationBlock } from '../blocks.ts';
import { changeOf, firstTold } from '../fold/diff-conversation.ts';
import type { SubagentThread } from '../parsed-transcript.ts';
import type { StreamEvent } from '../stream-events.ts';

/** What the last blocks of a conversation say beyond what is shown; `undefined` when they do not continue it. */
export function diffTail(
  shown: readonly ConversationBlock[],
  tail: readonly ConversationBlock[],
): StreamEvent[] | undefined {
  const first = tail[0]?.id;
  const start = shown.findLastIndex(({ id }) => id === first);
  return start === -1 ? undefined : continued('main', shown.slice(start), tail);
}

/** The same for a subagent whose file was read by itself: its thread begins and ends with blocks of ours. */
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
    if (earlier === undefined) return [firstTold(conversationId, block)];
    return changeOf(conversationId, earlier, block) ?? [];
  });
}
