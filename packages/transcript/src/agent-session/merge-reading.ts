import type { ConversationBlock, SubagentBlock, ToolUseBlock } from '../blocks.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import { reconcileBlocks } from '../reconcile-blocks.ts';

export interface MergedReading {
  /** The transcript's blocks in its order, under the ids already shown, plus blocks known only live. */
  readonly conversation: ConversationState;
  /** Blocks that were shown but are not in the transcript. */
  readonly unwritten: readonly ConversationBlock[];
}

/**
 * Merges a reading of the transcript into a conversation shown live: a shown block keeps its id, blocks the agent does
 * not write stay, and an interrupted call does not become open again because the transcript lacks its end.
 */
export function mergeReading(shown: ConversationState, read: ConversationState): MergedReading {
  const superseded = new Set(read.superseded.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
  const threads = new Map(shown.subagents.map(({ id, blocks }) => [id, blocks]));
  const main = mergeThread(shown.blocks, read.blocks, superseded);
  const subagents = read.subagents.map(({ id, blocks }) => {
    const merged = mergeThread(threads.get(id) ?? [], blocks, superseded);
    threads.delete(id);
    return { id, blocks: merged.blocks };
  });
  const unread = [...threads].map(([id, blocks]) => ({ id, blocks }));
  return {
    conversation: {
      blocks: main.blocks,
      subagents: [...subagents, ...unread],
      superseded: [
        ...shown.superseded.filter((one) => !isAmong(one.blocks, superseded)),
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
  superseded: ReadonlySet<string>,
): { readonly blocks: ConversationBlock[]; readonly unwritten: readonly ConversationBlock[] } {
  const known = new Map(shown.map((block) => [block.id, block]));
  const written = new Set(read.map(({ id }) => id));
  const unknown = read.filter(({ id }) => !known.has(id));
  const unmatched = shown.filter(({ id }) => !written.has(id) && !superseded.has(id));
  const matches = reconcileBlocks(unmatched, unknown);
  const shownIds = new Map([...matches].map(([live, native]) => [native, live]));
  const blocks = read.map((block) => {
    const id = shownIds.get(block.id) ?? block.id;
    return stillEnded(known.get(id), id === block.id ? block : { ...block, id });
  });
  const unwritten = unmatched.filter(({ id }) => !matches.has(id));
  return { blocks: withUnwritten(blocks, shown, unwritten), unwritten };
}

/** Keeps each block the transcript lacks after the block it was shown after. */
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

/** True for a call without a known end. */
export function isOpenCall(block: ConversationBlock): block is Call {
  return isCall(block) && (block.status === 'pending' || block.status === 'running');
}
