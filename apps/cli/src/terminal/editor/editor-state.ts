/** A prompt being written. `cursor` is an index into `text`, always between two graphemes. */
export interface EditorState {
  readonly text: string;
  readonly cursor: number;
  /** The pasted texts behind the placeholders in `text`, the first at index 0. */
  readonly pastes: readonly string[];
}

export const EMPTY_EDITOR: EditorState = { text: '', cursor: 0, pastes: [] };

/** A paste of this many lines is shown as a placeholder, so that the prompt stays readable. */
const PASTE_LINES = 2;
/** So is a paste of this many characters. */
const PASTE_CHARACTERS = 800;

const PLACEHOLDER = /\[Pasted text #(\d+) \+\d+ lines\]/g;

/** Text typed or pasted at the cursor. */
export function insertText(state: EditorState, text: string): EditorState {
  return splice(state, state.cursor, state.cursor, text);
}

export function pasteText(state: EditorState, pasted: string): EditorState {
  const text = pasted.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines < PASTE_LINES && text.length <= PASTE_CHARACTERS) return insertText(state, text);
  const placeholder = `[Pasted text #${state.pastes.length + 1} +${lines} lines]`;
  return { ...insertText(state, placeholder), pastes: [...state.pastes, text] };
}

/** The full prompt: every placeholder replaced by the pasted text. */
export function expandPastes(state: EditorState): string {
  return state.text.replace(
    PLACEHOLDER,
    (whole, number: string) => state.pastes[Number(number) - 1] ?? whole,
  );
}

/** Replaces `text[from, to)` and puts the cursor after the inserted text. */
export function splice(state: EditorState, from: number, to: number, text: string): EditorState {
  return {
    ...state,
    text: state.text.slice(0, from) + text + state.text.slice(to),
    cursor: from + text.length,
  };
}

/** The placeholder at an index; the cursor steps over it and deletion removes all of it. */
export function placeholderAt(
  text: string,
  index: number,
  side: 'before' | 'after',
): [number, number] | undefined {
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [from, to] = [match.index, match.index + match[0].length];
    const touches = side === 'before' ? index > from && index <= to : index >= from && index < to;
    if (touches) return [from, to];
  }
  return undefined;
}

/** Joins drafts, each on its own lines, and keeps their pasted texts. */
export function joinEditors(editors: readonly EditorState[]): EditorState {
  const written = editors.filter(({ text }) => text !== '');
  const pastes: string[] = [];
  const texts = written.map((editor) => {
    const before = pastes.length;
    pastes.push(...editor.pastes);
    return editor.text.replace(PLACEHOLDER, (whole, number: string) =>
      whole.replace(`#${number}`, `#${Number(number) + before}`),
    );
  });
  const text = texts.join('\n');
  return { text, cursor: text.length, pastes };
}
