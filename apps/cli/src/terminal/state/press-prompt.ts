import type { PermissionMode } from '@robota-sdk/agent-core';
import { edit } from '../editor/edit.ts';
import { type EditorState, EMPTY_EDITOR, expandPastes } from '../editor/editor-state.ts';
import type { KeyPress } from '../keys/key.ts';
import { EDITING_KEYS, PROMPT_KEYS, type PromptCommand } from '../keys/key-table.ts';
import { askWhereToRemember } from './choices.ts';
import { completionFor, filePathStart } from './completion.ts';
import { imageMark } from './dropped-image.ts';
import { addNote } from './notes.ts';
import { recallNewer, recallOlder, rememberPrompt } from './prompt-recall.ts';
import { openRewind } from './rewind-overlay.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { enqueue, interruptWork, takeBackLast } from './work.ts';

/** Handles a key while the prompt has the focus. */
export function pressPrompt(before: ScreenState, press: KeyPress, at: number): ScreenUpdate {
  const state = { ...before, isLeaving: false, isGoingBack: false };
  if (press.kind === 'text') return typed(state, press.text);
  if (press.kind === 'paste') {
    const text = imageMark(press.text) ?? press.text;
    return edited(state, edit(state.editor, { type: 'paste', text }));
  }
  const dropped =
    press.name === 'ctrl+u' && state.editor.text === '' ? takeBackLast(state) : undefined;
  if (dropped) return just({ ...dropped.state, editor: state.editor }, ...dropped.effects);
  if (press.name === 'ctrl+b' && state.work && state.editor.text === '')
    return moveToBackground(state);
  const command = PROMPT_KEYS[press.name];
  if (command) return COMMANDS[command](state, { before, at });
  const action = EDITING_KEYS[press.name];
  return action ? edited(state, edit(state.editor, action)) : just(state);
}

interface Moment {
  readonly before: ScreenState;
  readonly at: number;
}

type PromptStep = (state: ScreenState, moment: Moment) => ScreenUpdate;

const COMMANDS: Readonly<Record<PromptCommand, PromptStep>> = {
  submit: (state, { at }) =>
    state.completion && !isCompleted(state) ? accept(state) : submit(state, at),
  newline: (state) => edited(state, edit(state.editor, { type: 'insert', text: '\n' })),
  up: (state) => (state.completion ? choose(state, -1) : pressUp(state)),
  down: (state) => (state.completion ? choose(state, 1) : pressDown(state)),
  older: (state) => older(state),
  newer: (state) => newer(state),
  search: (state) =>
    just({ ...state, overlay: { kind: 'recall', query: EMPTY_EDITOR, selected: 0 } }),
  complete: (state) => (state.completion ? accept(state) : just(state)),
  mode: (state) => {
    const mode = nextMode(state);
    if (mode === undefined) return just(addNote(state, { tone: 'warning', text: noMode(state) }));
    return just({ ...state, status: { ...state.status, mode } }, { type: 'set_mode', mode });
  },
  escape: (state, { before }) => stepBack(state, before),
  interrupt: (state, { before }) => interrupt(state, before),
  end_of_input: (state) =>
    state.editor.text === ''
      ? just(state, { type: 'leave' })
      : edited(state, edit(state.editor, { type: 'delete', motion: 'right' })),
  redraw: (state) => just(state, { type: 'scroll_away' }),
  suspend: (state) => just(state, { type: 'suspend' }),
  transcript: (state) => just({ ...state, overlay: { kind: 'transcript', position: undefined } }),
};

/** Moves the running command to the background. */
function moveToBackground(state: ScreenState): ScreenUpdate {
  const args = 'move';
  return just(state, { type: 'command', name: 'background', args, display: '' });
}

/** `?` on an empty prompt shows the keyboard shortcuts. */
function typed(state: ScreenState, text: string): ScreenUpdate {
  if (text === '?' && state.editor.text === '')
    return just({ ...state, overlay: { kind: 'shortcuts' } });
  return edited(state, edit(state.editor, { type: 'insert', text }));
}

/** A changed text leaves the prompt history and updates the completions. */
function edited(state: ScreenState, editor: EditorState): ScreenUpdate {
  const completion = completionFor(editor, state);
  const next = { ...state, editor, completion, recall: { ...state.recall, index: undefined } };
  return mustListFiles(state, editor)
    ? just({ ...next, isListingFiles: true }, { type: 'list_files' })
    : just(next);
}

/** Files come and go: they are listed for every new `@`, and once for one that is recalled. */
function mustListFiles(
  { editor: before, files, isListingFiles }: ScreenState,
  editor: EditorState,
) {
  const start = filePathStart(editor);
  if (isListingFiles || start === undefined) return false;
  return files === undefined || start !== filePathStart(before);
}

/** Commands that run at once even while a turn runs; all others are queued. */
const IMMEDIATE: ReadonlySet<string> = new Set([
  'help',
  'mode',
  'model',
  'language',
  'cost',
  'context',
  'permissions',
  'resume',
  'rename',
  'reset',
  'exit',
  'quit',
  'agents',
  'background',
  'export',
  'hooks',
  'mcp',
  'memory',
  'usage',
]);

function submit(state: ScreenState, at: number): ScreenUpdate {
  const { editor } = state;
  if (editor.text.endsWith('\\') && editor.cursor === editor.text.length) {
    const withoutBackslash = edit(editor, { type: 'delete', motion: 'left' });
    return edited(state, edit(withoutBackslash, { type: 'insert', text: '\n' }));
  }
  const display = editor.text.trim();
  if (display === '') return just(state);
  const text = expandPastes(editor).trim();
  // The sign must be visible: a paste that happens to begin with one is a prompt.
  const isSigned = /^[!#/]/.test(display);
  const note = isSigned && has(state, 'memory') ? noteIn(text) : undefined;
  if (note !== undefined) return askWhereToRemember(state, note);
  const command = isSigned ? commandIn(state, text) : null;
  if (!command && state.session && !state.session.capabilities.prompt) {
    const refusal = `This ${state.session.title} session is read-only here.`;
    return just(addNote(state, { tone: 'warning', text: refusal }));
  }
  const recall = rememberPrompt(state.recall, text);
  const cleared = { ...state, editor: EMPTY_EDITOR, completion: undefined, recall };
  const remember = { type: 'remember_prompt', prompt: text } as const;
  const [, name = '', args = ''] = command ?? [];
  if (IMMEDIATE.has(name)) return just(cleared, remember, { type: 'command', name, args, display });
  const task = command
    ? ({ kind: 'command', name, args, display } as const)
    : ({ kind: 'prompt', text, display } as const);
  const { state: next, effects } = enqueue(cleared, { task, editor }, at);
  return just(next, remember, ...effects);
}

/** One line after a `#`; a heading is none. */
function noteIn(text: string): string | undefined {
  return /^#\s*([^#\s].*)$/.exec(text)?.[1];
}

/** `/name arguments`, or `!line` for the shell; null for a prompt. */
function commandIn(state: ScreenState, text: string): readonly string[] | null {
  const line = has(state, 'shell') ? /^!\s*([\s\S]*\S)$/.exec(text)?.[1] : undefined;
  if (line !== undefined) return [text, 'shell', line];
  return /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/.exec(text);
}

/** Whether the command exists; true before the session is open, which is then assumed to be one of ours. */
function has({ commands, session }: ScreenState, wanted: string): boolean {
  return session === undefined || commands.some(({ name }) => name === wanted);
}

/** Whether the selected completion would add nothing, so that Enter submits instead. */
function isCompleted({ completion, editor }: ScreenState): boolean {
  const item = completion?.items[completion.selected];
  if (!completion || !item) return true;
  return editor.text.slice(completion.from, completion.to) === item.value.trimEnd();
}

function accept(state: ScreenState): ScreenUpdate {
  const { completion } = state;
  const item = completion?.items[completion.selected];
  if (!completion || !item) return just(state);
  const { from, to } = completion;
  return edited(state, edit(state.editor, { type: 'replace', from, to, text: item.value }));
}

function choose(state: ScreenState, step: 1 | -1): ScreenUpdate {
  const { completion } = state;
  if (!completion) return just(state);
  const count = completion.items.length;
  const selected = (completion.selected + step + count) % count;
  return just({ ...state, completion: { ...completion, selected } });
}

/** Moves up in a multi-line text, else takes back the last queued prompt, else recalls the previous prompt. */
function pressUp(state: ScreenState): ScreenUpdate {
  const isFirstLine = !state.editor.text.slice(0, state.editor.cursor).includes('\n');
  if (!isFirstLine)
    return just({ ...state, editor: edit(state.editor, { type: 'move', motion: 'up' }) });
  const takenBack = state.editor.text === '' ? takeBackLast(state) : undefined;
  return takenBack ?? older(state);
}

function pressDown(state: ScreenState): ScreenUpdate {
  const isLastLine = !state.editor.text.slice(state.editor.cursor).includes('\n');
  if (isLastLine) return newer(state);
  return just({ ...state, editor: edit(state.editor, { type: 'move', motion: 'down' }) });
}

function older(state: ScreenState): ScreenUpdate {
  const step = recallOlder(state.recall, state.editor);
  return step ? recalled(state, step) : just(state);
}

function newer(state: ScreenState): ScreenUpdate {
  const step = recallNewer(state.recall);
  return step ? recalled(state, step) : just(state);
}

function recalled(
  state: ScreenState,
  { recall, editor }: Pick<ScreenState, 'recall' | 'editor'>,
): ScreenUpdate {
  return just({ ...state, recall, editor, completion: undefined });
}

const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** Never cycles into bypassing permissions; undefined when the agent has no modes to switch to. */
function nextMode({ status, session }: ScreenState): PermissionMode | undefined {
  const able = session?.capabilities.permissionModes ?? MODES;
  const modes = MODES.filter((mode) => able.includes(mode));
  return modes[(modes.indexOf(status.mode ?? 'default') + 1) % modes.length];
}

function noMode({ session }: ScreenState): string {
  const title = session?.title ?? 'This agent';
  if (!session?.capabilities.prompt) return `A ${title} session is read-only here.`;
  return `${title} keeps the mode it was started with; --permission-mode chooses it.`;
}

function stepBack(state: ScreenState, before: ScreenState): ScreenUpdate {
  if (state.completion) return just({ ...state, completion: undefined });
  if (state.work) return interruptWork(state);
  if (state.editor.text !== '' || !state.session?.capabilities.rewind) return just(state);
  return before.isGoingBack ? openRewind(state) : just({ ...state, isGoingBack: true });
}

function interrupt(state: ScreenState, before: ScreenState): ScreenUpdate {
  if (state.work) return interruptWork(state);
  if (state.editor.text !== '')
    return just({ ...state, editor: EMPTY_EDITOR, completion: undefined });
  if (before.isLeaving) return just(state, { type: 'leave' });
  return just({ ...state, isLeaving: true });
}
