import type { PermissionAnswer } from '@robota-sdk/agent-sdk';
import { edit } from '../editor/edit.ts';
import { type EditorState, EMPTY_EDITOR } from '../editor/editor-state.ts';
import type { KeyPress } from '../keys/key.ts';
import { EDITING_KEYS } from '../keys/key-table.ts';
import {
  dropRequest,
  PERMISSION_CHOICES,
  type PermissionChoice,
  type PermissionOverlay,
  type PickerOverlay,
  pickable,
  type RecallOverlay,
  type TrustOverlay,
} from './overlay.ts';
import { searchPrompts } from './prompt-recall.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

/** A key while a question has the keys. */
export function pressOverlay(state: ScreenState, press: KeyPress): ScreenUpdate {
  const { overlay } = state;
  switch (overlay?.kind) {
    case 'permission':
      return overlay.refusal
        ? pressRefusal(state, overlay, press)
        : pressPermission(state, overlay, press);
    case 'trust':
      return pressTrust(state, overlay, press);
    case 'picker':
      return pressPicker(state, overlay, press);
    case 'recall':
      return pressRecall(state, overlay, press);
    case undefined:
      return just(state);
  }
}

const PERMISSION_LETTERS: Readonly<Record<string, PermissionChoice>> = {
  '1': 'once',
  y: 'once',
  '2': 'session',
  a: 'session',
  '3': 'project',
  p: 'project',
  '4': 'deny',
  n: 'deny',
  d: 'deny',
};

function pressPermission(
  state: ScreenState,
  overlay: PermissionOverlay,
  press: KeyPress,
): ScreenUpdate {
  if (press.kind === 'text') {
    const choice = PERMISSION_LETTERS[press.text.toLowerCase()];
    return choice ? choosePermission(state, overlay, choice) : just(state);
  }
  const name = nameOf(press);
  if (name === 'up' || name === 'down') {
    return just({ ...state, overlay: moved(overlay, name, PERMISSION_CHOICES.length) });
  }
  if (name === 'return')
    return choosePermission(state, overlay, PERMISSION_CHOICES[overlay.selected] ?? 'deny');
  if (name === 'escape' || name === 'ctrl+c') {
    const { state: answered, effects } = answer(state, overlay, false);
    return just(answered, ...effects, { type: 'abort' });
  }
  return just(state);
}

function choosePermission(
  state: ScreenState,
  overlay: PermissionOverlay,
  choice: PermissionChoice,
): ScreenUpdate {
  if (choice === 'deny') return just({ ...state, overlay: { ...overlay, refusal: EMPTY_EDITOR } });
  if (choice === 'once') return answer(state, overlay, true);
  const pattern = overlay.request.explanation?.suggestedPattern;
  if (pattern === undefined)
    return answer(state, overlay, choice === 'session' ? 'allow-session' : true);
  return answer(state, overlay, { allow: choice, pattern });
}

/** Enter denies with what was written; Escape goes back to the choices. */
function pressRefusal(
  state: ScreenState,
  overlay: PermissionOverlay,
  press: KeyPress,
): ScreenUpdate {
  const refusal = overlay.refusal ?? EMPTY_EDITOR;
  const name = nameOf(press);
  if (name === 'escape') return just({ ...state, overlay: { ...overlay, refusal: undefined } });
  if (name === 'return') {
    const message = refusal.text.trim();
    return answer(state, overlay, message === '' ? false : { deny: message });
  }
  return just({ ...state, overlay: { ...overlay, refusal: written(refusal, press) } });
}

function answer(
  state: ScreenState,
  overlay: PermissionOverlay,
  given: PermissionAnswer,
): ScreenUpdate {
  const { requestId } = overlay.request;
  return just(
    { ...state, overlay: dropRequest(overlay, requestId) },
    { type: 'answer_permission', requestId, answer: given },
  );
}

function pressTrust(state: ScreenState, overlay: TrustOverlay, press: KeyPress): ScreenUpdate {
  const done = (trusted: boolean) =>
    just({ ...state, overlay: undefined }, { type: 'answer_trust', trusted });
  if (press.kind === 'text' && /^[1y]$/i.test(press.text)) return done(true);
  if (press.kind === 'text' && /^[2n]$/i.test(press.text)) return done(false);
  const name = nameOf(press);
  if (name === 'up' || name === 'down') return just({ ...state, overlay: moved(overlay, name, 2) });
  if (name === 'return') return done(overlay.selected === 0);
  return name === 'escape' || name === 'ctrl+c' ? done(false) : just(state);
}

function pressPicker(state: ScreenState, overlay: PickerOverlay, press: KeyPress): ScreenUpdate {
  const found = pickable(overlay);
  const name = nameOf(press);
  if (name === 'escape' || name === 'ctrl+c') return just({ ...state, overlay: undefined });
  if (name === 'up' || name === 'down') {
    return just({ ...state, overlay: moved(overlay, name, found.length) });
  }
  const session = found[overlay.selected];
  if ((name === 'return' || name === 'ctrl+f') && session) {
    const fork = name === 'ctrl+f';
    return just({ ...state, overlay: undefined }, { type: 'open_session', session, fork });
  }
  return just({
    ...state,
    overlay: { ...overlay, query: written(overlay.query, press), selected: 0 },
  });
}

function pressRecall(state: ScreenState, overlay: RecallOverlay, press: KeyPress): ScreenUpdate {
  const found = searchPrompts(state.recall.prompts, overlay.query.text);
  const name = nameOf(press);
  if (name === 'escape' || name === 'ctrl+c') return just({ ...state, overlay: undefined });
  if (name === 'up' || name === 'down')
    return just({ ...state, overlay: moved(overlay, name, found.length) });
  if (name === 'ctrl+r') return just({ ...state, overlay: moved(overlay, 'down', found.length) });
  if (name === 'return' || name === 'tab') {
    const text = found[overlay.selected];
    const editor = text === undefined ? state.editor : edit(state.editor, { type: 'set', text });
    return just({ ...state, overlay: undefined, editor });
  }
  return just({
    ...state,
    overlay: { ...overlay, query: written(overlay.query, press), selected: 0 },
  });
}

function moved<Choice extends { readonly selected: number }>(
  overlay: Choice,
  direction: 'up' | 'down',
  count: number,
): Choice {
  if (count === 0) return overlay;
  return {
    ...overlay,
    selected: (overlay.selected + (direction === 'up' ? -1 : 1) + count) % count,
  };
}

function written(editor: EditorState, press: KeyPress): EditorState {
  if (press.kind !== 'key')
    return edit(editor, { type: 'insert', text: press.text.replaceAll('\n', ' ') });
  const action = EDITING_KEYS[press.name];
  return action ? edit(editor, action) : editor;
}

function nameOf(press: KeyPress): string | undefined {
  return press.kind === 'key' ? press.name : undefined;
}
