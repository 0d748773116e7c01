/**
 * The number of a request begins with that of its session, so that those of a session lie together without an index
 * of their own; the lower bits count them.
 */
export const REQUEST_BITS = 24;

/** The requests of a session lie between these two numbers. */
export function requestRange(session: number): readonly [first: number, last: number] {
  const first = session * 2 ** REQUEST_BITS;
  return [first, first + 2 ** REQUEST_BITS - 1];
}

/**
 * The number of a document in the index of words: that of its block, counted over all sessions, and whether a tool wrote
 * it. A column for that would cost two bytes for every word of every block.
 */
export function documentOf(block: number, column: 'said' | 'tools'): number {
  return block * 2 + (column === 'tools' ? 1 : 0);
}

export function blockOf(document: number): number {
  return Math.floor(document / 2);
}

/** The condition that a document of `words w` was written by a tool, or by a person or a model. */
export function writtenBy(column: 'said' | 'tools'): string {
  return `w.rowid & 1 = ${column === 'tools' ? 1 : 0}`;
}
