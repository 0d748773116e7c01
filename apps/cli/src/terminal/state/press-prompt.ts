import type { PermissionMode } from '@robota-sdk/agent-core';
import { edit } from '../editor/edit.ts';
import { type EditorState, EMPTY_EDITOR, expandPastes } from '../editor/editor-state.ts';
import type { KeyPress } from '../keys/key.ts';
import { EDITING_KEYS, PROMPT_KEYS, type PromptCommand } from '../keys/key-table.ts';
import { askWhereToRemember } from './choices.ts';
import { completionFor, wantsFiles } from './completion.ts';
import { imageMark } from './dropped-image.ts';
import { addNote } from './notes.ts';
import { recallNewer, recallOlder, rememberPrompt } from './prompt-recall.ts';
import { openRewind } from './rewind-overlay.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { interruptWork, takeBackLast, takeOn } from './work.ts';

/** A key while the prompt has the keys. */
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
  if (press.name === 'ctrl+b' && state.work && state.editor.text === '') return moveAway(state);
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
    state.completion && !isWhole(state) ? accept(state) : submit(state, at),
  newline: (state) => edited(state, edit(state.editor, { type: 'insert', text: '\n' })),
  up: (state) => (state.completion ? choose(state, -1) : climb(state)),
  down: (state) => (state.completion ? choose(state, 1) : descend(state)),
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

/** The running command goes on in the background. */
function moveAway(state: ScreenState): ScreenUpdate {
  const args = 'move';
  return just(state, { type: 'command', name: 'background', args, display: '' });
}

/** A lone question mark asks for the keys. */
function typed(state: ScreenState, text: string): ScreenUpdate {
  if (text === '?' && state.editor.text === '')
    return just({ ...state, overlay: { kind: 'shortcuts' } });
  return edited(state, edit(state.editor, { type: 'insert', text }));
}

/** A changed text ends browsing among earlier prompts and asks anew what could complete it. */
function edited(state: ScreenState, editor: EditorState): ScreenUpdate {
  const completion = completionFor(editor, state.commands, state.files);
  const next = { ...state, editor, completion, recall: { ...state.recall, index: undefined } };
  const mustList = state.files.length === 0 && wantsFiles(editor);
  return mustList ? just(next, { type: 'list_files' }) : just(next);
}

/** Commands that answer at once, whatever runs; every other one waits its turn. */
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
  const note = has(state, 'memory') ? /^#\s*([^#\s].*)$/.exec(display)?.[1] : undefined;
  if (note !== undefined) return askWhereToRemember(state, note);
  const command = commandIn(state, display);
  if (!command && state.session && !state.session.capabilities.prompt) {
    const refusal = `This ${state.session.title} session is read-only here.`;
    return just(addNote(state, { tone: 'warning', text: refusal }));
  }
  const text = expandPastes(editor).trim();
  const recall = rememberPrompt(state.recall, text);
  const cleared = { ...state, editor: EMPTY_EDITOR, completion: undefined, recall };
  const remember = { type: 'remember_prompt', prompt: text } as const;
  const [, name = '', args = ''] = command ?? [];
  if (IMMEDIATE.has(name)) return just(cleared, remember, { type: 'command', name, args, display });
  const task = command
    ? ({ kind: 'command', name, args, display } as const)
    : ({ kind: 'prompt', text, display } as const);
  const { state: next, effects } = takeOn(cleared, { task, editor }, at);
  return just(next, remember, ...effects);
}

/** `/name arguments`, or `!line` for the shell; `null` for a prompt. */
function commandIn(state: ScreenState, display: string): readonly string[] | null {
  const line = has(state, 'shell') ? /^!\s*([\s\S]*\S)$/.exec(display)?.[1] : undefined;
  if (line !== undefined) return [display, 'shell', line];
  return /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/.exec(display);
}

/** Whether there is such a command; before the session is open it is taken for one of ours, which has them all. */
function has({ commands, session }: ScreenState, wanted: string): boolean {
  return session === undefined || commands.some(({ name }) => name === wanted);
}

/** A completion that would add nothing does not stand in the way of Enter. */
function isWhole({ completion, editor }: ScreenState): boolean {
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

/** Within the text where it has lines, then to the prompt that waits, then among earlier ones. */
function climb(state: ScreenState): ScreenUpdate {
  const isFirstLine = !state.editor.text.slice(0, state.editor.cursor).includes('\n');
  if (!isFirstLine)
    return just({ ...state, editor: edit(state.editor, { type: 'move', motion: 'up' }) });
  const takenBack = state.editor.text === '' ? takeBackLast(state) : undefined;
  return takenBack ?? older(state);
}

function descend(state: ScreenState): ScreenUpdate {
  const isLastLine = !state.editor.text.slice(state.editor.cursor).includes('\n');
  if (isLastLine) return newer(state);
  return just({ ...state, editor: edit(state.editor, { type: 'move', motion: 'down' }) });
}

function older(state: ScreenState): ScreenUpdate {
  const step = recallOlder(state.recall, state.editor.text);
  return step ? recalled(state, step) : just(state);
}

function newer(state: ScreenState): ScreenUpdate {
  const step = recallNewer(state.recall);
  return step ? recalled(state, step) : just(state);
}

function recalled(
  state: ScreenState,
  step: { readonly recall: ScreenState['recall']; readonly text: string },
): ScreenUpdate {
  return just({
    ...state,
    recall: step.recall,
    completion: undefined,
    editor: edit(state.editor, { type: 'set', text: step.text }),
  });
}

const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** The keyboard never leads into bypassing permissions; undefined where the agent has no modes to change to. */
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
