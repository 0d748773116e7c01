import { createReadStream } from 'node:fs';

/** Read at once; large enough to be fast, small enough to keep memory flat. */
const CHUNK_BYTES = 1 << 20;

/** Whether a transcript can hold a text, by its raw bytes: a file of gigabytes is never held in memory. */
export async function mayContain(path: string | undefined, text: string): Promise<boolean> {
  if (path === undefined) return true;
  // Inside JSON, quotes, backslashes and newlines are escaped; the rest stands as it is.
  const wanted = JSON.stringify(text).slice(1, -1).toLowerCase();
  let tail = '';
  try {
    const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES });
    for await (const chunk of stream) {
      const piece = tail + String(chunk).toLowerCase();
      if (piece.includes(wanted)) return true;
      tail = piece.slice(-wanted.length);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new Error(`Cannot search ${path}`, { cause: error });
  }
  return false;
}
