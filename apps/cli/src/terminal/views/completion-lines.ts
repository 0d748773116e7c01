import { cellWidth } from '../layout/cell-width.ts';
import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { CompletionMenu } from '../state/completion.ts';
import { type ListSpace, listWindow } from './list-window.ts';

const MAX_ROWS = 8;

/** The completions; the list scrolls with the selection. */
export function completionLines(
  completion: CompletionMenu,
  { columns, rows: room }: ListSpace,
): StyledLine[] {
  const { items, selected } = completion;
  const { shown, first, after } = listWindow(items, selected, Math.min(MAX_ROWS, room - 1));
  const widest = Math.max(...shown.map(({ label }) => cellWidth(label)));
  const rows = shown.map(({ label, description }, index): StyledLine => {
    const isChosen = first + index === selected;
    return [
      span(isChosen ? '❯ ' : '  ', 'accent'),
      span(label, isChosen ? 'accent' : 'plain'),
      span(' '.repeat(widest - cellWidth(label) + 2)),
      span(description, 'dim'),
    ];
  });
  const more: StyledLine[] =
    first + after > 0 ? [[span(`  ${selected + 1} of ${items.length}`, 'dim')]] : [];
  return [...rows, ...more].map((line) => cutLine(line, columns));
}
