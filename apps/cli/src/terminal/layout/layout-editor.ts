import type { EditorState } from '../editor/editor-state.ts';
import type { StyledLine } from '../markdown/styled-text.ts';
import { cells } from './cell-width.ts';

export interface EditorLayout {
  readonly lines: readonly StyledLine[];
  /** In cells from the left and lines from the top of the editor. */
  readonly cursor: { readonly x: number; readonly y: number };
}

/** The prompt as terminal rows, wrapped only at the right edge, and the cursor position in them. */
export function layoutEditor(editor: EditorState, columns: number): EditorLayout {
  const rows: string[] = [''];
  let used = 0;
  let index = 0;
  let cursor = { x: 0, y: 0 };
  const newRow = () => {
    rows.push('');
    used = 0;
  };
  for (const { text, width } of cells(editor.text)) {
    if (text !== '\n' && used + width > columns) newRow();
    if (index === editor.cursor) cursor = { x: used, y: rows.length - 1 };
    index += text.length;
    if (text === '\n') newRow();
    else {
      rows[rows.length - 1] += text;
      used += width;
    }
  }
  if (index === editor.cursor) {
    if (used >= columns) newRow();
    cursor = { x: used, y: rows.length - 1 };
  }
  return { lines: rows.map((text) => [{ text, style: 'plain' }]), cursor };
}
