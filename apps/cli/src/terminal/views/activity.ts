import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import { currentQuestion } from '../state/question.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { type Work, waitingPrompts } from '../state/work.ts';
import { retryOf } from './blocks/system.ts';
import { formatElapsed, formatTokens } from './format.ts';
import { turnTokens } from './turn-summary.ts';

/** Queued prompts shown; the rest is only counted. */
const MAX_WAITING = 3;
/** Below this width only the most important facts are shown. */
const WIDE_COLUMNS = 80;

/** The running work with its elapsed time, and the queued prompts. */
export function activityLines(state: ScreenState): StyledLine[] {
  const { work, columns } = state;
  if (!work) return [];
  const waiting = [
    ...waitingPrompts(state).map(({ display, user }) => (user ? `${user}: ${display}` : display)),
    ...state.queue.map(({ task }) => task.display),
  ];
  const shown = waiting.slice(0, MAX_WAITING);
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
  const read = tokens && state.columns >= WIDE_COLUMNS ? `↑ ${formatTokens(tokens.read)} ` : '';
  const counts = tokens ? ` · ${read}↓ ${formatTokens(tokens.written)}` : '';
  return [label, span(` ${time}${counts} · esc ${isAsked ? 'says no' : 'stops'}`, 'dim')];
}

/** Details of a failed request that is about to be retried. */
function currentRetry({ conversation }: ScreenState) {
  const last = conversation.blocks.at(-1);
  return last?.type === 'system' ? retryOf(last) : undefined;
}

function waitingLine(display: string, columns: number, isLast: boolean): StyledLine {
  const text = display.replaceAll(/\s*\n\s*/g, ' ⏎ ');
  const advice = isLast && columns >= WIDE_COLUMNS ? ' · ↑ edits, ctrl+u drops' : '';
  return [
    span('  next ', 'dim'),
    ...cutLine([span(text)], columns - 7 - advice.length),
    span(advice, 'dim'),
  ];
}
