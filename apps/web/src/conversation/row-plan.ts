import type {
  ConversationBlock,
  SupersededBranch,
  ToolResultBlock,
  ToolUseBlock,
} from '@robota-sdk/agent-transcript';
import { describeTool } from '@robota-sdk/agent-transcript';
import type { CallWithResult } from '../blocks/tool-group.tsx';

/** Access to blocks by index, and to results by their call. */
export interface BlockReader {
  readonly total: number;
  /** Undefined while the block has not been fetched. */
  at(ordinal: number): ConversationBlock | undefined;
  resultOf(toolUseId: string): ToolResultBlock | undefined;
}

/** What the row of one block shows; `nothing` for a block that is shown in another row. */
export type BlockRow =
  | { readonly kind: 'loading' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'group'; readonly calls: readonly CallWithResult[] }
  | {
      readonly kind: 'block';
      readonly block: ConversationBlock;
      readonly result?: ToolResultBlock | undefined;
    };

/** Maximum blocks in a group of quiet calls. */
const MAX_GROUP = 64;

const LOADING: BlockRow = { kind: 'loading' };
const NOTHING: BlockRow = { kind: 'nothing' };

/** One row per block, so that a block's index never depends on what is loaded. */
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

/** Returns the same row object for the same block and result, to avoid rendering it again. */
function rowOf(block: ConversationBlock, result: ToolResultBlock | undefined): SingleRow {
  const known = ROWS.get(block);
  if (known && known.result === result) return known;
  const row: SingleRow = { kind: 'block', block, result };
  ROWS.set(block, row);
  return row;
}

/** Rewound parts of a conversation, by the block they followed. */
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

/** Cached: a successful call stays quiet. */
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

/** Groups end at fixed boundaries, so that all rows agree on them with a bounded lookback. */
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

/** A result follows its call, or the calls made in parallel with it. */
function hasCallBefore(reader: BlockReader, ordinal: number, result: ToolResultBlock): boolean {
  for (let before = ordinal - 1; before >= Math.max(0, ordinal - MAX_GROUP); before--) {
    const block = reader.at(before);
    if (block?.type === 'tool_use' && block.toolUseId === result.toolUseId) return true;
  }
  return false;
}
