import {
  describeTool,
  type ToolResultBlock,
  type ToolUseBlock,
  type ToolView,
} from '@robota-sdk/agent-transcript';
import { cellWidth } from '../../layout/cell-width.ts';
import { spreadLine } from '../../layout/fit-line.ts';
import { type StyledLine, span } from '../../markdown/styled-text.ts';
import type { ScreenState } from '../../state/screen-state.ts';
import { changeCount, diffLines } from '../diff-lines.ts';
import { foldedOutput, outputTail } from '../folded-output.ts';
import { dotted, formatDuration, formatElapsed, shortPath } from '../format.ts';
import { stepLines } from '../step-lines.ts';
import { markOf } from '../tool-mark.ts';

/** Rows of a diff shown; the rest is only counted. */
const FOLDED_DIFF = 24;

export interface ToolUseView {
  readonly result: ToolResultBlock | undefined;
  readonly isUnfolded: boolean;
}

/** A call with its result: a title line, then its diff, output or error. */
export function toolUseLines(
  state: ScreenState,
  block: ToolUseBlock,
  { result, isUnfolded }: ToolUseView,
): StyledLine[] {
  const view = viewOf(state, block, result);
  return [
    headLine(state, block, { view, result }),
    ...(isUnfolded ? argumentLines(state, view) : []),
    ...bodyLines(state, block, { view, isUnfolded }),
  ];
}

/** Prefers the diff computed before the file was changed, which has line numbers and context. */
function viewOf(
  state: ScreenState,
  block: ToolUseBlock,
  result: ToolResultBlock | undefined,
): ToolView {
  const view = describeTool(block, result);
  const diff = state.facts.diffs.get(block.toolUseId);
  return diff ? { ...view, diff } : view;
}

interface DescribedCall {
  readonly view: ToolView;
  readonly result: ToolResultBlock | undefined;
}

function headLine(state: ScreenState, block: ToolUseBlock, call: DescribedCall): StyledLine {
  const { view } = call;
  const target = shortPath(view.target, state.banner.directory);
  const left: StyledLine = [
    markOf(view.state),
    span(view.verb, 'strong'),
    ...(target === '' ? [] : [span(` ${target}`)]),
  ];
  return spreadLine(left, endingOf(state, block, call), state.columns);
}

/** Shorter calls are shown without a duration. */
const MIN_SHOWN_DURATION_MS = 1_000;

function endingOf(
  state: ScreenState,
  block: ToolUseBlock,
  { view, result }: DescribedCall,
): StyledLine {
  const times = state.facts.times.get(block.id);
  if (view.state === 'running') {
    const isRunning = block.status === 'running' && times !== undefined;
    return isRunning ? [span(formatElapsed(state.now - times.startedAt), 'dim')] : [];
  }
  const watched = times?.endedAt === undefined ? undefined : times.endedAt - times.startedAt;
  const duration = view.durationMs ?? (view.kind === 'shell' ? watched : undefined);
  const isLong =
    duration !== undefined && (duration >= MIN_SHOWN_DURATION_MS || view.state === 'error');
  return dotted([
    view.diff && view.state === 'success' ? changeCount(view.diff) : [],
    outcomeOf(view, result),
    isLong ? [span(formatDuration(duration), 'dim')] : [],
  ]);
}

function outcomeOf({ state, exitCode }: ToolView, result: ToolResultBlock | undefined): StyledLine {
  if (result?.metadata?.errorCode === 'outcome_unknown') return [span('unknown', 'warning')];
  if (exitCode !== undefined && exitCode !== 0) return [span(`exit ${exitCode}`, 'failure')];
  if (state === 'denied') return [span('denied', 'warning')];
  return state === 'error' ? [span('failed', 'failure')] : [];
}

/** Arguments that the title line does not show completely. */
function argumentLines(state: ScreenState, view: ToolView): StyledLine[] {
  if (view.diff) return [];
  if (view.fields.length < 2) {
    const value = view.fields[0]?.value ?? '';
    const isWhole = !value.includes('\n') && cellWidth(value) < state.columns / 2;
    return isWhole
      ? []
      : foldedOutput(value, { columns: state.columns, isUnfolded: true, style: 'code' });
  }
  return view.fields.flatMap(({ name, value }) =>
    foldedOutput(value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`, {
      columns: state.columns,
      isUnfolded: true,
      style: 'dim',
    }),
  );
}

function bodyLines(
  state: ScreenState,
  block: ToolUseBlock,
  { view, isUnfolded }: { readonly view: ToolView; readonly isUnfolded: boolean },
): StyledLine[] {
  const { columns } = state;
  if (view.state === 'running') {
    const tail = state.facts.tails.get(block.toolUseId);
    if (tail) return outputTail(tail, columns);
    // The transcript shows the full change while a question has room only for a part of it.
    return isUnfolded && view.diff ? changeLines(state, view, isUnfolded) : [];
  }
  if (view.state === 'error' || view.state === 'denied') {
    const isCommand = view.exitCode !== undefined;
    return foldedOutput(isCommand ? view.text : errorText(view.text), {
      columns,
      isUnfolded,
      style: isCommand ? 'plain' : 'failure',
    });
  }
  if (view.diff) return changeLines(state, view, isUnfolded);
  return outputLines(view, { columns, isUnfolded });
}

function changeLines(
  { columns, highlight }: ScreenState,
  { diff, target: path }: ToolView,
  isUnfolded: boolean,
): StyledLine[] {
  if (!diff) return [];
  const limit = isUnfolded ? Number.POSITIVE_INFINITY : FOLDED_DIFF;
  return diffLines(diff, { columns, highlight, path, limit, indent: '  ' });
}

function outputLines(
  view: ToolView,
  { columns, isUnfolded }: { readonly columns: number; readonly isUnfolded: boolean },
): StyledLine[] {
  if (view.steps) return stepLines(view.steps, columns);
  if (view.isQuiet && !isUnfolded) return [];
  const style = view.exitCode ? 'plain' : 'dim';
  return foldedOutput(view.text, { columns, isUnfolded, style });
}

/** Drops "Error:", which the error mark already shows. */
function errorText(text: string): string {
  return text.replace(/^(?:Error: )+/, '');
}
