import type { RewindFile, RewindPreview } from '@robota-sdk/agent-sdk';
import { toolDiff } from '@robota-sdk/agent-transcript';
import { bandedLine, cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { RewindOverlay } from '../state/rewind-overlay.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { diffLines } from './diff-lines.ts';
import { withoutControl } from './folded-output.ts';
import { counted } from './format.ts';
import { listWindow } from './list-window.ts';
import type { InputView } from './picker-lines.ts';

/** Rows around the list. */
const OTHER_ROWS = 6;
/** Rows shown per file; the rest is only counted. */
const DIFF_ROWS = 12;

/** The list of prompts, or the preview of rewinding to before the selected one. */
export function rewindLines(state: ScreenState, overlay: RewindOverlay): InputView {
  const { preview } = overlay;
  const lines = preview ? previewLines(state, overlay, preview) : promptLines(state, overlay);
  return { lines, input: { line: lines.length - 1, before: '' } };
}

function promptLines(
  state: ScreenState,
  { prompts, selected, isDrawn }: RewindOverlay,
): StyledLine[] {
  const rows = Math.max(3, Math.min(12, state.rows - OTHER_ROWS));
  const { shown, first } = listWindow(prompts, selected, rows);
  return [
    [span('Go back to before ', 'strong'), span(counted(prompts.length, 'prompt'), 'dim')],
    [],
    ...shown.map(({ text }, index) => promptLine(state, text, first + index === selected)),
    [],
    hintLine(
      isDrawn,
      'enter shows what changes · ctrl+f forks there · ctrl+u undoes the last · esc closes',
    ),
  ];
}

/** No keys are offered until every key sent earlier has arrived. */
function hintLine(isDrawn: boolean, hint: string): StyledLine {
  return [span(isDrawn ? hint : '…', 'dim')];
}

function promptLine({ columns }: ScreenState, text: string, isChosen: boolean): StyledLine {
  const oneLine = withoutControl(text.replaceAll(/\s*\n\s*/g, ' ⏎ '));
  const line = cutLine([span(isChosen ? '❯ ' : '  ', 'accent'), span(oneLine)], columns);
  return isChosen ? bandedLine(line, 'chosen', columns) : line;
}

function previewLines(
  state: ScreenState,
  { conflicts, scrolled, isDrawn }: RewindOverlay,
  preview: RewindPreview,
): StyledLine[] {
  const hasConflicts = preview.files.some(({ conflict, isFixed }) => conflict && !isFixed);
  const body = [
    ...preview.files.flatMap((file) => fileLines(state, file, conflicts)),
    ...preview.notCovered.map((what) => [span(`Not covered: ${what}`, 'warning')]),
  ];
  const rows = Math.max(3, state.rows - OTHER_ROWS - (hasConflicts ? 1 : 0));
  const first = Math.min(scrolled, Math.max(0, body.length - rows));
  const below = body.length - first - rows;
  const { columns } = state;
  return [
    cutLine([span('Before ', 'strong'), span(withoutControl(preview.prompt))], columns),
    [span(countLine(preview), 'dim')],
    ...body.slice(first, first + rows).map((line) => cutLine(line, columns)),
    ...(below > 0 ? [[span(`${counted(below, 'more row')} · down`, 'dim')]] : []),
    ...(hasConflicts ? [conflictLine(conflicts)] : []),
    hintLine(isDrawn, 'enter both · c conversation · f files · esc back'),
  ];
}

function countLine({ files }: RewindPreview): string {
  return files.length === 0 ? 'No file changes.' : `${counted(files.length, 'file')} would change:`;
}

function conflictLine(conflicts: RewindOverlay['conflicts']): StyledLine {
  const isKept = conflicts === 'keep';
  return [
    span(isKept ? 'Your versions stay. ' : 'Your versions are replaced. ', 'warning'),
    span(isKept ? 'o replaces them' : 'o keeps them', 'dim'),
  ];
}

const SIGNS = { create: '+', delete: '-', restore: '~' } as const;

function fileLines(
  state: ScreenState,
  { path, change, conflict, isFixed, diff }: RewindFile,
  conflicts: RewindOverlay['conflicts'],
): StyledLine[] {
  const stays = isFixed || (conflict !== undefined && conflicts === 'keep');
  const head: StyledLine = [
    span(`${stays ? '·' : SIGNS[change]} `, stays ? 'warning' : 'accent'),
    span(withoutControl(path), 'strong'),
    ...(conflict === undefined
      ? []
      : [span(` ${stays ? 'stays' : 'is replaced'}: ${conflict}`, 'warning')]),
  ];
  if (!diff) return [head];
  const { columns, highlight } = state;
  const view = { columns, highlight, path, limit: DIFF_ROWS, indent: '  ' };
  return [head, ...diffLines(toolDiff(diff.map(shownLine)), view)];
}

const DIFF_SIGNS = { hunk: '@', context: ' ', add: '+', remove: '-' } as const;

function shownLine({ type, text, lineNumber }: NonNullable<RewindFile['diff']>[number]) {
  const sign = DIFF_SIGNS[type];
  return sign === '-' ? { sign, text, oldLine: lineNumber } : { sign, text, newLine: lineNumber };
}
