/** The lengths of the pieces of a joined text; `[50, 10]` means ten pieces of fifty characters. */
export function runLengths(pieces: readonly unknown[]): unknown[] {
  const runs: unknown[] = [];
  let [size, count] = [-1, 0];
  const end = (): void => {
    if (count > 0) runs.push(count === 1 ? size : [size, count]);
  };
  for (const piece of pieces) {
    const { length } = typeof piece === 'string' ? piece : String(piece);
    if (length === size) count += 1;
    else {
      end();
      [size, count] = [length, 1];
    }
  }
  end();
  return runs;
}

/** A line has fewer empty pieces than this; more mean a damaged line, which must not exhaust memory. */
const MAX_EMPTY = 64 * 1024;

/** Splits a joined text. If the lengths do not fit the text, the first piece gets all of it. */
export function cutByRuns(text: string, runs: readonly unknown[]): string[] {
  const maxPieces = text.length + MAX_EMPTY;
  const sizes: number[] = [];
  for (const run of runs) {
    const [size, count] = Array.isArray(run) ? [Number(run[0]), Number(run[1])] : [Number(run), 1];
    if (!(sizes.length + count <= maxPieces)) return [text];
    for (let index = 0; index < count; index++) sizes.push(size);
  }
  return cut(text, sizes);
}

export function cut(text: string, sizes: readonly number[]): string[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total !== text.length) return sizes.map((_, index) => (index === 0 ? text : ''));
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return text.slice(at - size, at);
  });
}
