import { edit } from '../editor/edit.ts';
import type { EditorState } from '../editor/editor-state.ts';
import type { KeyPress } from '../keys/key.ts';
import { EDITING_KEYS } from '../keys/key-table.ts';

/** The name of a key; undefined for text. */
export function keyName(press: KeyPress): string | undefined {
  return press.kind === 'key' ? press.name : undefined;
}

/** A single-line text after a key press; other keys leave it unchanged. */
export function written(editor: EditorState, press: KeyPress): EditorState {
  if (press.kind !== 'key') {
    return edit(editor, { type: 'insert', text: press.text.replaceAll('\n', ' ') });
  }
  const action = EDITING_KEYS[press.name];
  return action ? edit(editor, action) : editor;
}
