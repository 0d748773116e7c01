import type { SupersededReason } from '../../parsed-transcript.ts';
import type { Piece } from './claude-record.ts';
import { type LineOrder, orderLines } from './line-order.ts';

/** A line of the conversation. Lines form a tree through `parent`. */
export interface TreeNode {
  readonly uuid: string;
  /** Byte offset of the line. */
  readonly offset: number;
  /** `undefined` for a root. After a compaction, the last line before it. */
  readonly parent: string | undefined;
  readonly type: 'user' | 'assistant' | 'other';
  /** For assistant lines: the id of the model message. */
  readonly messageId: string | undefined;
  /** For tool results: the assistant line that requested them, and the ids of the calls. */
  readonly askedBy: string | undefined;
  readonly answers: readonly string[];
  readonly pieces: readonly Piece[];
}

export interface TreeReading {
  /** The lines of the conversation, in order. */
  readonly kept: readonly TreeNode[];
  readonly branches: readonly AbandonedBranch[];
}

interface AbandonedBranch {
  readonly reason: SupersededReason;
  /** The last kept line before the branch. */
  readonly after: TreeNode | undefined;
  readonly nodes: readonly TreeNode[];
}

/** Finds the conversation that ends in the last line; `positions` maps uuids to lines. */
export function readTree(
  nodes: readonly TreeNode[],
  positions: ReadonlyMap<string, number>,
  bridgeHoles: boolean,
): TreeReading {
  const order = orderLines(nodes, positions, bridgeHoles);
  const isKept = markPath(order);
  joinSiblings(nodes, order, isKept);
  const kept = order.sequence.filter((index) => isKept[index] === 1);
  return {
    kept: kept.flatMap((index) => nodes[index] ?? []),
    branches: kept.length === nodes.length ? [] : collectBranches(nodes, order, isKept),
  };
}

function markPath({ parents, leaf }: LineOrder): Uint8Array {
  const isKept = new Uint8Array(parents.length);
  for (let at = leaf; at >= 0; at = parents[at] ?? -1) isKept[at] = 1;
  return isKept;
}

/**
 * Parallel tool calls fan out: the path contains one result of several, and one line of a message of several.
 * The others belong to the conversation too, as do the program's notes next to them.
 */
function joinSiblings(
  nodes: readonly TreeNode[],
  { parents, sequence }: LineOrder,
  isKept: Uint8Array,
): void {
  const messages = new Set<string>();
  const answered = new Set<string>();
  const requesting = new Set<string>();
  nodes.forEach((node, index) => {
    if (isKept[index] === 0) return;
    if (node.messageId !== undefined) messages.add(node.messageId);
    for (const id of node.answers) answered.add(id);
  });
  const hasMessages = messagesBelow(nodes, parents);
  for (const index of sequence) {
    const node = nodes[index];
    if (node === undefined) continue;
    if (isKept[index] === 0 && belongs(node, index)) isKept[index] = 1;
    if (isKept[index] === 1 && node.type === 'assistant') requesting.add(node.uuid);
  }

  function belongs(node: TreeNode, index: number): boolean {
    if (node.type === 'assistant') {
      return node.messageId !== undefined && messages.has(node.messageId);
    }
    const parent = parents[index] ?? -1;
    if (node.answers.length > 0) {
      const requester = node.askedBy ?? nodes[parent]?.uuid ?? '';
      if (!requesting.has(requester) || node.answers.some((id) => answered.has(id))) return false;
      for (const id of node.answers) answered.add(id);
      return true;
    }
    return node.type === 'other' && isKept[parent] === 1 && hasMessages[index] === 0;
  }
}

/** Whether a user or assistant line is below each line. */
function messagesBelow(nodes: readonly TreeNode[], parents: Int32Array): Uint8Array {
  const hasMessages = new Uint8Array(nodes.length);
  nodes.forEach((node, index) => {
    if (node.type === 'other') return;
    let at = parents[index] ?? -1;
    while (at >= 0 && hasMessages[at] === 0) {
      hasMessages[at] = 1;
      at = parents[at] ?? -1;
    }
  });
  return hasMessages;
}

function collectBranches(
  nodes: readonly TreeNode[],
  order: LineOrder,
  isKept: Uint8Array,
): AbandonedBranch[] {
  const { parents } = order;
  const branches = membersByRoot(order, isKept);
  const continuations = firstKeptChildren(order, isKept);
  return Array.from(branches, ([root, members]) => {
    const parent = parents[root] ?? -1;
    const continued = continuations.get(parent) ?? -1;
    return {
      reason: reasonFor(nodes, { root, continued, last: members.at(-1) ?? root }),
      after: parent < 0 ? undefined : nodes[parent],
      nodes: members.flatMap((index) => nodes[index] ?? []),
    };
  });
}

/** The abandoned lines, grouped by the line at which they left the conversation. */
function membersByRoot(
  { parents, sequence }: LineOrder,
  isKept: Uint8Array,
): ReadonlyMap<number, number[]> {
  const branches = new Map<number, number[]>();
  const rootOf = new Int32Array(parents.length);
  for (const index of sequence) {
    if (isKept[index] === 1) continue;
    const parent = parents[index] ?? -1;
    const isRoot = parent < 0 || isKept[parent] === 1;
    const root = isRoot ? index : (rootOf[parent] ?? index);
    rootOf[index] = root;
    const members = branches.get(root);
    if (members === undefined) branches.set(root, [index]);
    else members.push(index);
  }
  return branches;
}

/** By parent position: the line that continues the conversation; -1 is the start. */
function firstKeptChildren(
  { parents, sequence }: LineOrder,
  isKept: Uint8Array,
): ReadonlyMap<number, number> {
  const children = new Map<number, number>();
  for (const index of sequence) {
    const parent = parents[index] ?? -1;
    if (isKept[index] === 1 && !children.has(parent)) children.set(parent, index);
  }
  return children;
}

function reasonFor(
  nodes: readonly TreeNode[],
  { root, continued, last }: { root: number; continued: number; last: number },
): SupersededReason {
  const continuation = nodes[continued];
  if (continuation === undefined) return 'branch';
  if (nodes[root]?.type === 'assistant' && continuation.type === 'assistant') return 'retry';
  const isNewPrompt = continuation.type !== 'assistant' && continuation.answers.length === 0;
  return continued > last && isNewPrompt ? 'rewind' : 'branch';
}
