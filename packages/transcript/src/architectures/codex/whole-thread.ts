import type { ConversationBlock } from '../../blocks.ts';
import { asId, compact } from '../../json-record.ts';
import type { SupersededBranch } from '../../parsed-transcript.ts';
import type { AgentState } from './agent-status.ts';
import { plainText } from './message-content.ts';
import { agentPathOf, type HistoryBase, historyBaseOf, nicknameOf } from './rollout-origin.ts';
import type { ThreadReading } from './thread-reading.ts';

/** A thread with the history it took over from other rollouts. */
export interface WholeThread {
  readonly id: string;
  readonly blocks: ConversationBlock[];
  /** For each block the byte at which its line begins; -1 for history that stands in another file. */
  readonly offsets: readonly number[];
  readonly superseded: readonly SupersededBranch[];
  /** History that was referred to and not to be found. */
  readonly missing: readonly HistoryBase[];
  readonly agentPath: string | undefined;
  readonly nickname: string | undefined;
  readonly firstPrompt: string | undefined;
  readonly endedAt: string;
  /** How the thread's last turn ended; `undefined` while it goes on. */
  readonly state: AgentState | undefined;
}

/** Finds the rollout another one goes on from. */
export type FindRollout = (rolloutId: string) => ThreadReading | undefined;

/** Puts the blocks a thread refers to in front of its own; what a revert took back stays aside. */
export function wholeThread(
  fallbackId: string,
  reading: ThreadReading,
  findRollout: FindRollout,
): WholeThread {
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

/** Calls that were answered only after the cut are open again. */
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
  const taken = new Set<string>();
  return blocks.map((block) => {
    let id = block.id;
    for (let copy = 2; taken.has(id); copy++) id = `${block.id}:${copy}`;
    taken.add(id);
    return id === block.id ? block : { ...block, id };
  });
}
