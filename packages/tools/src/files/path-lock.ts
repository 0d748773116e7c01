const tails = new Map<string, Promise<unknown>>();

/** Runs changes of one path one after another, so that parallel edits never lose each other's work. */
export async function withPathLock<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = tails.get(path) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(path, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(path) === mine) tails.delete(path);
  }
}
