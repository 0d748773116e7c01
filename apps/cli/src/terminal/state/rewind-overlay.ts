import type { ConflictChoice, RewindPreview, RewindScope } from '@robota-sdk/agent-sdk';
import { edit } from '../editor/edit.ts';
import type { KeyPress } from '../keys/key.ts';
import { addNote } from './notes.ts';
import { keyName } from './press-text.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

/** First a prompt is chosen, then what going back to before it would change is shown. */
export interface RewindOverlay {
  readonly kind: 'rewind';
  /** Oldest first. */
  readonly prompts: readonly RewindPrompt[];
  readonly selected: number;
  /** Present once it was asked for. */
  readonly preview: RewindPreview | undefined;
  /** What becomes of files that the person changed. */
  readonly conflicts: Exclude<ConflictChoice, 'refuse'>;
  /** Rows of the preview above what is shown. */
  readonly scrolled: number;
}

interface RewindPrompt {
  readonly id: string;
  readonly text: string;
}

/** The last prompt is chosen; undefined where there is none to go back to. */
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
  };
  return just({ ...state, overlay });
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

/** What going back would do became known. */
export function showPreview(state: ScreenState, preview: RewindPreview): ScreenState {
  const { overlay } = state;
  if (overlay?.kind !== 'rewind' || chosen(overlay)?.id !== preview.to) return state;
  return { ...state, overlay: { ...overlay, preview, scrolled: 0 } };
}

/** The prompt that was taken back can be changed and sent again. */
export function afterRewind(state: ScreenState, prompt: string): ScreenState {
  if (prompt === '' || state.editor.text !== '') return state;
  return { ...state, editor: edit(state.editor, { type: 'set', text: prompt }) };
}

/** Undefined for text among the prompts: it belongs to the draft. */
export function pressRewind(
  state: ScreenState,
  overlay: RewindOverlay,
  press: KeyPress,
): ScreenUpdate | undefined {
  if (overlay.preview) return pressPreview(state, overlay, press);
  return press.kind === 'key' ? pressPrompts(state, overlay, keyName(press)) : undefined;
}

function pressPrompts(
  state: ScreenState,
  overlay: RewindOverlay,
  key: string | undefined,
): ScreenUpdate {
  const prompt = chosen(overlay);
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
      return prompt
        ? just({ ...state, overlay: undefined }, { type: 'fork_at', blockId: prompt.id })
        : just(state);
    // Not a letter: somebody who types their next prompt must not change files with it.
    case 'ctrl+u':
      return just({ ...state, overlay: undefined }, { type: 'undo_rewind' });
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
  if (name === 'escape') return just({ ...state, overlay: { ...overlay, preview: undefined } });
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
  if (what === undefined || to === undefined) return just(state);
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
