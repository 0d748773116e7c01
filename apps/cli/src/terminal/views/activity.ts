import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import { currentQuestion } from '../state/question.ts';
import type { ScreenState } from '../state/screen-state.ts';
import type { Work } from '../state/work.ts';
import { formatElapsed, formatTokens } from './format.ts';
import { turnTokens } from './turn-summary.ts';

/** Waiting prompts shown before the rest is only counted. */
const MOST_WAITING = 3;
/** Below this width only the most telling facts are shown. */
const ROOMY = 80;

/** What runs, for how long, and what waits for it to end. */
export function activityLines(state: ScreenState): StyledLine[] {
  const { work, queue, columns } = state;
  if (!work) return [];
  const shown = queue.slice(0, MOST_WAITING);
  const rest = queue.length - shown.length;
  const lines: StyledLine[] = [
    workLine(state, work),
    ...shown.map(({ task }, index) =>
      waitingLine(task.display, columns, index === queue.length - 1),
    ),
    ...(rest > 0 ? [[span(`  and ${rest} more`, 'dim')]] : []),
  ];
  return lines.map((line) => cutLine(line, columns));
}

function workLine(state: ScreenState, work: Work): StyledLine {
  const tokens = turnTokens(state, work);
  const isAsked = currentQuestion(state) !== undefined && !state.overlay;
  const label = isAsked ? span('◆ Waiting for you', 'warning') : span(`✻ ${work.label}`, 'accent');
  const read = tokens && state.columns >= ROOMY ? `↑ ${formatTokens(tokens.read)} ` : '';
  const counts = tokens ? ` · ${read}↓ ${formatTokens(tokens.written)}` : '';
  const time = formatElapsed(state.now - work.startedAt);
  return [label, span(` ${time}${counts} · esc ${isAsked ? 'says no' : 'stops'}`, 'dim')];
}

function waitingLine(display: string, columns: number, isLast: boolean): StyledLine {
  const text = display.replaceAll(/\s*\n\s*/g, ' ⏎ ');
  const advice = isLast && columns >= ROOMY ? ' · ↑ edits, ctrl+u drops' : '';
  return [
    span('  next ', 'dim'),
    ...cutLine([span(text)], columns - 7 - advice.length),
    span(advice, 'dim'),
  ];
}
