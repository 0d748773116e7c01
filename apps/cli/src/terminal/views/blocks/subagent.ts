import type { ConversationBlock, SubagentBlock, ToolUseBlock } from '@robota-sdk/agent-transcript';
import { describeTool } from '@robota-sdk/agent-transcript';
import { cutLine, spreadLine } from '../../layout/fit-line.ts';
import { type StyledLine, span } from '../../markdown/styled-text.ts';
import type { ScreenState } from '../../state/screen-state.ts';
import { foldedOutput } from '../folded-output.ts';
import { counted, formatDuration, formatElapsed, shortPath } from '../format.ts';
import { markOf } from '../tool-mark.ts';

/** A subagent: its task, its last steps while it runs, then its report. */
export function subagentLines(
  state: ScreenState,
  block: SubagentBlock,
  { isUnfolded }: { readonly isUnfolded: boolean },
): StyledLine[] {
  const { columns } = state;
  const isRunning = block.status === 'running' || block.status === 'pending';
  const steps = stepsOf(state, block);
  const head: StyledLine = [
    markOf(block.status === 'pending' ? 'running' : block.status),
    span(block.name ?? 'Agent', 'strong'),
    span(` ${block.input.trim().split('\n')[0] ?? ''}`),
  ];
  const time = timeOf(state, block, isRunning);
  const facts = [steps.length > 0 ? counted(steps.length, 'tool') : '', time].filter(Boolean);
  const first = spreadLine(head, [span(facts.join(' · '), 'dim')], columns);
  if (isRunning) return [first, ...steps.slice(-3).map((step) => stepLine(state, step))];
  return [first, ...foldedOutput(block.output ?? '', { columns, isUnfolded, style: 'dim' })];
}

function timeOf(state: ScreenState, block: SubagentBlock, isRunning: boolean): string {
  const times = state.facts.times.get(block.id);
  if (isRunning) return times ? formatElapsed(state.now - times.startedAt) : '';
  const duration =
    block.durationMs ??
    (times?.endedAt === undefined ? undefined : times.endedAt - times.startedAt);
  return duration === undefined ? '' : formatDuration(duration);
}

function stepsOf(state: ScreenState, { subagentId }: SubagentBlock): readonly ToolUseBlock[] {
  const thread = state.conversation.subagents.find(({ id }) => id === subagentId);
  return (thread?.blocks ?? []).filter(isCall);
}

function isCall(block: ConversationBlock): block is ToolUseBlock {
  return block.type === 'tool_use';
}

function stepLine(state: ScreenState, step: ToolUseBlock): StyledLine {
  const { verb, target } = describeTool(step);
  const text = shortPath(target, state.banner.directory);
  return cutLine([span('  │ ', 'dim'), span(`${verb} ${text}`, 'dim')], state.columns);
}
