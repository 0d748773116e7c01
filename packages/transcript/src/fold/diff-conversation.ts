import type { ConversationBlock } from '../blocks.ts';
import type { SupersededBranch, SupersededReason } from '../parsed-transcript.ts';
import type { BlockUpdates, StreamEvent } from '../stream-events.ts';
import { applyStreamEvent } from './apply-stream-event.ts';
import type { ConversationState } from './conversation-state.ts';

/** What would have to happen for one conversation to become another. */
export interface ConversationDifference {
  /** What has to be told to whoever shows the one conversation, so that it becomes the other. */
  readonly events: readonly StreamEvent[];
  /** The conversation after the events. */
  readonly state: ConversationState;
  /** Whether that is the other conversation; events only append, so a block in the middle cannot be told. */
  readonly isWhole: boolean;
}

/** How one conversation becomes another that is a later reading of the same session. */
export function diffConversation(
  shown: ConversationState,
  now: ConversationState,
): ConversationDifference {
  const reasons = reasonsOf(now.superseded);
  const events: StreamEvent[] = [];
  let state = shown;
  const tell = (told: readonly StreamEvent[]) => {
    events.push(...told);
    state = told.reduce(applyStreamEvent, state);
  };
  tell(diffThread('main', state.blocks, now.blocks, reasons));
  for (const { id, blocks } of now.subagents) {
    // The events before may have given a thread the name it has now.
    const known = state.subagents.find((thread) => thread.id === id)?.blocks ?? [];
    tell(diffThread(id, known, blocks, reasons));
  }
  tell(diffMetadata(shown.metadata, now.metadata));
  return { events, state, isWhole: shows(state, now) };
}

/**
 * Whether the state shows what is there now: the same blocks in the same order, and everything aside. The order of
 * threads does not count, nor does what was shown once and has since been given another id: it is aside as well.
 */
function shows(state: ConversationState, now: ConversationState): boolean {
  const threads = new Map(state.subagents.map(({ id, blocks }) => [id, blocks]));
  const aside = new Set(idsAside(state.superseded));
  return (
    hasSameIds(state.blocks, now.blocks) &&
    threads.size === now.subagents.length &&
    now.subagents.every(({ id, blocks }) => hasSameIds(threads.get(id) ?? [], blocks)) &&
    idsAside(now.superseded).every((id) => aside.has(id)) &&
    Object.keys(state.metadata).length === Object.keys(now.metadata).length
  );
}

type Reasons = ReadonlyMap<string, SupersededReason>;

// Four things make a thread's difference, and all four differ from call to call.
function diffThread(
  conversationId: string,
  before: readonly ConversationBlock[],
  after: readonly ConversationBlock[],
  reasons: Reasons,
): StreamEvent[] {
  const known = new Map(before.map((block) => [block.id, block]));
  const standing = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !standing.has(id)).reverse();
  const aside = gone.map(({ id }): StreamEvent => {
    const superseded = reasons.get(id) ?? 'rewind';
    return { type: 'block_update', blockId: id, updates: { superseded }, conversationId };
  });
  const told = after.flatMap((block) => {
    const earlier = known.get(block.id);
    if (earlier === undefined) return [firstTold(conversationId, block)];
    return changeOf(conversationId, earlier, block) ?? [];
  });
  return [...aside, ...told];
}

/** A block that is told for the first time: open if more of it is to come. */
export function firstTold(conversationId: string, block: ConversationBlock): StreamEvent {
  const isCall = block.type === 'tool_use' || block.type === 'subagent';
  if (isCall && (block.status === 'pending' || block.status === 'running')) {
    return { type: 'block_start', block, conversationId };
  }
  return { type: 'block_complete', blockId: block.id, block, conversationId };
}

/** What has changed in a block; `undefined` when nothing has. */
export function changeOf(
  conversationId: string,
  earlier: ConversationBlock,
  block: ConversationBlock,
): StreamEvent | undefined {
  if (isSameValue(earlier, block)) return undefined;
  const blockId = block.id;
  const old = Object.entries(earlier);
  const isLess = earlier.type !== block.type || old.some(([key]) => !(key in block));
  if (isLess) return { type: 'block_complete', blockId, block, conversationId };
  const before = new Map<string, unknown>(old);
  const changed = Object.entries(block).filter(
    ([key, value]) => !isSameValue(before.get(key), value),
  );
  // Only fields of this block were taken, and its id and type are the same.
  const updates = Object.fromEntries(changed) as BlockUpdates;
  return { type: 'block_update', blockId, updates, conversationId };
}

function diffMetadata(
  before: ConversationState['metadata'],
  after: ConversationState['metadata'],
): StreamEvent[] {
  const changed = Object.entries(after).filter(([key, value]) => !isSameValue(before[key], value));
  if (changed.length === 0) return [];
  const metadata = Object.fromEntries(changed);
  return [{ type: 'metadata_update', metadata, conversationId: 'main' }];
}

function reasonsOf(branches: readonly SupersededBranch[]): Reasons {
  const reasons = new Map<string, SupersededReason>();
  for (const { reason, blocks } of branches) for (const { id } of blocks) reasons.set(id, reason);
  return reasons;
}

function hasSameIds(
  one: readonly ConversationBlock[],
  other: readonly ConversationBlock[],
): boolean {
  return one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);
}

function idsAside(branches: readonly SupersededBranch[]): string[] {
  return branches.flatMap(({ conversationId = 'main', blocks }) =>
    blocks.map(({ id }) => `${conversationId} ${id}`),
  );
}

/** Equal in JSON; what is one object is not looked into. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  const left = one as Readonly<Record<string, unknown>>;
  const right = other as Readonly<Record<string, unknown>>;
  return keys.every((key) => key in right && isSameValue(left[key], right[key]));
}
