import type { ToolStep } from '@robota-sdk/agent-transcript';
import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { counted } from './format.ts';
import { listWindow } from './list-window.ts';

const MARKS: Readonly<Record<ToolStep['state'], string>> = {
  open: '☐ ',
  current: '▸ ',
  done: '☑ ',
};
const STYLES = { open: 'plain', current: 'accent', done: 'dim' } as const;
const MOST_LIVE = 6;

/** A list of things to do, one a line. */
export function stepLines(steps: readonly ToolStep[], columns: number): StyledLine[] {
  return steps.map(({ text, state }) => {
    const style = STYLES[state];
    return cutLine([span(`  ${MARKS[state]}`, style), span(text, style)], columns);
  });
}

/** The same while something runs, around what is being done; nothing when all is done. */
export function liveStepLines({ steps, work, columns }: ScreenState): StyledLine[] {
  if (!work || steps.every(({ state }) => state === 'done')) return [];
  const current = Math.max(
    0,
    steps.findIndex(({ state }) => state !== 'done'),
  );
  const { shown, first, after } = listWindow(steps, current, MOST_LIVE);
  const rest = first + after;
  const more: StyledLine[] = rest > 0 ? [[span(`    ${counted(rest, 'more step')}`, 'dim')]] : [];
  return [...stepLines(shown, columns), ...more];
}
