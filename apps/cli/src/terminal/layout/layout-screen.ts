import { EMPTY_EDITOR } from '../editor/editor-state.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { PickerOverlay, RecallOverlay } from '../state/overlay.ts';
import { currentQuestion, type ScreenQuestion } from '../state/question.ts';
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
import { cutLine } from './fit-line.ts';
import { layoutEditor } from './layout-editor.ts';
import { wrapLines } from './wrap-lines.ts';

/** The live area: its rows, each no wider than the terminal, and the cursor position in it. */
export interface ScreenLayout {
  readonly lines: readonly StyledLine[];
  readonly cursor: { readonly x: number; readonly y: number };
}

const PROMPT_MARK = '❯ ';
const PLACEHOLDER = 'Ask anything, / for commands, @ for files';

/** Always lower than the terminal: a higher frame would scroll and could not be redrawn. */
export function layoutScreen(state: ScreenState): ScreenLayout {
  const { overlay } = state;
  const isList =
    overlay?.kind === 'picker' || overlay?.kind === 'recall' || overlay?.kind === 'rewind';
  const bottom = isList ? layoutList(state, overlay) : layoutPrompt(state);
  const most = Math.max(1, state.rows - 1);
  // In a window that is too low the row of the cursor stays.
  const cut = Math.max(0, Math.min(bottom.lines.length - most, bottom.cursor.y));
  const kept = bottom.lines.slice(cut, cut + most);
  const room = most - kept.length;
  const live = wrapLines(liveLines(state), state.columns);
  const shown = room <= 0 ? [] : live.slice(Math.max(0, live.length - room));
  return {
    lines: [...shown, ...kept].map((line) => cutLine(line, state.columns)),
    cursor: { x: bottom.cursor.x, y: shown.length + bottom.cursor.y - cut },
  };
}

function layoutPrompt(state: ScreenState): ScreenLayout {
  const rule: StyledLine = [span('─'.repeat(Math.max(0, state.columns)), 'dim')];
  const editor = layoutEditor(state.editor, state.columns - PROMPT_MARK.length - 1);
  const rows = editor.lines.map((line, index) => [
    span(index === 0 ? PROMPT_MARK : '  ', 'user'),
    ...(state.editor === EMPTY_EDITOR || state.editor.text === '' ? placeholder(state) : line),
  ]);
  const below = belowPrompt(state);
  const most = Math.max(
    1,
    Math.min(Math.max(3, Math.floor(state.rows / 2)), state.rows - OTHER_ROWS - below.length),
  );
  const first = Math.max(0, Math.min(editor.cursor.y - most + 1, rows.length - most));
  const draft = [rule, ...rows.slice(first, first + most), rule, ...below];
  const activity = activityLines(state);
  const running = [...activity, ...liveStepLines(state)];
  const question = currentQuestion(state);
  // One row is blank, one more if something runs, and the terminal's last row stays free.
  const room = state.rows - 2 - draft.length - (running.length === 0 ? 0 : running.length + 1);
  const isAsked = question !== undefined && question.phase !== 'hidden';
  if (isAsked && room < MIN_QUESTION_ROWS) return layoutQuestion(state, question);
  const asked = isAsked ? questionLines(state, question, room) : undefined;
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

/** Two rules, and the terminal's last row, which stays free. */
const OTHER_ROWS = 3;

/** Two edges, the subject and one choice. */
const MIN_QUESTION_ROWS = 4;

/** In a window too low for both, the question replaces the prompt: nobody can answer what they cannot see. */
function layoutQuestion(state: ScreenState, question: ScreenQuestion): ScreenLayout {
  const { lines, cursor } = questionLines(state, question, state.rows - 1);
  return { lines, cursor: cursor ?? { x: 0, y: lines.length - 1 } };
}

function placeholder(state: ScreenState): StyledLine {
  return state.work ? [] : [span(PLACEHOLDER, 'dim')];
}

function belowPrompt(state: ScreenState): readonly StyledLine[] {
  const { columns, overlay, completion } = state;
  const space = { columns, rows: Math.max(2, state.rows - OTHER_ROWS - 1) };
  if (overlay?.kind === 'shortcuts') return shortcutLines(columns).slice(0, space.rows);
  if (overlay?.kind === 'choices') return choiceLines(overlay, space);
  if (completion) return completionLines(completion, space);
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
