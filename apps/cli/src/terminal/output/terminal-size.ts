import type { WriteStream } from 'node:tty';

/** Size of the window in cells; a terminal that does not know its size reports 0 and is taken for one of 80 by 24. */
export function sizeOf({ columns, rows }: Pick<WriteStream, 'columns' | 'rows'>): {
  readonly columns: number;
  readonly rows: number;
} {
  return { columns: columns || 80, rows: rows || 24 };
}
