import type { SupersededReason } from '../../parsed-transcript.ts';
import type { Piece } from './claude-record.ts';
import { type LineOrder, orderLines } from './line-order.ts';

/** One line with a place in the conversation. Lines form a tree through `parent`. */
export interface TreeNode {
  readonly uuid: string;
  /** The byte at which the line begins. */
  readonly offset: number;
  /** `undefined` at a root. Across a compaction this is the last line before it. */
  readonly parent: string | undefined;
  readonly type: 'user' | 'assistant' | 'other';
  /** Of an assistant line: the model message it belongs to. */
  readonly messageId: string | undefined;
  /** Of tool results: the assistant line that asked for them, and the calls they answer. */
  readonly askedBy: string | undefined;
  readonly answers: readonly string[];
  readonly pieces: readonly Piece[];
}

export interface TreeReading {
  /** What the conversation consists of, in order. */
  readonly kept: readonly TreeNode[];
  readonly branches: readonly AbandonedBranch[];
}

interface AbandonedBranch {
  readonly reason: SupersededReason;
  /** The last kept line before the branch. */
  readonly after: TreeNode | undefined;
  readonly nodes: readonly TreeNode[];
}

/** The conversation that ends in the last line; `positions` finds lines by uuid. */
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
 * Parallel tool calls fan out: the path holds one result of several, and one line of a message of several.
 * The others belong to the conversation too, as does what the program noted beside it.
 */
function joinSiblings(
  nodes: readonly TreeNode[],
  { parents, sequence }: LineOrder,
  isKept: Uint8Array,
): void {
  const messages = new Set<string>();
  const answered = new Set<string>();
  const asking = new Set<string>();
  nodes.forEach((node, index) => {
    if (isKept[index] === 0) return;
    if (node.messageId !== undefined) messages.add(node.messageId);
    for (const id of node.answers) answered.add(id);
  });
  const hasTalk = talkBelow(nodes, parents);
  for (const index of sequence) {
    const node = nodes[index];
    if (node === undefined) continue;
    if (isKept[index] === 0 && belongs(node, index)) isKept[index] = 1;
    if (isKept[index] === 1 && node.type === 'assistant') asking.add(node.uuid);
  }

  function belongs(node: TreeNode, index: number): boolean {
    if (node.type === 'assistant') {
      return node.messageId !== undefined && messages.has(node.messageId);
    }
    const parent = parents[index] ?? -1;
    if (node.answers.length > 0) {
      const asker = node.askedBy ?? nodes[parent]?.uuid ?? '';
      if (!asking.has(asker) || node.answers.some((id) => answered.has(id))) return false;
      for (const id of node.answers) answered.add(id);
      return true;
    }
    return node.type === 'other' && isKept[parent] === 1 && hasTalk[index] === 0;
  }
}

/** Whether anything that a person or the model said hangs below a line. */
function talkBelow(nodes: readonly TreeNode[], parents: Int32Array): Uint8Array {
  const hasTalk = new Uint8Array(nodes.length);
  nodes.forEach((node, index) => {
    if (node.type === 'other') return;
    let at = parents[index] ?? -1;
    while (at >= 0 && hasTalk[at] === 0) {
      hasTalk[at] = 1;
      at = parents[at] ?? -1;
    }
  });
  return hasTalk;
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
    const rival = continuations.get(parent) ?? -1;
    return {
      reason: reasonFor(nodes, { root, rival, last: members.at(-1) ?? root }),
      after: parent < 0 ? undefined : nodes[parent],
      nodes: members.flatMap((index) => nodes[index] ?? []),
    };
  });
}

/** The abandoned lines, by the line at which each left the conversation. */
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

/** By place: the line with which the conversation went on from there; -1 stands for the start. */
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
  { root, rival, last }: { root: number; rival: number; last: number },
): SupersededReason {
  const continuation = nodes[rival];
  if (continuation === undefined) return 'branch';
  if (nodes[root]?.type === 'assistant' && continuation.type === 'assistant') return 'retry';
  const isNewPrompt = continuation.type !== 'assistant' && continuation.answers.length === 0;
  return rival > last && isNewPrompt ? 'rewind' : 'branch';
}
