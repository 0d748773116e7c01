import type { ConversationBlock, SubagentBlock } from '../../blocks.ts';
import type { SubagentThread, SupersededBranch } from '../../parsed-transcript.ts';
import type { Assembly } from './assemble-blocks.ts';
import {
  agentsOf,
  type FoundThread,
  isSubagent,
  matchPrompts,
  type ReadChat,
} from './match-prompts.ts';
import { withStartAndEnd } from './subagent-block.ts';

export interface LinkedThreads {
  readonly blocks: readonly ConversationBlock[];
  readonly offsets: readonly number[];
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
}

/** Links every thread to the call that started it; threads are in the order of their calls. */
export function linkSubagents(main: ReadChat, threads: readonly FoundThread[]): LinkedThreads {
  const found = matchPrompts(main, threads);
  const linkedMain = nameAgents(main.assembly, found);
  const named = threads.map((thread) => ({
    ...thread,
    assembly: nameAgents(thread.assembly, found),
  }));
  const agents = [linkedMain, ...named.map(({ assembly }) => assembly)].flatMap(agentsOf);
  const order = new Map(agents.map((agent, index) => [agent.subagentId, index]));
  const placeOf = (id: string) => order.get(id) ?? agents.length;
  const ordered = named.sort((one, other) => placeOf(one.id) - placeOf(other.id));
  const superseded = ordered.flatMap(({ id, assembly }) =>
    assembly.superseded.map((branch) => ({ ...branch, conversationId: id })),
  );
  return {
    blocks: linkedMain.blocks,
    offsets: linkedMain.bytes,
    subagents: ordered.map(({ id, reading, assembly }) => {
      const agent = agents[placeOf(id)];
      const { startedAt, endedAt } = reading;
      const blocks = withStartAndEnd(assembly.blocks, agent, { id, startedAt, endedAt });
      const closing = blocks.slice(assembly.blocks.length + 1).map(() => -1);
      return { id, blocks, offsets: [-1, ...assembly.bytes, ...closing] };
    }),
    superseded: [...linkedMain.superseded, ...superseded],
  };
}

type Threads = ReadonlyMap<SubagentBlock, string>;

function nameAgents(assembly: Assembly, threads: Threads): Assembly {
  if (threads.size === 0) return assembly;
  const name = (block: ConversationBlock) => withThread(block, threads);
  return {
    ...assembly,
    blocks: assembly.blocks.map(name),
    superseded: assembly.superseded.map((branch) => ({
      ...branch,
      blocks: branch.blocks.map(name),
    })),
  };
}

function withThread(block: ConversationBlock, threads: Threads): ConversationBlock {
  if (!isSubagent(block)) return block;
  const subagentId = threads.get(block);
  return subagentId === undefined ? block : { ...block, subagentId };
}
