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

const LOADING: BlockRow = { kind: 'loading' };
const NOTHING: BlockRow = { kind: 'nothing' };

/** One row for each block, so that a block's place in the list never depends on what has been fetched. */
export function rowAt(reader: BlockReader, ordinal: number): BlockRow {
  const block = reader.at(ordinal);
  if (block === undefined) return LOADING;
  if (block.type === 'tool_result') {
    return hasCallBefore(reader, ordinal, block) ? NOTHING : rowOf(block, undefined);
  }
  if (block.type !== 'tool_use') return rowOf(block, undefined);
  const result = reader.resultOf(block.toolUseId);
  if (!isQuiet(block, result)) return rowOf(block, result);
  if (isQuietBefore(reader, ordinal)) return NOTHING;
  const calls = quietRun(reader, ordinal);
  return calls.length > 1 ? { kind: 'group', calls } : rowOf(block, result);
}

type SingleRow = Extract<BlockRow, { kind: 'block' }>;
const ROWS = new WeakMap<ConversationBlock, SingleRow>();

/** The same row for the same block and result, so that what has not changed is not drawn again. */
function rowOf(block: ConversationBlock, result: ToolResultBlock | undefined): SingleRow {
  const known = ROWS.get(block);
  if (known && known.result === result) return known;
  const row: SingleRow = { kind: 'block', block, result };
  ROWS.set(block, row);
  return row;
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

const QUIET = new WeakMap<ToolUseBlock, boolean>();

/** A call that was answered well does not become loud later, so it is looked at once. */
function isQuiet(block: ToolUseBlock, result: ToolResultBlock | undefined): boolean {
  if (block.status !== 'success' || result?.isError) return false;
  const known = QUIET.get(block);
  if (known !== undefined) return known;
  const quiet = describeTool(block, result).isQuiet;
  QUIET.set(block, quiet);
  return quiet;
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
