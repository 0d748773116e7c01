import type {
  ConversationBlock,
  SupersededBranch,
  ToolResultBlock,
  ToolUseBlock,
} from '@robota-sdk/agent-transcript';
import { describeTool } from '@robota-sdk/agent-transcript';
import type { CallWithResult } from '../blocks/tool-group.tsx';

/** Blocks as a reader needs them: by place, and results by the call they belong to. */
export interface BlockReader {
  readonly total: number;
  /** Undefined while the block has not been fetched. */
  at(ordinal: number): ConversationBlock | undefined;
  resultOf(toolUseId: string): ToolResultBlock | undefined;
}

/** What the row of one block shows; `nothing` is a block that another row shows with its own. */
export type BlockRow =
  | { readonly kind: 'loading' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'group'; readonly calls: readonly CallWithResult[] }
  | {
      readonly kind: 'block';
      readonly block: ConversationBlock;
      readonly result?: ToolResultBlock | undefined;
    };

/** How far a run of quiet calls is looked along, in blocks. */
const MAX_GROUP = 64;

/** One row for each block, so that a block's place in the list never depends on what has been fetched. */
export function rowAt(reader: BlockReader, ordinal: number): BlockRow {
  const block = reader.at(ordinal);
  if (block === undefined) return { kind: 'loading' };
  if (block.type === 'tool_result') {
    return hasCallBefore(reader, ordinal, block) ? { kind: 'nothing' } : { kind: 'block', block };
  }
  if (block.type !== 'tool_use') return { kind: 'block', block };
  const result = reader.resultOf(block.toolUseId);
  if (!isQuiet(block, result)) return { kind: 'block', block, result };
  if (isQuietBefore(reader, ordinal)) return { kind: 'nothing' };
  const calls = quietRun(reader, ordinal);
  return calls.length > 1 ? { kind: 'group', calls } : { kind: 'block', block, result };
}

/** Where part of a conversation was taken back, by the block it followed. */
export function branchesByPlace(
  superseded: readonly SupersededBranch[],
  thread: string,
): ReadonlyMap<string | null, readonly SupersededBranch[]> {
  const places = new Map<string | null, SupersededBranch[]>();
  for (const branch of superseded) {
    if ((branch.conversationId ?? 'main') !== thread) continue;
    const known = places.get(branch.afterBlockId);
    if (known) known.push(branch);
    else places.set(branch.afterBlockId, [branch]);
  }
  return places;
}

function isQuiet(block: ToolUseBlock, result: ToolResultBlock | undefined): boolean {
  return block.status === 'success' && describeTool(block, result).isQuiet;
}

function quietRun(reader: BlockReader, first: number): CallWithResult[] {
  const calls: CallWithResult[] = [];
  for (let ordinal = first; ordinal < groupEnd(first); ordinal++) {
    const block = reader.at(ordinal);
    if (block?.type === 'tool_result') continue;
    if (block?.type !== 'tool_use') break;
    const result = reader.resultOf(block.toolUseId);
    if (!isQuiet(block, result)) break;
    calls.push({ block, result });
  }
  return calls;
}

/** Groups begin anew every so many blocks, so that looking back has an end that all rows agree on. */
function groupEnd(ordinal: number): number {
  return ordinal - (ordinal % MAX_GROUP) + MAX_GROUP;
}

function isQuietBefore(reader: BlockReader, ordinal: number): boolean {
  const floor = groupEnd(ordinal) - MAX_GROUP;
  for (let before = ordinal - 1; before >= floor; before--) {
    const block = reader.at(before);
    if (block?.type === 'tool_result') continue;
    return block?.type === 'tool_use' && isQuiet(block, reader.resultOf(block.toolUseId));
  }
  return false;
}

/** A result stands right behind its call, or behind the calls that were made together with it. */
function hasCallBefore(reader: BlockReader, ordinal: number, result: ToolResultBlock): boolean {
  for (let before = ordinal - 1; before >= Math.max(0, ordinal - MAX_GROUP); before--) {
    const block = reader.at(before);
    if (block?.type === 'tool_use' && block.toolUseId === result.toolUseId) return true;
  }
  return false;
}
