import type { EditorAction } from '../editor/edit.ts';

/** Editing keys, in the prompt and in every search field. */
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
  delete: { type: 'delete', motion: 'right' },
  'ctrl+w': { type: 'delete', motion: 'wordLeft' },
  'meta+backspace': { type: 'delete', motion: 'wordLeft' },
  'meta+d': { type: 'delete', motion: 'wordRight' },
  'ctrl+u': { type: 'delete', motion: 'home' },
  'ctrl+k': { type: 'delete', motion: 'end' },
};

/** Prompt actions other than editing. */
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
  | 'suspend'
  | 'transcript';

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
  'ctrl+c': 'interrupt',
  'ctrl+d': 'end_of_input',
  'ctrl+l': 'redraw',
  'ctrl+z': 'suspend',
  'ctrl+o': 'transcript',
};

export type PickerCommand = 'close' | 'up' | 'down' | 'open' | 'fork' | 'here' | 'agent' | 'rename';

/** Keys of the session picker; every other key goes to its search field. */
export const PICKER_KEYS: Readonly<Record<string, PickerCommand>> = {
  escape: 'close',
  'ctrl+c': 'close',
  up: 'up',
  down: 'down',
  return: 'open',
  'ctrl+f': 'fork',
  'ctrl+a': 'here',
  'ctrl+g': 'agent',
  'ctrl+r': 'rename',
};

export type PagerCommand =
  | 'close'
  | 'line_up'
  | 'line_down'
  | 'page_up'
  | 'page_down'
  | 'begin'
  | 'end';

/** Keys of the transcript; letters as in less. */
export const PAGER_KEYS: Readonly<Record<string, PagerCommand>> = {
  escape: 'close',
  q: 'close',
  'ctrl+o': 'close',
  'ctrl+c': 'close',
  up: 'line_up',
  k: 'line_up',
  down: 'line_down',
  j: 'line_down',
  return: 'line_down',
  pageup: 'page_up',
  b: 'page_up',
  pagedown: 'page_down',
  ' ': 'page_down',
  home: 'begin',
  g: 'begin',
  end: 'end',
  G: 'end',
};

/** The shortcuts that `?` lists, in order. */
export const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['enter', 'sends the prompt, or queues it'],
  ['ctrl+j, shift+enter', 'inserts a new line'],
  ['/', 'lists commands'],
  ['@', 'lists files'],
  ['!', 'runs a shell command; the model sees the output'],
  ['#', 'adds a note to memory'],
  ['up, down', 'earlier prompts; takes back a queued one'],
  ['ctrl+r', 'searches earlier prompts'],
  ['tab', 'completes; moves to a question'],
  ['shift+tab', 'changes the permission mode'],
  ['ctrl+b', 'moves the running command to the background'],
  ['ctrl+o', 'shows the whole transcript'],
  ['ctrl+l', 'clears the screen'],
  ['ctrl+z', 'suspends; fg resumes'],
  ['esc', 'interrupts; declines a question'],
  ['esc twice', 'rewinds to an earlier prompt'],
  ['ctrl+d', 'quits; so does ctrl+c twice'],
];
