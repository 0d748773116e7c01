import { cellWidth } from '../layout/cell-width.ts';
import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { ChoicesOverlay } from '../state/overlay.ts';
import { type ListSpace, listWindow } from './list-window.ts';

const MAX_ROWS = 10;

/** The list below the prompt; it scrolls with the selection. */
export function choiceLines(
  overlay: ChoicesOverlay,
  { columns, rows: room }: ListSpace,
): StyledLine[] {
  const { title, items, selected } = overlay;
  const { shown, first } = listWindow(items, selected, Math.min(MAX_ROWS, room - 1));
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

/** No keys are offered until every key sent earlier has arrived. */
function hint({ items, selected, isDrawn }: ChoicesOverlay): string {
  if (!isDrawn) return '…';
  const { choose, remove } = items[selected] ?? {};
  return [
    ...(choose ? ['enter chooses'] : []),
    ...(remove ? ['ctrl+x removes'] : []),
    'esc closes',
  ].join(' · ');
}
