import { EMPTY_EDITOR } from '../editor/editor-state.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { PickerOverlay, RecallOverlay } from '../state/overlay.ts';
import { currentQuestion } from '../state/question.ts';
import type { RewindOverlay } from '../state/rewind-overlay.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { activityLines } from '../views/activity.ts';
import { choiceLines } from '../views/choice-lines.ts';
import { completionLines } from '../views/completion-lines.ts';
import { footerLine } from '../views/footer.ts';
import { liveLines } from '../views/live-lines.ts';
import { type InputView, pickerLines } from '../views/picker-lines.ts';
import { questionLines } from '../views/question-lines.ts';
import { recallLines } from '../views/recall-lines.ts';
import { rewindLines } from '../views/rewind-lines.ts';
import { shortcutLines } from '../views/shortcut-lines.ts';
import { liveStepLines } from '../views/step-lines.ts';
import { cellWidth } from './cell-width.ts';
import { layoutEditor } from './layout-editor.ts';
import { wrapLines } from './wrap-lines.ts';

/** The part of the screen that changes: its rows, each no wider than the terminal, and the cursor among them. */
export interface ScreenLayout {
  readonly lines: readonly StyledLine[];
  readonly cursor: { readonly x: number; readonly y: number };
}

const PROMPT_MARK = '❯ ';
const PLACEHOLDER = 'Ask anything, / for commands, @ for files';

/** Never as high as the terminal: a higher one would scroll and could not be drawn over. */
export function layoutScreen(state: ScreenState): ScreenLayout {
  const { overlay } = state;
  const isList =
    overlay?.kind === 'picker' || overlay?.kind === 'recall' || overlay?.kind === 'rewind';
  const bottom = isList ? layoutList(state, overlay) : layoutPrompt(state);
  const most = Math.max(1, state.rows - 1);
  const kept = bottom.lines.slice(Math.max(0, bottom.lines.length - most));
  const cut = bottom.lines.length - kept.length;
  const room = most - kept.length;
  const live = wrapLines(liveLines(state), state.columns);
  const shown = room <= 0 ? [] : live.slice(Math.max(0, live.length - room));
  return {
    lines: [...shown, ...kept],
    cursor: { x: bottom.cursor.x, y: shown.length + Math.max(0, bottom.cursor.y - cut) },
  };
}

function layoutPrompt(state: ScreenState): ScreenLayout {
  const rule: StyledLine = [span('─'.repeat(Math.max(0, state.columns)), 'dim')];
  const editor = layoutEditor(state.editor, state.columns - PROMPT_MARK.length - 1);
  const rows = editor.lines.map((line, index) => [
    span(index === 0 ? PROMPT_MARK : '  ', 'user'),
    ...(state.editor === EMPTY_EDITOR || state.editor.text === '' ? placeholder(state) : line),
  ]);
  const most = Math.max(3, Math.floor(state.rows / 2));
  const first = Math.max(0, Math.min(editor.cursor.y - most + 1, rows.length - most));
  const draft = [rule, ...rows.slice(first, first + most), rule, ...belowPrompt(state)];
  const activity = activityLines(state);
  const running = [...activity, ...liveStepLines(state)];
  const question = currentQuestion(state);
  // One row is empty, one more where something runs, and the terminal's last row stays free.
  const room = state.rows - 2 - draft.length - (running.length === 0 ? 0 : running.length + 1);
  const asked =
    question && question.phase !== 'hidden' ? questionLines(state, question, room) : undefined;
  const above: StyledLine[] = [
    [],
    ...(asked ? [...asked.lines, ...(activity.length > 0 ? [[]] : [])] : []),
    ...running,
  ];
  const written = {
    x: PROMPT_MARK.length + editor.cursor.x,
    y: above.length + 1 + editor.cursor.y - first,
  };
  const inQuestion = asked?.cursor && { x: asked.cursor.x, y: 1 + asked.cursor.y };
  return {
    lines: [...above, ...draft],
    cursor: inQuestion ?? written,
  };
}

function placeholder(state: ScreenState): StyledLine {
  return state.work ? [] : [span(PLACEHOLDER, 'dim')];
}

function belowPrompt(state: ScreenState): StyledLine[] {
  if (state.overlay?.kind === 'shortcuts') return shortcutLines(state.columns);
  if (state.overlay?.kind === 'choices') return choiceLines(state.overlay, state.columns);
  if (state.completion) return completionLines(state.completion, state.columns);
  return [footerLine(state)];
}

function layoutList(
  state: ScreenState,
  overlay: PickerOverlay | RecallOverlay | RewindOverlay,
): ScreenLayout {
  const view = listView(state, overlay);
  const before = wrapLines(view.lines.slice(0, view.input.line), state.columns);
  const after = wrapLines(view.lines.slice(view.input.line), state.columns);
  const written = cellWidth(view.input.before);
  return {
    lines: [[], ...before, ...after],
    cursor: {
      x: written % state.columns,
      y: 1 + before.length + Math.floor(written / state.columns),
    },
  };
}

function listView(
  state: ScreenState,
  overlay: PickerOverlay | RecallOverlay | RewindOverlay,
): InputView {
  if (overlay.kind === 'picker') return pickerLines(state, overlay);
  return overlay.kind === 'recall' ? recallLines(state, overlay) : rewindLines(state, overlay);
}
