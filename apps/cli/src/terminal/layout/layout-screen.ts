import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { liveLines } from '../views/live-lines.ts';
import { overlayLines } from '../views/overlay-lines.ts';
import { statusLine } from '../views/status-line.ts';
import { cellWidth } from './cell-width.ts';
import { layoutEditor } from './layout-editor.ts';
import { wrapLines } from './wrap-lines.ts';

/** The part of the screen that changes: its rows, each no wider than the terminal, and the cursor among them. */
export interface ScreenLayout {
  readonly lines: readonly StyledLine[];
  readonly cursor: { readonly x: number; readonly y: number };
}

const PROMPT_MARK = '❯ ';

/** Never as high as the terminal: a higher one would scroll and could not be drawn over. */
export function layoutScreen(state: ScreenState): ScreenLayout {
  const bottom = state.overlay ? layoutOverlay(state, state.overlay) : layoutPrompt(state);
  const room = Math.max(1, state.rows - bottom.lines.length - 1);
  const live = wrapLines(liveLines(state), state.columns);
  const shown = live.slice(Math.max(0, live.length - room));
  return {
    lines: [...shown, ...bottom.lines],
    cursor: { x: bottom.cursor.x, y: shown.length + bottom.cursor.y },
  };
}

function layoutPrompt(state: ScreenState): ScreenLayout {
  const rule: StyledLine = [span('─'.repeat(Math.max(0, state.columns)), 'dim')];
  const editor = layoutEditor(state.editor, state.columns - PROMPT_MARK.length - 1);
  const rows = editor.lines.map((line, index) => [
    span(index === 0 ? PROMPT_MARK : '  ', 'user'),
    ...line,
  ]);
  const most = Math.max(3, Math.floor(state.rows / 2));
  const first = Math.max(0, Math.min(editor.cursor.y - most + 1, rows.length - most));
  const above = [...activityLines(state), rule];
  return {
    lines: [...above, ...rows.slice(first, first + most), rule, ...belowPrompt(state)],
    cursor: { x: PROMPT_MARK.length + editor.cursor.x, y: above.length + editor.cursor.y - first },
  };
}

function activityLines(state: ScreenState): StyledLine[] {
  const lines: StyledLine[] = [[]];
  if (state.isBusy) lines.push([span('✻ Working… ', 'warning'), span('(esc to interrupt)', 'dim')]);
  if (state.queued !== undefined) {
    lines.push([
      span(`  next: ${state.queued.split('\n')[0] ?? ''}`, 'dim'),
      span(' (esc takes it back)', 'dim'),
    ]);
  }
  if (state.notice !== undefined) {
    lines.push(...state.notice.split('\n').map((line): StyledLine => [span(line, 'warning')]));
  }
  return wrapLines(lines, state.columns);
}

function belowPrompt(state: ScreenState): StyledLine[] {
  if (state.completion) {
    const { items, selected } = state.completion;
    const widest = Math.max(...items.map(({ label }) => cellWidth(label)));
    return wrapLines(
      items.map(({ label, description }, index) => [
        span(`  ${label}`, index === selected ? 'accent' : 'plain'),
        span(' '.repeat(widest - cellWidth(label) + 2)),
        span(description, 'dim'),
      ]),
      state.columns,
    );
  }
  if (state.isLeaving) return [[span('  ctrl+c again leaves', 'dim')]];
  return [statusLine(state)];
}

function layoutOverlay(
  state: ScreenState,
  overlay: NonNullable<ScreenState['overlay']>,
): ScreenLayout {
  const view = overlayLines(state, overlay);
  const before = wrapLines(
    view.lines.slice(0, view.input?.line ?? view.lines.length),
    state.columns,
  );
  const after = wrapLines(view.lines.slice(view.input?.line ?? view.lines.length), state.columns);
  const written = view.input ? cellWidth(view.input.before) : 0;
  const lines = [...before, ...after].slice(0, Math.max(1, state.rows - 2));
  return {
    lines,
    cursor: view.input
      ? { x: written % state.columns, y: before.length + Math.floor(written / state.columns) }
      : { x: 0, y: Math.max(0, lines.length - 1) },
  };
}
