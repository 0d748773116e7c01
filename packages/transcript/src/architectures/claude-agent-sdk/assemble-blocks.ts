import type { ConversationBlock, SubagentBlock, ToolUseBlock } from '../../blocks.ts';
import type { Piece, TaskReport } from './claude-record.ts';
import type { TreeNode } from './conversation-tree.ts';
import { answeredSubagent, reportedSubagent } from './subagent-block.ts';

/** The call of a subagent, where it stands, and when it ended. */
export interface SubagentCall {
  readonly blocks: ConversationBlock[];
  readonly index: number;
  readonly toolUseId: string;
  endedAt?: string;
}

export interface Assembly {
  readonly blocks: ConversationBlock[];
  /** For each block the byte at which its line begins. */
  readonly bytes: readonly number[];
  /** For each line: how many blocks stood before it. */
  readonly offsets: readonly number[];
  readonly calls: ReadonlyMap<string, SubagentCall>;
}

/** Puts the pieces of a conversation together: calls meet their results, ids become unique within `taken`. */
export function assembleBlocks(nodes: readonly TreeNode[], taken: Set<string>): Assembly {
  const blocks: ConversationBlock[] = [];
  const bytes: number[] = [];
  const offsets: number[] = [];
  const toolIndexes = new Map<string, number>();
  const calls = new Map<string, SubagentCall>();
  for (const node of nodes) {
    offsets.push(blocks.length);
    for (const piece of node.pieces) place(piece);
    while (bytes.length < blocks.length) bytes.push(node.offset);
  }
  return { blocks, bytes, offsets, calls };

  function place(piece: Piece): void {
    switch (piece.kind) {
      case 'block':
        placeBlock(piece.block);
        break;
      case 'tool_result':
        placeResult(piece);
        break;
      case 'task_report':
        placeBlock(piece.block);
        endBackgroundAgent(piece.report, piece.block.timestamp);
        break;
      case 'compaction':
        placeBlock(withKeptBlocks(piece, { nodes, offsets, blocks }));
        break;
      case 'compaction_summary':
        addSummary(blocks, piece.text);
    }
  }

  function placeBlock(block: ConversationBlock): void {
    const index = blocks.length;
    if (block.type === 'tool_use') toolIndexes.set(block.toolUseId, index);
    if (block.type === 'subagent' && block.toolUseId !== undefined) {
      calls.set(block.toolUseId, { blocks, index, toolUseId: block.toolUseId });
    }
    blocks.push(withUniqueId(block, taken));
  }

  function placeResult({ block, structured }: Extract<Piece, { kind: 'tool_result' }>): void {
    const call = calls.get(block.toolUseId);
    if (call !== undefined) {
      call.endedAt = block.timestamp;
      replaceSubagent(call, (agent) => answeredSubagent(agent, block, structured));
      return;
    }
    const index = toolIndexes.get(block.toolUseId);
    if (index !== undefined) {
      const status = block.isError ? 'error' : 'success';
      blocks[index] = { ...(blocks[index] as ToolUseBlock), status };
    }
    blocks.push(withUniqueId(block, taken));
  }

  function endBackgroundAgent(report: TaskReport, timestamp: string): void {
    const call = calls.get(report.toolUseId ?? '');
    if (call === undefined) return;
    call.endedAt = timestamp;
    replaceSubagent(call, (agent) => reportedSubagent(agent, report));
  }
}

export function subagentOf(call: SubagentCall): SubagentBlock {
  // A call is only ever made for a subagent block, and only replaced by one.
  return call.blocks[call.index] as SubagentBlock;
}

export function replaceSubagent(
  call: SubagentCall,
  change: (agent: SubagentBlock) => SubagentBlock,
): void {
  call.blocks[call.index] = change(subagentOf(call));
}

interface BlocksOfLines extends Pick<Assembly, 'offsets' | 'blocks'> {
  readonly nodes: readonly TreeNode[];
}

/** A compaction that says which blocks before it the model still reads. */
function withKeptBlocks(
  { block, kept }: Extract<Piece, { kind: 'compaction' }>,
  { nodes, offsets, blocks }: BlocksOfLines,
): ConversationBlock {
  if (kept.uuids.length === 0 && kept.head === undefined) return block;
  const wanted = new Set(kept.uuids);
  let isInSegment = false;
  const keptBlockIds = nodes.slice(0, offsets.length - 1).flatMap(({ uuid }, index) => {
    isInSegment ||= uuid === kept.head;
    const isKept = isInSegment || wanted.has(uuid);
    if (uuid === kept.tail) isInSegment = false;
    return isKept ? blocks.slice(offsets[index], offsets[index + 1]).map(({ id }) => id) : [];
  });
  const compaction = { ...(block.metadata?.compaction as object), keptBlockIds };
  return { ...block, metadata: { compaction } };
}

function addSummary(blocks: ConversationBlock[], summary: string): void {
  const index = blocks.findLastIndex((block) => block.metadata?.compaction !== undefined);
  const block = blocks[index];
  if (block === undefined) return;
  const compaction = { ...(block.metadata?.compaction as object), summary };
  blocks[index] = { ...block, metadata: { ...block.metadata, compaction } };
}

function withUniqueId(block: ConversationBlock, taken: Set<string>): ConversationBlock {
  const known = taken.size;
  if (taken.add(block.id).size > known) return block;
  let copy = 2;
  while (taken.has(`${block.id}:${copy}`)) copy++;
  const id = `${block.id}:${copy}`;
  taken.add(id);
  return { ...block, id };
}
