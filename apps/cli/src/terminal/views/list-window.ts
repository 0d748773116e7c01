/** The part of a list that is shown: the selected row is always inside. */
export function listWindow<Item>(
  items: readonly Item[],
  selected: number,
  rows: number,
): { readonly shown: readonly Item[]; readonly first: number; readonly after: number } {
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), items.length - rows));
  const shown = items.slice(first, first + rows);
  return { shown, first, after: items.length - first - shown.length };
}
