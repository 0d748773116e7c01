import { cellWidth } from '../layout/cell-width.ts';
import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { CompletionMenu } from '../state/completion.ts';
import { listWindow } from './list-window.ts';

const MOST_ROWS = 8;

/** What could stand at the cursor; the list scrolls with the choice. */
export function completionLines(completion: CompletionMenu, columns: number): StyledLine[] {
  const { items, selected } = completion;
  const { shown, first, after } = listWindow(items, selected, MOST_ROWS);
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
