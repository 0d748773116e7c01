import { edit } from '../editor/edit.ts';
import type { KeyPress } from '../keys/key.ts';
import { PAGER_KEYS, PICKER_KEYS, type PickerCommand } from '../keys/key-table.ts';
import { scrollTranscript } from '../views/transcript-pager.ts';
import { pressChoices } from './choices.ts';
import {
  keyOf,
  nextAgent,
  type Overlay,
  type PickerOverlay,
  pickable,
  type RecallOverlay,
  searchedFor,
  type TranscriptOverlay,
} from './overlay.ts';
import { pressPrompt } from './press-prompt.ts';
import { keyName, written } from './press-text.ts';
import { searchPrompts } from './prompt-recall.ts';
import { pressRewind } from './rewind-overlay.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

/** A key while something that the person opened has the keys. */
export function pressOverlay(
  state: ScreenState,
  overlay: Overlay,
  { press, at }: { readonly press: KeyPress; readonly at: number },
): ScreenUpdate {
  switch (overlay.kind) {
    case 'picker':
      return overlay.rename
        ? pressRename(state, overlay, press)
        : pressPicker(state, overlay, press);
    case 'recall':
      return pressRecall(state, overlay, press);
    case 'rewind':
      return (
        pressRewind(state, overlay, press) ??
        pressPrompt({ ...state, overlay: undefined }, press, at)
      );
    case 'transcript':
      return pressTranscript(state, overlay, press);
    case 'choices':
      return (
        pressChoices(state, overlay, { press, at }) ??
        pressPrompt({ ...state, overlay: undefined }, press, at)
      );
    case 'shortcuts':
      return keyName(press) === 'escape' || (press.kind === 'text' && press.text === '?')
        ? closed(state)
        : pressPrompt({ ...state, overlay: undefined }, press, at);
  }
}

function closed(state: ScreenState): ScreenUpdate {
  return just({ ...state, overlay: undefined });
}

function pressPicker(state: ScreenState, overlay: PickerOverlay, press: KeyPress): ScreenUpdate {
  const command = PICKER_KEYS[keyName(press) ?? ''];
  if (command) return PICKER_STEPS[command](state, overlay);
  if (press.kind === 'text' && press.text === ' ' && overlay.isChoosing) {
    return overlay.preview ? withoutPreview(state, overlay) : showChosen(state, overlay);
  }
  const query = written(overlay.query, press);
  const next = {
    ...overlay,
    query,
    selected: 0,
    isChoosing: query.text === '',
    preview: undefined,
  };
  const text = searchedFor(next);
  const isNew = text !== undefined && text !== searchedFor(overlay);
  return just(
    { ...state, overlay: next },
    ...(isNew ? [{ type: 'search_sessions', text } as const] : []),
  );
}

type PickerStep = (state: ScreenState, overlay: PickerOverlay) => ScreenUpdate;

const PICKER_STEPS: Readonly<Record<PickerCommand, PickerStep>> = {
  close: (state, overlay) => (overlay.preview ? withoutPreview(state, overlay) : closed(state)),
  up: (state, overlay) => step(state, overlay, -1),
  down: (state, overlay) => step(state, overlay, 1),
  open: (state, overlay) => openChosen(state, overlay, false),
  fork: (state, overlay) => openChosen(state, overlay, true),
  here: (state, overlay) =>
    just({ ...state, overlay: { ...overlay, isHereOnly: !overlay.isHereOnly, ...FIRST } }),
  agent: (state, overlay) =>
    just({ ...state, overlay: { ...overlay, agent: nextAgent(overlay), ...FIRST } }),
  rename: (state, overlay) => {
    const session = pickable(overlay)[overlay.selected];
    if (session === undefined) return just(state);
    const rename = { text: session.title, cursor: session.title.length, pastes: [] };
    return just({ ...state, overlay: { ...overlay, rename, preview: undefined } });
  },
};

/** Another list: its first session is chosen and none is shown. */
const FIRST = { selected: 0, preview: undefined } as const;

/** What is shown goes along with the choice. */
function step(state: ScreenState, overlay: PickerOverlay, by: 1 | -1): ScreenUpdate {
  const next = { ...moved(overlay, by, pickable(overlay).length), isChoosing: true };
  return overlay.preview ? showChosen(state, next) : just({ ...state, overlay: next });
}

/** The end of the chosen session, below the list. */
function showChosen(state: ScreenState, overlay: PickerOverlay): ScreenUpdate {
  const session = pickable(overlay)[overlay.selected];
  if (!session) return just({ ...state, overlay: { ...overlay, preview: undefined } });
  const preview = { key: keyOf(session), said: undefined };
  return just({ ...state, overlay: { ...overlay, preview } }, { type: 'preview_session', session });
}

function withoutPreview(state: ScreenState, overlay: PickerOverlay): ScreenUpdate {
  return just({ ...state, overlay: { ...overlay, preview: undefined } });
}

function openChosen(state: ScreenState, overlay: PickerOverlay, fork: boolean): ScreenUpdate {
  const session = pickable(overlay)[overlay.selected];
  if (!session || !overlay.isDrawn) return just(state);
  return just({ ...state, overlay: undefined }, { type: 'open_session', session, fork });
}

function pressRename(state: ScreenState, overlay: PickerOverlay, press: KeyPress): ScreenUpdate {
  const rename = overlay.rename ?? { text: '', cursor: 0, pastes: [] };
  const name = keyName(press);
  const back = { ...overlay, rename: undefined };
  if (name === 'escape' || name === 'ctrl+c') return just({ ...state, overlay: back });
  if (name !== 'return') {
    return just({ ...state, overlay: { ...overlay, rename: written(rename, press) } });
  }
  const session = pickable(overlay)[overlay.selected];
  const title = rename.text.trim();
  if (!session || title === '') return just({ ...state, overlay: back });
  const sessions = overlay.sessions.map((candidate) =>
    candidate === session ? { ...candidate, title } : candidate,
  );
  return just(
    { ...state, overlay: { ...back, sessions } },
    { type: 'rename_session', session, name: title },
  );
}

function pressRecall(state: ScreenState, overlay: RecallOverlay, press: KeyPress): ScreenUpdate {
  const found = searchPrompts(state.recall.prompts, overlay.query.text);
  const name = keyName(press);
  if (name === 'escape' || name === 'ctrl+c') return closed(state);
  if (name === 'up') return just({ ...state, overlay: moved(overlay, -1, found.length) });
  if (name === 'down' || name === 'ctrl+r') {
    return just({ ...state, overlay: moved(overlay, 1, found.length) });
  }
  if (name === 'return' || name === 'tab') {
    const text = found[overlay.selected];
    const editor = text === undefined ? state.editor : edit(state.editor, { type: 'set', text });
    return just({ ...state, overlay: undefined, editor });
  }
  const query = written(overlay.query, press);
  return just({ ...state, overlay: { ...overlay, query, selected: 0 } });
}

function pressTranscript(
  state: ScreenState,
  overlay: TranscriptOverlay,
  press: KeyPress,
): ScreenUpdate {
  const command = PAGER_KEYS[press.kind === 'key' ? press.name : press.text];
  if (command === undefined) return just(state);
  if (command === 'close') return closed(state);
  const position = scrollTranscript(state, overlay.position, command);
  return just({ ...state, overlay: { ...overlay, position } });
}

function moved<Choice extends { readonly selected: number }>(
  overlay: Choice,
  step: 1 | -1,
  count: number,
): Choice {
  if (count === 0) return overlay;
  return { ...overlay, selected: (overlay.selected + step + count) % count };
}
