import type { ThinkingBlock } from '@robota-sdk/agent-transcript';
import { cutLine } from '../../layout/fit-line.ts';
import { wrapLines } from '../../layout/wrap-lines.ts';
import { type StyledLine, span } from '../../markdown/styled-text.ts';
import type { BlockTimes } from '../../state/screen-state.ts';
import { formatElapsed } from '../format.ts';

interface ThinkingView {
  readonly columns: number;
  readonly times: BlockTimes | undefined;
  readonly isUnfolded: boolean;
}

export function thinkingLines(
  block: ThinkingBlock,
  { columns, times, isUnfolded }: ThinkingView,
): StyledLine[] {
  if (block.content.trim() === '') return [];
  const lasted = times?.endedAt === undefined ? 0 : times.endedAt - times.startedAt;
  const time = lasted < 1_000 ? '' : ` for ${formatElapsed(lasted)}`;
  const head: StyledLine = [span('✻ ', 'dim'), span(`Thought${time}`, 'dim')];
  if (!isUnfolded) return [[...head, span(' · ctrl+o', 'dim')]];
  const text = block.content.trimEnd().split('\n');
  return [
    head,
    ...wrapLines(
      text.map((line) => [span(`  ${line}`, 'dim')]),
      columns,
    ),
  ];
}

/** While it streams, the last line is more useful than the first. */
export function openThinkingLines(block: ThinkingBlock, columns: number): StyledLine[] {
  const last = block.content.trimEnd().split('\n').at(-1) ?? '';
  return [cutLine([span('✻ ', 'accent'), span(last === '' ? 'Thinking…' : last, 'dim')], columns)];
}
