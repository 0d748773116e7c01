import type { ConversationBlock, SubagentBlock } from '../../blocks.ts';
import type { SubagentThread, SupersededBranch } from '../../parsed-transcript.ts';
import type { Assembly } from './assemble-blocks.ts';
import { withStartAndEnd } from './subagent-block.ts';
import type { ThreadReading } from './thread-reading.ts';

/** A subagent's chat as it was found. */
export interface FoundThread {
  readonly id: string;
  readonly reading: ThreadReading;
  readonly assembly: Assembly;
}

export interface LinkedThreads {
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
}

/** Finds for every thread the call that started it; threads come in the order of their calls. */
export function linkSubagents(main: Assembly, threads: readonly FoundThread[]): LinkedThreads {
  const agents = [main, ...threads.map(({ assembly }) => assembly)].flatMap(agentsOf);
  const order = new Map(agents.map((agent, index) => [agent.subagentId, index]));
  const placeOf = (id: string) => order.get(id) ?? agents.length;
  const ordered = [...threads].sort((one, other) => placeOf(one.id) - placeOf(other.id));
  return {
    subagents: ordered.map(({ id, reading, assembly }) => {
      const agent = agents[placeOf(id)];
      const { startedAt, endedAt } = reading;
      return { id, blocks: withStartAndEnd(assembly.blocks, agent, { id, startedAt, endedAt }) };
    }),
    superseded: ordered.flatMap(({ id, assembly }) =>
      assembly.superseded.map((branch) => ({ ...branch, conversationId: id })),
    ),
  };
}

function agentsOf({ blocks, superseded }: Assembly): SubagentBlock[] {
  const all = [...blocks, ...superseded.flatMap((branch) => branch.blocks)];
  return all.filter(isSubagent);
}

function isSubagent(block: ConversationBlock): block is SubagentBlock {
  return block.type === 'subagent';
}
