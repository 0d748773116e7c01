import type { ConversationBlock, SubagentBlock, ToolUseBlock } from '../blocks.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import { reconcileBlocks } from '../reconcile-blocks.ts';

export interface MergedReading {
  /** The reading in its own order, under the ids that were shown, with what only the live session knows. */
  readonly conversation: ConversationState;
  /** What was shown and does not stand in the transcript. */
  readonly unwritten: readonly ConversationBlock[];
}

/**
 * What a reading of the transcript means to somebody who has watched live: a block that was shown keeps its id, what
 * agents do not write down stays, and what was given up is not at work again because the transcript lacks its end.
 */
export function mergeReading(shown: ConversationState, read: ConversationState): MergedReading {
  const aside = new Set(read.superseded.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
  const threads = new Map(shown.subagents.map(({ id, blocks }) => [id, blocks]));
  const main = mergeThread(shown.blocks, read.blocks, aside);
  const subagents = read.subagents.map(({ id, blocks }) => {
    const merged = mergeThread(threads.get(id) ?? [], blocks, aside);
    threads.delete(id);
    return { id, blocks: merged.blocks };
  });
  const unread = [...threads].map(([id, blocks]) => ({ id, blocks }));
  return {
    conversation: {
      blocks: main.blocks,
      subagents: [...subagents, ...unread],
      superseded: [
        ...shown.superseded.filter((one) => !isAmong(one.blocks, aside)),
        ...read.superseded,
      ],
      metadata: { ...shown.metadata, ...read.metadata },
    },
    unwritten: main.unwritten,
  };
}

function isAmong(blocks: readonly ConversationBlock[], ids: ReadonlySet<string>): boolean {
  return blocks.every(({ id }) => ids.has(id));
}

function mergeThread(
  shown: readonly ConversationBlock[],
  read: readonly ConversationBlock[],
  aside: ReadonlySet<string>,
): { readonly blocks: ConversationBlock[]; readonly unwritten: readonly ConversationBlock[] } {
  const known = new Map(shown.map((block) => [block.id, block]));
  const written = new Set(read.map(({ id }) => id));
  const unknown = read.filter(({ id }) => !known.has(id));
  const strange = shown.filter(({ id }) => !written.has(id) && !aside.has(id));
  const alike = reconcileBlocks(strange, unknown);
  const shownId = new Map([...alike].map(([live, native]) => [native, live]));
  const blocks = read.map((block) => {
    const id = shownId.get(block.id) ?? block.id;
    return stillEnded(known.get(id), id === block.id ? block : { ...block, id });
  });
  const unwritten = strange.filter(({ id }) => !alike.has(id));
  return { blocks: withUnwritten(blocks, shown, unwritten), unwritten };
}

/** What the transcript lacks stays behind the block it was shown behind. */
function withUnwritten(
  blocks: ConversationBlock[],
  shown: readonly ConversationBlock[],
  unwritten: readonly ConversationBlock[],
): ConversationBlock[] {
  if (unwritten.length === 0) return blocks;
  const extra = new Set(unwritten);
  const present = new Set(blocks.map(({ id }) => id));
  const following = new Map<string | undefined, ConversationBlock[]>();
  let before: string | undefined;
  for (const block of shown) {
    if (extra.has(block)) following.set(before, [...(following.get(before) ?? []), block]);
    else if (present.has(block.id)) before = block.id;
  }
  const first = following.get(undefined) ?? [];
  return [...first, ...blocks.flatMap((block) => [block, ...(following.get(block.id) ?? [])])];
}

function stillEnded(
  shown: ConversationBlock | undefined,
  block: ConversationBlock,
): ConversationBlock {
  if (shown === undefined || !isCall(shown) || !isCall(block)) return block;
  const wasEnded = shown.metadata?.interrupted === true && shown.status === 'error';
  return wasEnded && isOpenCall(block)
    ? ({ ...block, status: shown.status, metadata: shown.metadata } as ConversationBlock)
    : block;
}

type Call = ToolUseBlock | SubagentBlock;

function isCall(block: ConversationBlock): block is Call {
  return block.type === 'tool_use' || block.type === 'subagent';
}

/** Whether somebody is at work on it, as far as is known. */
export function isOpenCall(block: ConversationBlock): block is Call {
  return isCall(block) && (block.status === 'pending' || block.status === 'running');
}
