import type { KeyPress } from '../keys/key.ts';
import { PAGER_KEYS, PICKER_KEYS, type PickerCommand } from '../keys/key-table.ts';
import { scrollTranscript } from '../views/transcript-pager.ts';
import { pressChoices } from './choices.ts';
import { addNote } from './notes.ts';
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
import { recalledPrompt, searchPrompts } from './prompt-recall.ts';
import { pressRewind } from './rewind-overlay.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { beginOpening } from './work.ts';

/** Handles a key while an overlay is open. */
export function pressOverlay(
  state: ScreenState,
  overlay: Overlay,
  { press, at }: { readonly press: KeyPress; readonly at: number },
): ScreenUpdate {
  switch (overlay.kind) {
    case 'picker':
      return overlay.rename
        ? pressRename(state, overlay, press)
        : pressPicker(state, overlay, { press, at });
    case 'recall':
      return pressRecall(state, overlay, press);
    case 'rewind':
      return (
        pressRewind(state, overlay, { press, at }) ??
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

interface TimedPress {
  readonly press: KeyPress;
  readonly at: number;
}

function pressPicker(
  state: ScreenState,
  overlay: PickerOverlay,
  { press, at }: TimedPress,
): ScreenUpdate {
  const command = PICKER_KEYS[keyName(press) ?? ''];
  if (command) return PICKER_STEPS[command](state, overlay, at);
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

type PickerStep = (state: ScreenState, overlay: PickerOverlay, at: number) => ScreenUpdate;

const PICKER_STEPS: Readonly<Record<PickerCommand, PickerStep>> = {
  close: (state, overlay) => (overlay.preview ? withoutPreview(state, overlay) : closed(state)),
  up: (state, overlay) => step(state, overlay, -1),
  down: (state, overlay) => step(state, overlay, 1),
  open: (state, overlay, at) => openChosen(state, overlay, { fork: false, at }),
  fork: (state, overlay, at) => openChosen(state, overlay, { fork: true, at }),
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

/** After the list changes: the first session is selected and the preview closed. */
const FIRST = { selected: 0, preview: undefined } as const;

/** Moves the selection; an open preview follows it. */
function step(state: ScreenState, overlay: PickerOverlay, by: 1 | -1): ScreenUpdate {
  const next = { ...moved(overlay, by, pickable(overlay).length), isChoosing: true };
  return overlay.preview ? showChosen(state, next) : just({ ...state, overlay: next });
}

/** Opens the preview of the selected session. */
function showChosen(state: ScreenState, overlay: PickerOverlay): ScreenUpdate {
  const session = pickable(overlay)[overlay.selected];
  if (!session) return just({ ...state, overlay: { ...overlay, preview: undefined } });
  const preview = { key: keyOf(session), content: undefined };
  return just({ ...state, overlay: { ...overlay, preview } }, { type: 'preview_session', session });
}

function withoutPreview(state: ScreenState, overlay: PickerOverlay): ScreenUpdate {
  return just({ ...state, overlay: { ...overlay, preview: undefined } });
}

function openChosen(
  state: ScreenState,
  overlay: PickerOverlay,
  { fork, at }: { readonly fork: boolean; readonly at: number },
): ScreenUpdate {
  const session = pickable(overlay)[overlay.selected];
  if (!session || !overlay.isDrawn) return just(state);
  const left = { ...state, overlay: undefined };
  const isOpen = session.agent === state.session?.agent && session.id === state.session.id;
  if (isOpen && !fork) return just(addNote(left, { tone: 'plain', text: 'This session is open.' }));
  if (state.work?.kind === 'command') return just(addNote(left, COMMAND_RUNS));
  return beginOpening(left, { type: 'open_session', session, fork }, at);
}

const COMMAND_RUNS = {
  tone: 'warning',
  text: 'A command runs here. Esc stops it; then another session can be opened.',
} as const;

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
    const editor = text === undefined ? state.editor : recalledPrompt(text);
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
