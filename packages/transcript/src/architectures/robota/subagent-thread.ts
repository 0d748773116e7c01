import type { ConversationBlock, SystemBlock } from '../../blocks.ts';
import type { SubagentThread } from '../../parsed-transcript.ts';

/** Adds the start block to a subagent's thread and, once it has ended, the end block. */
export function threadWithEnds(
  id: string,
  blocks: readonly ConversationBlock[],
  call: ConversationBlock | undefined,
): SubagentThread {
  const agent = call?.type === 'subagent' ? call : undefined;
  const key = agent?.toolUseId ?? id;
  const name = agent?.name === undefined ? '' : ` ${agent.name}`;
  const first = blocks[0]?.timestamp ?? agent?.timestamp ?? new Date(0).toISOString();
  const started: SystemBlock = {
    type: 'system',
    id: `subagent:${key}:started`,
    timestamp: first,
    subtype: 'session_start',
    message: `Subagent${name} started`,
  };
  if (agent?.status !== 'success' && agent?.status !== 'error') {
    return { id, blocks: [started, ...blocks] };
  }
  const ended: SystemBlock = {
    type: 'system',
    id: `subagent:${key}:completed`,
    timestamp: blocks.at(-1)?.timestamp ?? first,
    subtype: 'session_end',
    message: agent.status === 'success' ? 'Subagent completed' : 'Subagent failed',
  };
  return { id, blocks: [started, ...blocks, ended] };
}
