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
const MAX_LIVE = 6;

/** A to-do list, one item per line. */
export function stepLines(steps: readonly ToolStep[], columns: number): StyledLine[] {
  return steps.map(({ text, state }) => {
    const style = STYLES[state];
    return cutLine([span(`  ${MARKS[state]}`, style), span(text, style)], columns);
  });
}

/** The part of the to-do list around the current item while work runs; empty when everything is done. */
export function liveStepLines({ steps, work, columns }: ScreenState): StyledLine[] {
  if (!work || steps.every(({ state }) => state === 'done')) return [];
  const current = Math.max(
    0,
    steps.findIndex(({ state }) => state !== 'done'),
  );
  const { shown, first, after } = listWindow(steps, current, MAX_LIVE);
  const rest = first + after;
  const more: StyledLine[] = rest > 0 ? [[span(`    ${counted(rest, 'more step')}`, 'dim')]] : [];
  return [...stepLines(shown, columns), ...more];
}
