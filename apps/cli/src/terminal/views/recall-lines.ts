import { bandedLine, cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { RecallOverlay } from '../state/overlay.ts';
import { searchPrompts } from '../state/prompt-recall.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { listWindow } from './list-window.ts';
import type { InputView } from './picker-lines.ts';

const MAX_ROWS = 10;

/** Earlier prompts that contain the words typed. */
export function recallLines(state: ScreenState, overlay: RecallOverlay): InputView {
  const found = searchPrompts(state.recall.prompts, overlay.query.text);
  const label = 'Search prompts: ';
  const { shown, first } = listWindow(found, overlay.selected, MAX_ROWS);
  const rows = shown.map((prompt, index): StyledLine => {
    const isChosen = first + index === overlay.selected;
    const text = prompt.replaceAll(/\s*\n\s*/g, ' ⏎ ');
    const line = cutLine([span(isChosen ? '❯ ' : '  ', 'accent'), span(text)], state.columns);
    return isChosen ? bandedLine(line, 'chosen', state.columns) : line;
  });
  return {
    lines: [[span(label, 'dim'), span(overlay.query.text)], ...rows],
    input: { line: 0, before: label + overlay.query.text.slice(0, overlay.query.cursor) },
  };
}
