import type { ConversationBlock } from '../../blocks.ts';
import { asId, compact } from '../../json-record.ts';
import type { SupersededBranch } from '../../parsed-transcript.ts';
import { UniqueIds } from '../../unique-ids.ts';
import type { AgentState } from './agent-status.ts';
import { plainText } from './message-content.ts';
import { agentPathOf, type HistoryBase, historyBaseOf, nicknameOf } from './rollout-origin.ts';
import type { ThreadReading } from './thread-reading.ts';

/** A thread with the history it continues from other rollouts. */
export interface CompleteThread {
  readonly id: string;
  readonly blocks: ConversationBlock[];
  /** For each block the byte offset of its line; -1 for history from another file. */
  readonly offsets: readonly number[];
  readonly superseded: readonly SupersededBranch[];
  /** Referenced history that was not found. */
  readonly missing: readonly HistoryBase[];
  readonly agentPath: string | undefined;
  readonly nickname: string | undefined;
  readonly firstPrompt: string | undefined;
  readonly endedAt: string;
  /** How the last turn ended; `undefined` while it is running. */
  readonly state: AgentState | undefined;
}

/** Finds a rollout that another one continues. */
export type FindRollout = (rolloutId: string) => ThreadReading | undefined;

/** Prepends the referenced history to a thread's own blocks; reverted blocks are superseded. */
export function completeThread(
  fallbackId: string,
  reading: ThreadReading,
  findRollout: FindRollout,
): CompleteThread {
  const { facts, notices } = reading.parts;
  const { blocks, offsets, superseded, missing } = withHistory(reading, findRollout);
  const first = blocks.find((block) => block.type === 'user_message');
  return {
    id: asId(facts.meta.id) ?? fallbackId,
    blocks,
    offsets,
    superseded,
    missing,
    agentPath: agentPathOf(facts.meta),
    nickname: nicknameOf(facts.meta),
    firstPrompt: first === undefined ? undefined : plainText(first.content),
    endedAt: reading.timestamp,
    state:
      notices.lastEnd === undefined
        ? undefined
        : compact({
            status: notices.lastEnd === 'completed' ? ('success' as const) : ('error' as const),
            output: notices.lastMessage,
          }),
  };
}

interface History {
  readonly blocks: ConversationBlock[];
  readonly offsets: readonly number[];
  readonly superseded: readonly SupersededBranch[];
  readonly missing: readonly HistoryBase[];
}

function withHistory(reading: ThreadReading, findRollout: FindRollout): History {
  const threadId = reading.parts.facts.meta.id;
  const seen = new Set([reading]);
  const own = reading.parts.blocks.placed(reading.settlement());
  let blocks = own.map(({ block }) => block);
  let superseded = reading.superseded;
  let base = historyBaseOf(reading.parts.facts.meta);
  while (base !== undefined) {
    const earlier = findRollout(base.rolloutId);
    if (earlier === undefined || seen.has(earlier)) return history([base]);
    seen.add(earlier);
    const split = earlier.parts.blocks.split(earlier.settlement(), base.endOrdinal);
    const kept = split.kept.map(({ block }) => block);
    const rest = split.rest.map(({ block }) => block);
    const isRevert = earlier.parts.facts.meta.id === threadId && rest.length > 0;
    const afterBlockId = kept.at(-1)?.id ?? null;
    const reverted = isRevert ? [{ reason: 'rewind' as const, afterBlockId, blocks: rest }] : [];
    superseded = [...earlier.superseded, ...reverted, ...superseded];
    blocks = uniqueIds([...withoutLaterAnswers(kept), ...blocks]);
    base = historyBaseOf(earlier.parts.facts.meta);
  }
  return history([]);

  function history(missing: readonly HistoryBase[]): History {
    const before = new Array<number>(blocks.length - own.length).fill(-1);
    const offsets = [...before, ...own.map(({ offset }) => offset)];
    return { blocks, offsets, superseded, missing };
  }
}

/** Calls whose result comes after the cut are open again. */
function withoutLaterAnswers(blocks: readonly ConversationBlock[]): ConversationBlock[] {
  const answered = new Set(
    blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
  );
  return blocks.map((block) => {
    if (block.type !== 'tool_use' || answered.has(block.toolUseId)) return block;
    return { ...block, status: 'pending' as const };
  });
}

function uniqueIds(blocks: readonly ConversationBlock[]): ConversationBlock[] {
  const ids = new UniqueIds();
  return blocks.map((block) => ids.assign(block));
}
