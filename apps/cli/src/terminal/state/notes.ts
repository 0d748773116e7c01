import { noteLines } from '../views/note-lines.ts';
import type { ScreenState } from './screen-state.ts';

/** What the terminal itself says between the blocks of a conversation. It stays in the transcript. */
export interface ScreenNote {
  readonly key: string;
  readonly tone: NoteTone;
  readonly text: string;
  /** The command that it answers, as it was typed. */
  readonly command?: string | undefined;
  /** How many blocks stand before it. */
  readonly afterBlocks: number;
}

export type NoteTone = 'plain' | 'warning' | 'error' | 'grant' | 'summary';

/** Prints a note below everything that is printed already. */
export function addNote(
  state: ScreenState,
  { tone, text, command }: Pick<ScreenNote, 'tone' | 'text' | 'command'>,
): ScreenState {
  const key = `note:${state.notes.length}`;
  const note: ScreenNote = { key, tone, text, command, afterBlocks: state.print.blocks };
  const item = { key, lines: [[], ...noteLines(note, state.columns)] };
  return {
    ...state,
    notes: [...state.notes, note],
    print: { ...state.print, items: [...state.print.items, item] },
  };
}
