import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { type ForkStart, handOver } from '@robota-sdk/agent-sdk';
import { agentTitle } from '../../arguments/read-agent.ts';

/** Starts a session of our own engine from another agent's session, which is only read. */
export async function forkForeign(
  session: CatalogueSession,
  cwd: string,
): Promise<{ readonly start: ForkStart; readonly remark: string }> {
  const { agent, id, path } = session;
  const from = { agent, id, ...(path !== '' && { path }) };
  // Our own engine compacts for the current model when the first prompt needs it.
  const result = await handOver({ from, to: 'robota', cwd, whenTooLong: 'leave_to_target' });
  if (result.status !== 'ready') throw new Error(`Session ${id} cannot be continued here.`);
  const { report, start } = result;
  const left = report.losses.length;
  const tokens = report.estimatedTokens.toLocaleString('en-US');
  const losses =
    left === 0
      ? 'nothing is left out'
      : `robota resume ${id} --as robota --dry-run says what is left out`;
  return {
    start,
    remark: `Continuing ${agentTitle(agent)} session ${id} in a copy (about ${tokens} tokens, ${losses}).`,
  };
}
