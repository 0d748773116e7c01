/** How the pieces of a joined text were cut: `[50, 10]` stands for ten pieces of fifty characters. */
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

/** The pieces again. Where the cuts do not fit the text, the first piece carries all of it. */
export function cutByRuns(text: string, runs: readonly unknown[]): string[] {
  const sizes = runs.flatMap((run) =>
    Array.isArray(run) ? Array.from({ length: Number(run[1]) }, () => Number(run[0])) : Number(run),
  );
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
