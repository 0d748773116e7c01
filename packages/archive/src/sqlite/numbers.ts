/**
 * The high bits of a request's id are its session's id, so that a session's requests are contiguous without an extra
 * index; the low bits count them.
 */
export const REQUEST_BITS = 24;

/** The first and last id of a session's requests. */
export function requestRange(session: number): readonly [first: number, last: number] {
  const first = session * 2 ** REQUEST_BITS;
  return [first, first + 2 ** REQUEST_BITS - 1];
}

/**
 * The id of a document in the word index: its block's number over all sessions, and whether a tool wrote it. A column
 * for that would cost two bytes for every word of every block.
 */
export function documentOf(block: number, column: 'said' | 'tools'): number {
  return block * 2 + (column === 'tools' ? 1 : 0);
}

export function blockOf(document: number): number {
  return Math.floor(document / 2);
}

/** SQL condition that a document of `words w` was written by a tool, or by a user or model. */
export function writtenBy(column: 'said' | 'tools'): string {
  return `w.rowid & 1 = ${column === 'tools' ? 1 : 0}`;
}
