import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import { currentQuestion } from '../state/question.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { type Work, waitingPrompts } from '../state/work.ts';
import { retryOf } from './blocks/system.ts';
import { formatElapsed, formatTokens } from './format.ts';
import { turnTokens } from './turn-summary.ts';

/** Waiting prompts shown before the rest is only counted. */
const MOST_WAITING = 3;
/** Below this width only the most telling facts are shown. */
const ROOMY = 80;

/** What runs, for how long, and what waits for it to end. */
export function activityLines(state: ScreenState): StyledLine[] {
  const { work, columns } = state;
  if (!work) return [];
  const waiting = [
    ...waitingPrompts(state).map(({ display, user }) => (user ? `${user}: ${display}` : display)),
    ...state.queue.map(({ task }) => task.display),
  ];
  const shown = waiting.slice(0, MOST_WAITING);
  const rest = waiting.length - shown.length;
  const lines: StyledLine[] = [
    workLine(state, work),
    ...shown.map((display, index) => waitingLine(display, columns, index === waiting.length - 1)),
    ...(rest > 0 ? [[span(`  and ${rest} more`, 'dim')]] : []),
  ];
  return lines.map((line) => cutLine(line, columns));
}

function workLine(state: ScreenState, work: Work): StyledLine {
  const retry = currentRetry(state);
  const time = formatElapsed(state.now - work.startedAt);
  if (retry) {
    const about = ` ${time} · attempt ${retry.attempt + 1} · esc stops · ${retry.reason}`;
    return [span('✻ Asking again', 'warning'), span(about, 'dim')];
  }
  const tokens = turnTokens(state, work);
  const isAsked = currentQuestion(state) !== undefined && !state.overlay;
  const label = isAsked ? span('◆ Waiting for you', 'warning') : span(`✻ ${work.label}`, 'accent');
  const read = tokens && state.columns >= ROOMY ? `↑ ${formatTokens(tokens.read)} ` : '';
  const counts = tokens ? ` · ${read}↓ ${formatTokens(tokens.written)}` : '';
  return [label, span(` ${time}${counts} · esc ${isAsked ? 'says no' : 'stops'}`, 'dim')];
}

/** Of a request that failed and waits to be sent again. */
function currentRetry({ conversation }: ScreenState) {
  const last = conversation.blocks.at(-1);
  return last?.type === 'system' ? retryOf(last) : undefined;
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
