/** How the pieces of a joined text were cut: `[50, 10]` stands for ten pieces of fifty characters. */
export function runLengths(pieces: readonly unknown[]): unknown[] {
  const runs: [size: number, count: number][] = [];
  for (const piece of pieces) {
    const size = String(piece).length;
    const last = runs.at(-1);
    if (last?.[0] === size) last[1] += 1;
    else runs.push([size, 1]);
  }
  return runs.map((run) => (run[1] === 1 ? run[0] : run));
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
