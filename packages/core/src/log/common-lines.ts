/** A line that two texts share: its index in each of them. */
export interface LinePair {
  readonly old: number;
  readonly new: number;
}

/** Beyond this many pairs of lines none is searched for: the time grows with their number. */
const MAX_PAIRS = 250_000;

/** The longest sequence of lines that both texts share; empty for very long texts. */
export function commonLines(before: readonly string[], after: readonly string[]): LinePair[] {
  if (before.length * after.length > MAX_PAIRS) return [];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: LinePair[] = [];
  for (let row = 0, column = 0; row < before.length && column < after.length; ) {
    if (before[row] === after[column]) pairs.push({ old: row++, new: column++ });
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}
