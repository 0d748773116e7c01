import { type EditorState, EMPTY_EDITOR, insertText, pasteText, splice } from './editor-state.ts';
import { down, end, home, left, type Motion, right, up, wordLeft, wordRight } from './motions.ts';

const MOTIONS = { left, right, wordLeft, wordRight, home, end, up, down } as const satisfies Record<
  string,
  Motion
>;

/** Everything a key can do to the prompt. */
export type EditorAction =
  | { readonly type: 'insert'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'move'; readonly motion: keyof typeof MOTIONS }
  /** Deletes from the cursor to the target of the motion. */
  | { readonly type: 'delete'; readonly motion: keyof typeof MOTIONS }
  | { readonly type: 'replace'; readonly from: number; readonly to: number; readonly text: string }
  | { readonly type: 'set'; readonly text: string }
  | { readonly type: 'clear' };

export function edit(state: EditorState, action: EditorAction): EditorState {
  switch (action.type) {
    case 'insert':
      return insertText(state, action.text);
    case 'paste':
      return pasteText(state, action.text);
    case 'move':
      return { ...state, cursor: MOTIONS[action.motion](state.text, state.cursor) };
    case 'delete':
      return deleteTo(state, MOTIONS[action.motion](state.text, state.cursor));
    case 'replace':
      return splice(state, action.from, action.to, action.text);
    case 'set':
      return { text: action.text, cursor: action.text.length, pastes: [] };
    case 'clear':
      return EMPTY_EDITOR;
  }
}

function deleteTo(state: EditorState, target: number): EditorState {
  const [from, to] = target < state.cursor ? [target, state.cursor] : [state.cursor, target];
  return { ...splice(state, from, to, ''), cursor: from };
}
