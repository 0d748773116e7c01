import type { ConversationBlock, SubagentBlock, ToolUseBlock } from '../../blocks.ts';
import type { UniqueIds } from '../../unique-ids.ts';
import type { Piece, TaskReport } from './claude-record.ts';
import type { TreeNode } from './conversation-tree.ts';
import { answeredSubagent, reportedSubagent } from './subagent-block.ts';

/** A subagent call: its position in `blocks` and its end. */
export interface SubagentCall {
  readonly blocks: ConversationBlock[];
  readonly index: number;
  readonly toolUseId: string;
  endedAt?: string;
}

export interface Assembly {
  readonly blocks: ConversationBlock[];
  /** For each block the byte offset of its line. */
  readonly bytes: readonly number[];
  /** For each line the number of blocks before it. */
  readonly offsets: readonly number[];
  readonly calls: ReadonlyMap<string, SubagentCall>;
}

/** Assembles the blocks of a conversation: calls get the status of their results, block ids are made unique by `ids`. */
export function assembleBlocks(nodes: readonly TreeNode[], ids: UniqueIds): Assembly {
  const blocks: ConversationBlock[] = [];
  const bytes: number[] = [];
  const offsets: number[] = [];
  const toolIndexes = new Map<string, number>();
  /** Results whose call has not come yet. */
  const early = new Map<string, ToolUseBlock['status']>();
  const calls = new Map<string, SubagentCall>();
  const lines = new LinePositions(nodes);
  let compaction = -1;
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
        compaction = blocks.length;
        placeBlock(withKeptBlocks(piece, { lines, offsets, blocks }));
        break;
      case 'compaction_summary':
        addSummary(blocks, compaction, piece.text);
    }
  }

  function placeBlock(block: ConversationBlock): void {
    const index = blocks.length;
    if (block.type === 'tool_use') {
      toolIndexes.set(block.toolUseId, index);
      const status = early.get(block.toolUseId);
      if (status !== undefined) {
        blocks.push(ids.assign({ ...block, status }));
        return;
      }
    }
    if (block.type === 'subagent' && block.toolUseId !== undefined) {
      calls.set(block.toolUseId, { blocks, index, toolUseId: block.toolUseId });
    }
    blocks.push(ids.assign(block));
  }

  function placeResult({ block, structured }: Extract<Piece, { kind: 'tool_result' }>): void {
    const call = calls.get(block.toolUseId);
    if (call !== undefined) {
      call.endedAt = block.timestamp;
      replaceSubagent(call, (agent) => answeredSubagent(agent, block, structured));
      return;
    }
    const index = toolIndexes.get(block.toolUseId);
    const status = block.isError ? 'error' : 'success';
    if (index !== undefined) blocks[index] = { ...(blocks[index] as ToolUseBlock), status };
    else early.set(block.toolUseId, status);
    blocks.push(ids.assign(block));
  }

  function endBackgroundAgent(report: TaskReport, timestamp: string): void {
    const call = calls.get(report.toolUseId ?? '');
    if (call === undefined) return;
    call.endedAt = timestamp;
    replaceSubagent(call, (agent) => reportedSubagent(agent, report));
  }
}

export function subagentOf(call: SubagentCall): SubagentBlock {
  // A call is only created for a subagent block, and only replaced by one.
  return call.blocks[call.index] as SubagentBlock;
}

export function replaceSubagent(
  call: SubagentCall,
  change: (agent: SubagentBlock) => SubagentBlock,
): void {
  call.blocks[call.index] = change(subagentOf(call));
}

interface BlocksOfLines extends Pick<Assembly, 'offsets' | 'blocks'> {
  readonly lines: LinePositions;
}

/** Positions of lines by their uuid; a conversation without compactions needs none. */
class LinePositions {
  readonly #nodes: readonly TreeNode[];
  #positions: ReadonlyMap<string, number> | undefined;

  constructor(nodes: readonly TreeNode[]) {
    this.#nodes = nodes;
  }

  /** The position of the line before `end`. */
  of(uuid: string | undefined, end: number): number | undefined {
    this.#positions ??= new Map(this.#nodes.map((node, index) => [node.uuid, index]));
    const position = uuid === undefined ? undefined : this.#positions.get(uuid);
    return position === undefined || position >= end ? undefined : position;
  }
}

/** Adds the ids of the blocks the model still sees after the compaction. */
function withKeptBlocks(
  { block, kept }: Extract<Piece, { kind: 'compaction' }>,
  { lines, offsets, blocks }: BlocksOfLines,
): ConversationBlock {
  if (kept.uuids.length === 0 && kept.head === undefined) return block;
  const end = offsets.length - 1;
  const wanted = new Set(kept.uuids.flatMap((uuid) => lines.of(uuid, end) ?? []));
  const head = lines.of(kept.head, end) ?? end;
  const tail = lines.of(kept.tail, end) ?? end - 1;
  // A segment whose end is before its start has no end.
  for (let line = head; line <= (tail < head ? end - 1 : tail); line++) wanted.add(line);
  const keptBlockIds = [...wanted]
    .sort((one, other) => one - other)
    .flatMap((line) => blocks.slice(offsets[line], offsets[line + 1]).map(({ id }) => id));
  const compaction = { ...(block.metadata?.compaction as object), keptBlockIds };
  return { ...block, metadata: { compaction } };
}

function addSummary(blocks: ConversationBlock[], index: number, summary: string): void {
  const block = blocks[index];
  if (block === undefined) return;
  const compaction = { ...(block.metadata?.compaction as object), summary };
  blocks[index] = { ...block, metadata: { ...block.metadata, compaction } };
}
