import { wrapLines } from '../layout/wrap-lines.ts';
import { type StyledLine, span, splitLines, type TextStyle } from '../markdown/styled-text.ts';
import type { NoteTone, ScreenNote } from '../state/notes.ts';
import { promptBand } from './blocks/user-message.ts';

const LOOKS: Readonly<Record<NoteTone, { readonly mark: string; readonly style: TextStyle }>> = {
  plain: { mark: '  ', style: 'plain' },
  warning: { mark: '! ', style: 'warning' },
  error: { mark: '✗ ', style: 'failure' },
  grant: { mark: '✓ ', style: 'success' },
  summary: { mark: '✻ ', style: 'dim' },
};

/** A note of the terminal, after the command it responds to. */
export function noteLines(note: ScreenNote, columns: number): StyledLine[] {
  const { mark, style } = LOOKS[note.tone];
  const lines = wrapLines(splitLines([span(note.text, style)]), columns - mark.length);
  const rows = lines.map(
    (line, index): StyledLine => [span(index === 0 ? mark : '  ', style), ...line],
  );
  if (note.command === undefined) return rows;
  return [...promptBand(note.command, columns), ...(note.text === '' ? [] : [[], ...rows])];
}
