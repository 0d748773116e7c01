import type { ConversationBlock, SubagentBlock } from '../blocks.ts';
import type { SupersededBranch, SupersededReason } from '../parsed-transcript.ts';
import type { BlockUpdateEvent, StreamEvent, TextDeltaEvent } from '../stream-events.ts';
import { BlockList } from './block-list.ts';
import type { ConversationState } from './conversation-state.ts';
import { type FoldedConversation, foldedFrom, stateOf } from './folded-conversation.ts';

/**
 * Returns the state after one more event; the given state is not modified. The cost does not depend on the length of
 * the conversation. An event about an unknown block changes nothing.
 */
export function applyStreamEvent(state: ConversationState, event: StreamEvent): ConversationState {
  const before = foldedFrom(state);
  const after = fold(before, event);
  return after === before ? state : stateOf(after);
}

function fold(folded: FoldedConversation, event: StreamEvent): FoldedConversation {
  switch (event.type) {
    case 'block_start':
    case 'block_complete':
      return putBlock(folded, event.conversationId, event.block);
    case 'text_delta':
      return appendText(folded, event);
    case 'block_update':
      return updateBlock(folded, event);
    case 'metadata_update':
      return { ...folded, metadata: { ...folded.metadata, ...event.metadata } };
    default:
      return folded;
  }
}

function putBlock(
  folded: FoldedConversation,
  conversationId: string,
  block: ConversationBlock,
): FoldedConversation {
  const list = threadOf(folded, conversationId);
  const earlier = list.find(block.id);
  const next = withThread(folded, conversationId, list.put(block));
  return block.type === 'subagent' ? withSubagentName(next, block, earlier) : next;
}

function appendText(folded: FoldedConversation, event: TextDeltaEvent): FoldedConversation {
  const list = threadOf(folded, event.conversationId);
  const block = list.find(event.blockId);
  if (block?.type !== 'assistant_text' && block?.type !== 'thinking') return folded;
  const longer = { ...block, content: block.content + event.delta };
  return withThread(folded, event.conversationId, list.put(longer));
}

function updateBlock(folded: FoldedConversation, event: BlockUpdateEvent): FoldedConversation {
  const { superseded, ...updates } = event.updates;
  if (superseded === null) return restore(folded, event);
  const list = threadOf(folded, event.conversationId);
  const block = list.find(event.blockId);
  if (block === undefined) return folded;
  // The translator that created the event knew the type of the block.
  const updated = { ...block, ...updates } as ConversationBlock;
  if (superseded !== undefined) return supersede(folded, event, { block: updated, superseded });
  return putBlock(folded, event.conversationId, updated);
}

/** Removes an abandoned block from its conversation and adds it to its branch. */
function supersede(
  folded: FoldedConversation,
  { conversationId }: BlockUpdateEvent,
  { block, superseded: reason }: { block: ConversationBlock; superseded: SupersededReason },
): FoldedConversation {
  const list = threadOf(folded, conversationId);
  const thread = resolveThread(folded, conversationId);
  const afterBlockId = list.before(block.id);
  const place = thread === MAIN ? {} : { conversationId: thread };
  const last = folded.superseded.at(-1);
  const isSameBranch = last?.reason === reason && (last.conversationId ?? MAIN) === thread;
  const joined = isSameBranch ? joinBranch(last, block, afterBlockId) : undefined;
  const superseded = joined
    ? [...folded.superseded.slice(0, -1), joined]
    : [...folded.superseded, { reason, afterBlockId, ...place, blocks: [block] }];
  return { ...withThread(folded, conversationId, list.without(block.id)), superseded };
}

function restore(folded: FoldedConversation, event: BlockUpdateEvent): FoldedConversation {
  const thread = resolveThread(folded, event.conversationId);
  const isHere = ({ conversationId = MAIN, blocks }: SupersededBranch) =>
    conversationId === thread && blocks.some(({ id }) => id === event.blockId);
  const at = folded.superseded.findLastIndex(isHere);
  const branch = folded.superseded[at];
  const block = branch?.blocks.find(({ id }) => id === event.blockId);
  if (branch === undefined || block === undefined) return folded;
  const rest = branch.blocks.filter((other) => other !== block);
  const left = rest.length > 0 ? [{ ...branch, blocks: rest }] : [];
  const superseded = folded.superseded.toSpliced(at, 1, ...left);
  return putBlock({ ...folded, superseded }, event.conversationId, block);
}

/** A block next to the last superseded one belongs to the same branch, on either side. */
function joinBranch(
  branch: SupersededBranch,
  block: ConversationBlock,
  afterBlockId: string | null,
): SupersededBranch | undefined {
  if (branch.afterBlockId === block.id) {
    return { ...branch, afterBlockId, blocks: [block, ...branch.blocks] };
  }
  if (branch.afterBlockId !== afterBlockId) return undefined;
  return { ...branch, blocks: [...branch.blocks, block] };
}

/** Once a subagent's own id is known, its thread moves there from its tool-use id. */
function withSubagentName(
  folded: FoldedConversation,
  block: SubagentBlock,
  earlier: ConversationBlock | undefined,
): FoldedConversation {
  const oldId = earlier?.type === 'subagent' ? earlier.subagentId : block.toolUseId;
  if (oldId === undefined || oldId === block.subagentId) return folded;
  if (folded.aliases.get(oldId) === block.subagentId) return folded;
  const aliases = new Map(folded.aliases).set(oldId, block.subagentId);
  const moved = folded.threads.get(oldId);
  if (moved === undefined) return { ...folded, aliases };
  return { ...folded, aliases, threads: renamedThread(folded.threads, oldId, block.subagentId) };
}

function renamedThread(
  threads: ReadonlyMap<string, BlockList>,
  from: string,
  to: string,
): ReadonlyMap<string, BlockList> {
  const target = threads.get(to);
  const renamed = new Map<string, BlockList>();
  for (const [id, list] of threads) {
    if (id === from) renamed.set(to, mergedLists(list, target));
    else if (id !== to) renamed.set(id, list);
  }
  return renamed;
}

function mergedLists(list: BlockList, other: BlockList | undefined): BlockList {
  return (other?.toArray() ?? []).reduce((merged, block) => merged.put(block), list);
}

const MAIN = 'main';

function resolveThread(folded: FoldedConversation, conversationId: string): string {
  return folded.aliases.get(conversationId) ?? conversationId;
}

function threadOf(folded: FoldedConversation, conversationId: string): BlockList {
  if (conversationId === MAIN) return folded.main;
  return folded.threads.get(resolveThread(folded, conversationId)) ?? BlockList.from([]);
}

function withThread(
  folded: FoldedConversation,
  conversationId: string,
  list: BlockList,
): FoldedConversation {
  if (conversationId === MAIN) return { ...folded, main: list };
  const threads = new Map(folded.threads).set(resolveThread(folded, conversationId), list);
  return { ...folded, threads };
}
