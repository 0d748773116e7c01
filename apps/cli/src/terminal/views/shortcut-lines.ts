import { SHORTCUTS } from '../keys/key-table.ts';
import { cellWidth } from '../layout/cell-width.ts';
import { cutLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';

export function shortcutLines(columns: number): StyledLine[] {
  const widest = Math.max(...SHORTCUTS.map(([keys]) => cellWidth(keys)));
  return SHORTCUTS.map(([keys, meaning]) =>
    cutLine([span(`  ${keys.padEnd(widest + 2)}`, 'accent'), span(meaning, 'dim')], columns),
  );
}
