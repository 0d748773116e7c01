import { cellWidth } from '../layout/cell-width.ts';
import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { ChoicesOverlay } from '../state/overlay.ts';
import { listWindow } from './list-window.ts';

const MOST_ROWS = 10;

/** What may be chosen, below the prompt; the list scrolls with the choice. */
export function choiceLines(overlay: ChoicesOverlay, columns: number): StyledLine[] {
  const { title, items, selected } = overlay;
  const { shown, first } = listWindow(items, selected, MOST_ROWS);
  const widest = Math.max(...shown.map(({ label }) => cellWidth(label)));
  const rows = shown.map(({ label, detail }, index): StyledLine => {
    const isChosen = first + index === selected;
    return [
      span(isChosen ? '❯ ' : '  ', 'accent'),
      span(label, isChosen ? 'accent' : 'plain'),
      span(' '.repeat(widest - cellWidth(label) + 2)),
      span(detail, 'dim'),
    ];
  });
  const count = items.length > shown.length ? ` ${selected + 1} of ${items.length}` : '';
  const head: StyledLine = [
    span(`  ${title}`, 'strong'),
    span(`${count} · ${hint(overlay)}`, 'dim'),
  ];
  return [head, ...rows].map((line) => cutLine(line, columns));
}

/** Until it is known that no key is on its way, no key is offered. */
function hint({ items, selected, isDrawn }: ChoicesOverlay): string {
  if (!isDrawn) return '…';
  const { choose, remove } = items[selected] ?? {};
  return [
    ...(choose ? ['enter chooses'] : []),
    ...(remove ? ['ctrl+x removes'] : []),
    'esc closes',
  ].join(' · ');
}
