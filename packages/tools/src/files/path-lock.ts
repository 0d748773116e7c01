const tails = new Map<string, Promise<unknown>>();

/** Serializes changes of one path, so that parallel edits do not overwrite each other. */
export async function withPathLock<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = tails.get(path) ?? Promise.resolve();
  const result = before.then(work, work);
  tails.set(path, result);
  try {
    return await result;
  } finally {
    if (tails.get(path) === result) tails.delete(path);
  }
}
