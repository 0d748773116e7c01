import { edit } from '../editor/edit.ts';
import { EMPTY_EDITOR } from '../editor/editor-state.ts';
import type { KeyPress } from '../keys/key.ts';
import { addNote } from './notes.ts';
import { type ChoiceItem, type ChoiceStep, type ChoicesOverlay, openChoices } from './overlay.ts';
import { keyName } from './press-text.ts';
import { just, type ScreenAction, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { enqueue } from './work.ts';

/** Opens the list that a command returned; while the user is typing or being asked, prints it as a note instead. */
export function offerChoices(
  state: ScreenState,
  { title, items, text, command }: Extract<ScreenAction, { type: 'choices_offered' }>,
): ScreenUpdate {
  const isBusy = state.editor.text !== '' || state.overlay || state.questions.length > 0;
  if (isBusy || items.length === 0) return just(addNote(state, { tone: 'plain', text, command }));
  return shown(state, openChoices(title, items));
}

/** Asks where to save a memory note; Escape puts the text back into the prompt. */
export function askWhereToRemember(state: ScreenState, note: string): ScreenUpdate {
  const overlay = openChoices('Remember this', memoryItems(note), state.editor);
  return shown({ ...state, editor: EMPTY_EDITOR, completion: undefined }, overlay);
}

function memoryItems(note: string): ChoiceItem[] {
  const remember = (scope: string, detail: string): ChoiceItem => ({
    label: scope,
    detail,
    choose: { kind: 'command', name: 'memory', args: `add ${scope} ${note}` },
  });
  return [
    remember('project', 'for everybody here: AGENTS.md or CLAUDE.md'),
    remember('local', 'for you here: CLAUDE.local.md'),
    remember('user', 'for you everywhere: ~/.robota/AGENTS.md'),
    { label: 'ask', detail: 'send it as a prompt', choose: { kind: 'prompt', text: `# ${note}` } },
  ];
}

function shown(state: ScreenState, overlay: ChoicesOverlay): ScreenUpdate {
  return just({ ...state, overlay }, { type: 'await_drawn', id: 'choices' });
}

/** Handles a key while the list is open; undefined for text, which closes the list and goes to the prompt. */
export function pressChoices(
  state: ScreenState,
  overlay: ChoicesOverlay,
  { press, at }: { readonly press: KeyPress; readonly at: number },
): ScreenUpdate | undefined {
  const item = overlay.items[overlay.selected];
  switch (keyName(press)) {
    case 'escape':
    case 'ctrl+c':
      return just({ ...state, overlay: undefined, editor: overlay.draft });
    case 'up':
      return just({ ...state, overlay: moved(overlay, -1) });
    case 'down':
    case 'tab':
      return just({ ...state, overlay: moved(overlay, 1) });
    case 'return':
      return take(state, overlay, item?.choose, at);
    case 'ctrl+x':
      return take(state, overlay, item?.remove, at);
    default:
      return undefined;
  }
}

function moved(overlay: ChoicesOverlay, step: 1 | -1): ChoicesOverlay {
  const count = overlay.items.length;
  return { ...overlay, selected: (overlay.selected + step + count) % count };
}

function take(
  state: ScreenState,
  overlay: ChoicesOverlay,
  step: ChoiceStep | undefined,
  at: number,
): ScreenUpdate {
  if (!overlay.isDrawn || step === undefined) return just(state);
  const closed = { ...state, overlay: undefined };
  switch (step.kind) {
    case 'command': {
      const { name, args } = step;
      return just(closed, { type: 'command', name, args, display: `/${name} ${args}` });
    }
    case 'prompt': {
      const editor = edit(EMPTY_EDITOR, { type: 'set', text: step.text });
      const task = { kind: 'prompt', text: step.text, display: step.text } as const;
      return enqueue(closed, { task, editor }, at);
    }
    case 'draft':
      return just({ ...closed, editor: edit(state.editor, { type: 'set', text: step.text }) });
  }
}
