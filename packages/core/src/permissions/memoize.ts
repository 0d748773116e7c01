/** Caches results of a pure function for the `limit` most recently used keys. */
export function memoize<Result>(
  limit: number,
  compute: (key: string) => Result,
): (key: string) => Result {
  const results = new Map<string, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) {
      if (results.size > limit / 2) refresh(results, key, known);
      return known;
    }
    const result = compute(key);
    results.set(key, result);
    if (results.size > limit) dropOldest(results);
    return result;
  };
}

function refresh<Result>(results: Map<string, Result>, key: string, result: Result): void {
  results.delete(key);
  results.set(key, result);
}

function dropOldest(results: Map<string, unknown>): void {
  for (const oldest of results.keys()) {
    results.delete(oldest);
    return;
  }
}
