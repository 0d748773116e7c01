import type { ConversationBlock } from '../blocks.ts';
import type { SupersededBranch, SupersededReason } from '../parsed-transcript.ts';
import type { BlockUpdates, StreamEvent } from '../stream-events.ts';
import { applyStreamEvent } from './apply-stream-event.ts';
import type { ConversationState } from './conversation-state.ts';

/** The difference between two states of a conversation. */
export interface ConversationDifference {
  /** The events that turn the first state into the second. */
  readonly events: readonly StreamEvent[];
  /** The conversation after the events. */
  readonly state: ConversationState;
  /** Whether `state` equals the second one; events only append, so an inserted block cannot be expressed. */
  readonly isWhole: boolean;
}

/** Compares a conversation with a later reading of the same session. */
export function diffConversation(
  shown: ConversationState,
  now: ConversationState,
): ConversationDifference {
  const reasons = reasonsOf(now.superseded);
  const events: StreamEvent[] = [];
  let state = shown;
  const emit = (added: readonly StreamEvent[]) => {
    events.push(...added);
    state = added.reduce(applyStreamEvent, state);
  };
  emit(diffThread('main', state.blocks, now.blocks, reasons));
  for (const { id, blocks } of now.subagents) {
    // Earlier events may have renamed the thread.
    const known = state.subagents.find((thread) => thread.id === id)?.blocks ?? [];
    emit(diffThread(id, known, blocks, reasons));
  }
  emit(diffMetadata(shown.metadata, now.metadata));
  return { events, state, isWhole: matches(state, now) };
}

/**
 * Whether the state matches the later reading: the same blocks in the same order, and the same superseded ones. The
 * order of threads does not matter, nor do blocks that were shown under an earlier id, which are superseded too.
 */
function matches(state: ConversationState, now: ConversationState): boolean {
  const threads = new Map(state.subagents.map(({ id, blocks }) => [id, blocks]));
  const superseded = new Set(supersededIds(state.superseded));
  return (
    hasSameIds(state.blocks, now.blocks) &&
    threads.size === now.subagents.length &&
    now.subagents.every(({ id, blocks }) => hasSameIds(threads.get(id) ?? [], blocks)) &&
    supersededIds(now.superseded).every((id) => superseded.has(id)) &&
    Object.keys(state.metadata).length === Object.keys(now.metadata).length
  );
}

type Reasons = ReadonlyMap<string, SupersededReason>;

// Four parameters, because all of them differ between calls.
function diffThread(
  conversationId: string,
  before: readonly ConversationBlock[],
  after: readonly ConversationBlock[],
  reasons: Reasons,
): StreamEvent[] {
  const known = new Map(before.map((block) => [block.id, block]));
  const remaining = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !remaining.has(id)).reverse();
  const superseding = removed.map(({ id }): StreamEvent => {
    const superseded = reasons.get(id) ?? 'rewind';
    return { type: 'block_update', blockId: id, updates: { superseded }, conversationId };
  });
  const changes = after.flatMap((block) => {
    const earlier = known.get(block.id);
    if (earlier === undefined) return [firstEvent(conversationId, block)];
    return changeOf(conversationId, earlier, block) ?? [];
  });
  return [...superseding, ...changes];
}

/** The first event of a block: `block_start` if it is still open. */
export function firstEvent(conversationId: string, block: ConversationBlock): StreamEvent {
  const isCall = block.type === 'tool_use' || block.type === 'subagent';
  if (isCall && (block.status === 'pending' || block.status === 'running')) {
    return { type: 'block_start', block, conversationId };
  }
  return { type: 'block_complete', blockId: block.id, block, conversationId };
}

/** The event for a changed block; `undefined` if nothing changed. */
export function changeOf(
  conversationId: string,
  earlier: ConversationBlock,
  block: ConversationBlock,
): StreamEvent | undefined {
  if (isSameValue(earlier, block)) return undefined;
  const blockId = block.id;
  const old = Object.entries(earlier);
  const lacksFields = earlier.type !== block.type || old.some(([key]) => !(key in block));
  if (lacksFields) return { type: 'block_complete', blockId, block, conversationId };
  const before = new Map<string, unknown>(old);
  const changed = Object.entries(block).filter(
    ([key, value]) => !isSameValue(before.get(key), value),
  );
  // All fields are from this block, whose id and type have not changed.
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

function supersededIds(branches: readonly SupersededBranch[]): string[] {
  return branches.flatMap(({ conversationId = 'main', blocks }) =>
    blocks.map(({ id }) => `${conversationId} ${id}`),
  );
}

/** Deep equality of JSON values; identical objects are not traversed. */
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
