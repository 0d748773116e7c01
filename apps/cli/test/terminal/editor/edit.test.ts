import { describe, expect, it } from 'vitest';
import { type EditorAction, edit } from '../../../src/terminal/editor/edit.ts';
import {
  type EditorState,
  EMPTY_EDITOR,
  expandPastes,
} from '../../../src/terminal/editor/editor-state.ts';

/** Applies actions to a text in which `|` marks the cursor, and gives the result in the same notation. */
function after(marked: string, ...actions: EditorAction[]): string {
  const start: EditorState = {
    text: marked.replace('|', ''),
    cursor: marked.indexOf('|'),
    pastes: [],
  };
  const { text, cursor } = actions.reduce(edit, start);
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

const move = (motion: Extract<EditorAction, { type: 'move' }>['motion']): EditorAction => ({
  type: 'move',
  motion,
});
const remove = (motion: Extract<EditorAction, { type: 'delete' }>['motion']): EditorAction => ({
  type: 'delete',
  motion,
});

describe('edit', () => {
  it.each([
    ['types at the cursor', 'a|c', [{ type: 'insert', text: 'b' }], 'ab|c'],
    ['steps over a whole emoji', 'a👨‍👩‍👧|b', [move('left')], 'a|👨‍👩‍👧b'],
    ['steps over a Hangul syllable', '|한글', [move('right')], '한|글'],
    ['steps back over a newline', 'a\n|b', [move('left')], 'a|\nb'],
    ['stops at the beginning', '|a', [move('left')], '|a'],
    ['stops at the end', 'a|', [move('right')], 'a|'],
    ['deletes a whole grapheme', 'e\u0301|x', [remove('left')], '|x'],
    ['deletes forward', 'a|bc', [remove('right')], 'a|c'],
    ['goes back one word', 'one two|', [move('wordLeft')], 'one |two'],
    ['goes on one word', '|one two', [move('wordRight')], 'one| two'],
    ['deletes a word', 'one two|', [remove('wordLeft')], 'one |'],
    ['deletes to the end of the line', 'on|e\ntwo', [remove('end')], 'on|\ntwo'],
    ['deletes to the start of the line', 'one\ntw|o', [remove('home')], 'one\n|o'],
    ['goes up in the same column', 'one\ntw|o', [move('up')], 'on|e\ntwo'],
    ['goes up to the end of a shorter line', 'a\nlonger|', [move('up')], 'a|\nlonger'],
    ['goes down in the same column', 'on|e\ntwo', [move('down')], 'one\ntw|o'],
    ['goes to the beginning when up has nowhere to go', 'on|e', [move('up')], '|one'],
    ['goes to the end when down has nowhere to go', 'on|e', [move('down')], 'one|'],
  ] satisfies [string, string, EditorAction[], string][])('%s', (_, before, actions, expected) => {
    expect(after(before, ...actions)).toBe(expected);
  });

  it('shows a paste of many lines as a placeholder and sends what was pasted', () => {
    const pasted = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');
    const state = [
      { type: 'insert', text: 'Look: ' },
      { type: 'paste', text: pasted.replaceAll('\n', '\r') },
    ].reduce((current, action) => edit(current, action as EditorAction), EMPTY_EDITOR);

    expect(state.text).toBe('Look: [Pasted text #1 +500 lines]');
    expect(expandPastes(state)).toBe(`Look: ${pasted}`);
  });

  it('counts no line behind the last line end of a paste', () => {
    expect(edit(EMPTY_EDITOR, { type: 'paste', text: 'a\nb\n' }).text).toBe(
      '[Pasted text #1 +2 lines]',
    );
  });

  it('types a short paste as it is', () => {
    expect(edit(EMPTY_EDITOR, { type: 'paste', text: 'one line' }).text).toBe('one line');
  });

  it('deletes a placeholder whole', () => {
    const state = edit(edit(EMPTY_EDITOR, { type: 'paste', text: 'a\nb' }), remove('left'));

    expect(state.text).toBe('');
  });

  it('keeps a placeholder-shaped text that was typed', () => {
    const typed = edit(EMPTY_EDITOR, { type: 'insert', text: '[Pasted text #7 +2 lines]' });

    expect(expandPastes(typed)).toBe('[Pasted text #7 +2 lines]');
  });
});
