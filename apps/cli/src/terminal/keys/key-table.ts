import type { EditorAction } from '../editor/edit.ts';

/** What a key does while a text is being written, in the prompt and in every search line. */
export const EDITING_KEYS: Readonly<Record<string, EditorAction>> = {
  left: { type: 'move', motion: 'left' },
  right: { type: 'move', motion: 'right' },
  'ctrl+b': { type: 'move', motion: 'left' },
  'ctrl+f': { type: 'move', motion: 'right' },
  home: { type: 'move', motion: 'home' },
  end: { type: 'move', motion: 'end' },
  'ctrl+a': { type: 'move', motion: 'home' },
  'ctrl+e': { type: 'move', motion: 'end' },
  'ctrl+left': { type: 'move', motion: 'wordLeft' },
  'ctrl+right': { type: 'move', motion: 'wordRight' },
  'meta+left': { type: 'move', motion: 'wordLeft' },
  'meta+right': { type: 'move', motion: 'wordRight' },
  'meta+b': { type: 'move', motion: 'wordLeft' },
  'meta+f': { type: 'move', motion: 'wordRight' },
  backspace: { type: 'delete', motion: 'left' },
  'ctrl+h': { type: 'delete', motion: 'left' },
  delete: { type: 'delete', motion: 'right' },
  'ctrl+w': { type: 'delete', motion: 'wordLeft' },
  'meta+backspace': { type: 'delete', motion: 'wordLeft' },
  'meta+d': { type: 'delete', motion: 'wordRight' },
  'ctrl+u': { type: 'delete', motion: 'home' },
  'ctrl+k': { type: 'delete', motion: 'end' },
};

/** What a key does in the prompt, beyond writing. */
export type PromptCommand =
  | 'submit'
  | 'newline'
  | 'up'
  | 'down'
  | 'older'
  | 'newer'
  | 'search'
  | 'complete'
  | 'mode'
  | 'escape'
  | 'interrupt'
  | 'end_of_input'
  | 'redraw'
  | 'unfold';

export const PROMPT_KEYS: Readonly<Record<string, PromptCommand>> = {
  return: 'submit',
  enter: 'newline',
  'shift+return': 'newline',
  'meta+return': 'newline',
  'meta+enter': 'newline',
  up: 'up',
  down: 'down',
  'ctrl+p': 'older',
  'ctrl+n': 'newer',
  'ctrl+r': 'search',
  tab: 'complete',
  'shift+tab': 'mode',
  escape: 'escape',
  'meta+escape': 'escape',
  'ctrl+c': 'interrupt',
  'ctrl+d': 'end_of_input',
  'ctrl+l': 'redraw',
  'ctrl+o': 'unfold',
};
