import type { ConversationBlock } from '../../blocks.ts';
import { parseLine } from '../../parse-line.ts';
import { hasEnded } from './agent-status.ts';
import type { RolloutLine } from './rollout-line.ts';
import { ThreadReading } from './thread-reading.ts';

/** The last blocks from the last lines, if earlier lines cannot change them. */
export function readTail(
  lines: readonly string[],
  limit: number,
): readonly ConversationBlock[] | undefined {
  const reading = new ThreadReading(() => undefined);
  const { blocks, tools, users, facts } = reading.parts;
  let boundary: { readonly place: number; readonly time: string | undefined } | undefined;
  for (const text of lines) {
    const record = parseLine(text);
    if (typeof record !== 'object') continue;
    const place = blocks.length;
    const line = reading.add(record);
    if (line.isBare || isRollBack(line)) return undefined;
    if (boundary === undefined && facts.model !== undefined && isBoundary(line)) {
      boundary = { place, time: line.timestamp };
    }
  }
  if (boundary === undefined || users.isOpen) return undefined;
  const { place, time } = boundary;
  const first = Math.max(place, tools.lastUnmatched + 1);
  const after = blocks.placed(reading.settlement(), first).map(({ block }) => block);
  // Ids may number blocks with the same timestamp, and some of those may be in earlier lines.
  const last = after.filter(({ timestamp }) => timestamp !== time).slice(-limit);
  return last.length === limit && last.every(isSettled) ? last : undefined;
}

/** A line at which no pair of records is open: the start of a turn or round, or a complete model response. */
function isBoundary({ type, payload }: RolloutLine): boolean {
  if (type === 'token_usage_record' || type === 'turn_context') return true;
  return type === 'event_msg' && TURN_STARTS.has(payload.type);
}

const TURN_STARTS: ReadonlySet<unknown> = new Set(['task_started', 'user_message']);

/** Rolled-back turns may begin before these lines. */
function isRollBack({ payload }: RolloutLine): boolean {
  return payload.type === 'thread_rolled_back';
}

/** An agent's missing status or output may be in another file. */
function isSettled(block: ConversationBlock): boolean {
  return block.type !== 'subagent' || (hasEnded(block.status) && block.output !== undefined);
}
