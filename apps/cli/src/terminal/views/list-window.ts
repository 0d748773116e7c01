/** The space for a list, in cells. */
export interface ListSpace {
  readonly columns: number;
  readonly rows: number;
}

/** The visible part of a list, which always contains the selected row. */
export function listWindow<Item>(
  items: readonly Item[],
  selected: number,
  rows: number,
): { readonly shown: readonly Item[]; readonly first: number; readonly after: number } {
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), items.length - rows));
  const shown = items.slice(first, first + rows);
  return { shown, first, after: items.length - first - shown.length };
}
