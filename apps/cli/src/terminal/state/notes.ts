import { noteLines } from '../views/note-lines.ts';
import type { ScreenState } from './screen-state.ts';

/** A message of the terminal itself between the blocks of a conversation; the transcript view keeps it. */
export interface ScreenNote {
  readonly tone: NoteTone;
  readonly text: string;
  /** The command it responds to, as typed. */
  readonly command?: string | undefined;
  /** Number of blocks before it. */
  readonly afterBlocks: number;
}

export type NoteTone = 'plain' | 'warning' | 'error' | 'grant' | 'summary';

/** Prints a note below everything printed so far. */
export function addNote(
  state: ScreenState,
  { tone, text, command }: Pick<ScreenNote, 'tone' | 'text' | 'command'>,
): ScreenState {
  const note: ScreenNote = { tone, text, command, afterBlocks: state.print.blocks };
  const lines = [...state.print.lines, [], ...noteLines(note, state.columns)];
  return {
    ...state,
    notes: [...state.notes, note],
    print: { ...state.print, lines },
  };
}
