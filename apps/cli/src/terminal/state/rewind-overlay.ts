import type { ConflictChoice, RewindPreview, RewindScope } from '@robota-sdk/agent-sdk';
import { edit } from '../editor/edit.ts';
import type { KeyPress } from '../keys/key.ts';
import { addNote } from './notes.ts';
import { keyName } from './press-text.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { beginOpening } from './work.ts';

/** First the user picks a prompt, then sees what rewinding to before it would change. */
export interface RewindOverlay {
  readonly kind: 'rewind';
  /** Oldest first. */
  readonly prompts: readonly RewindPrompt[];
  readonly selected: number;
  /** Present once it has been requested. */
  readonly preview: RewindPreview | undefined;
  /** How files that the user changed are handled. */
  readonly conflicts: Exclude<ConflictChoice, 'refuse'>;
  /** Preview rows scrolled out at the top. */
  readonly scrolled: number;
  /** False until the terminal has drawn what is shown now: a key sent before that changes nothing. */
  readonly isDrawn: boolean;
}

interface RewindPrompt {
  readonly id: string;
  readonly text: string;
}

/** Opens with the last prompt selected, or prints a note when there is nothing to rewind to. */
export function openRewind(state: ScreenState): ScreenUpdate {
  const note = (text: string) => just(addNote(state, { tone: 'warning', text }));
  if (!state.session?.capabilities.rewind) return note('This session does not support rewind.');
  const prompts = promptsOf(state);
  if (prompts.length === 0) return note('There is no prompt to go back to yet.');
  const overlay: RewindOverlay = {
    kind: 'rewind',
    prompts,
    selected: prompts.length - 1,
    preview: undefined,
    conflicts: 'keep',
    scrolled: 0,
    isDrawn: false,
  };
  return just({ ...state, overlay }, { type: 'await_drawn', id: 'rewind' });
}

function promptsOf({ conversation }: ScreenState): RewindPrompt[] {
  return conversation.blocks.flatMap((block) => {
    if (block.type !== 'user_message') return [];
    const { id, content } = block;
    const text =
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return [{ id, text }];
  });
}

/** The preview has been loaded. */
export function showPreview(state: ScreenState, preview: RewindPreview): ScreenUpdate {
  const { overlay } = state;
  if (overlay?.kind !== 'rewind' || chosen(overlay)?.id !== preview.to) return just(state);
  const shown = { ...overlay, preview, scrolled: 0, isDrawn: false };
  return just({ ...state, overlay: shown }, { type: 'await_drawn', id: 'rewind_preview' });
}

/** What the overlay shows now is on the screen. */
export function rewindDrawn(state: ScreenState): ScreenState {
  const { overlay } = state;
  if (overlay?.kind !== 'rewind') return state;
  return { ...state, overlay: { ...overlay, isDrawn: true } };
}

/** Puts the rewound prompt into an empty editor, to be changed and sent again. */
export function afterRewind(state: ScreenState, prompt: string): ScreenState {
  if (prompt === '' || state.editor.text !== '') return state;
  return { ...state, editor: edit(state.editor, { type: 'set', text: prompt }) };
}

/** Undefined for text typed in the prompt list: it goes to the editor. */
export function pressRewind(
  state: ScreenState,
  overlay: RewindOverlay,
  { press, at }: { readonly press: KeyPress; readonly at: number },
): ScreenUpdate | undefined {
  if (overlay.preview) return pressPreview(state, overlay, press);
  if (press.kind !== 'key') return undefined;
  return pressPrompts(state, overlay, { key: press.name, at });
}

function pressPrompts(
  state: ScreenState,
  overlay: RewindOverlay,
  { key, at }: { readonly key: string; readonly at: number },
): ScreenUpdate {
  const prompt = overlay.isDrawn ? chosen(overlay) : undefined;
  switch (key) {
    case 'escape':
    case 'ctrl+c':
      return closed(state);
    case 'up':
      return just({ ...state, overlay: moved(overlay, -1) });
    case 'down':
      return just({ ...state, overlay: moved(overlay, 1) });
    case 'return':
      return prompt ? just(state, { type: 'preview_rewind', to: prompt.id }) : just(state);
    case 'ctrl+f':
      if (!prompt || state.work?.kind === 'command') return just(state);
      return beginOpening(
        { ...state, overlay: undefined },
        { type: 'fork_at', blockId: prompt.id },
        at,
      );
    // Not a letter: typing the next prompt must not change files.
    case 'ctrl+u':
      return overlay.isDrawn
        ? just({ ...state, overlay: undefined }, { type: 'undo_rewind' })
        : just(state);
    default:
      return just(state);
  }
}

const SCOPES: Readonly<Record<string, RewindScope>> = {
  return: 'both',
  b: 'both',
  c: 'conversation',
  f: 'files',
};

function pressPreview(state: ScreenState, overlay: RewindOverlay, press: KeyPress): ScreenUpdate {
  const name = nameOf(press) ?? '';
  if (name === 'escape') {
    const list = { ...overlay, preview: undefined, isDrawn: false };
    return just({ ...state, overlay: list }, { type: 'await_drawn', id: 'rewind' });
  }
  if (name === 'ctrl+c') return closed(state);
  if (name === 'o') {
    const conflicts = overlay.conflicts === 'keep' ? 'overwrite' : 'keep';
    return just({ ...state, overlay: { ...overlay, conflicts } });
  }
  if (name === 'up' || name === 'down') {
    const scrolled = Math.max(0, overlay.scrolled + (name === 'up' ? -1 : 1));
    return just({ ...state, overlay: { ...overlay, scrolled } });
  }
  const what = SCOPES[name];
  const to = chosen(overlay)?.id;
  if (what === undefined || to === undefined || !overlay.isDrawn) return just(state);
  const { conflicts, preview } = overlay;
  const effect = { type: 'rewind', to, what, conflicts, seen: preview?.seen } as const;
  return just({ ...state, overlay: undefined }, effect);
}

function nameOf(press: KeyPress): string | undefined {
  return press.kind === 'text' ? press.text : keyName(press);
}

function chosen({ prompts, selected }: RewindOverlay): RewindPrompt | undefined {
  return prompts[selected];
}

function moved(overlay: RewindOverlay, step: 1 | -1): RewindOverlay {
  const { length } = overlay.prompts;
  return { ...overlay, selected: (overlay.selected + step + length) % length };
}

function closed(state: ScreenState): ScreenUpdate {
  return just({ ...state, overlay: undefined });
}
