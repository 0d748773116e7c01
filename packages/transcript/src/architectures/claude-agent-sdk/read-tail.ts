import type { ConversationBlock } from '../../blocks.ts';
import { parseLine } from '../../parse-line.ts';
import type { TreeNode } from './conversation-tree.ts';
import { hasEnded } from './subagent-block.ts';
import { ThreadReading } from './thread-reading.ts';

/** The last blocks from the last lines, if earlier lines cannot change them. */
export function readTail(
  lines: readonly string[],
  limit: number,
): readonly ConversationBlock[] | undefined {
  const reading = new ThreadReading(() => undefined);
  for (const text of lines) {
    const line = parseLine(text);
    if (typeof line === 'object' && line.isSidechain !== true && line.uuid !== undefined) {
      reading.add(line);
    }
  }
  const { main, kept } = reading.assemble(false);
  const settled = firstSettled(kept);
  if (settled === undefined) return undefined;
  const start = main.offsets[settled] ?? main.blocks.length;
  const blocks = main.blocks.slice(-limit);
  const isEnough = main.blocks.length - start >= limit;
  return isEnough && blocks.every(isSettled) ? blocks : undefined;
}

/**
 * The first line that no line before the cut can change: the first message may have begun before it, and
 * results of the previous one may follow.
 */
function firstSettled(kept: readonly TreeNode[]): number | undefined {
  const messages = new Set<string>();
  for (const [index, { messageId }] of kept.entries()) {
    if (messageId !== undefined) messages.add(messageId);
    if (messages.size === 3) return index;
  }
  return undefined;
}

/** A running subagent may still get its id from a metadata file. */
function isSettled(block: ConversationBlock): boolean {
  return (
    block.type !== 'subagent' || hasEnded(block.status) || block.subagentId !== block.toolUseId
  );
}
