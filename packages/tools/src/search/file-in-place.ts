import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { NO_LINK_ANYWHERE } from '../files/open-resolved.ts';
import { isOpenedAt } from './match-worker.ts';
import type { FileHits, HitLine } from './text-search.ts';

const CHUNK_BYTES = 1024 * 1024;
const LINE_END = 10;

/**
 * Whether ripgrep found this in the file itself: somebody may have replaced a folder by a link while it read, and put
 * the folder back. The path has no links; the file must be there, with the reported lines.
 */
export function isFoundInPlace({ file, lines }: FileHits): boolean {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  let handle: number | undefined;
  try {
    handle = openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | NO_LINK_ANYWHERE);
    const isThere =
      fstatSync(handle).isFile() && isOpenedAt(handle, file, { readlinkSync, realpathSync });
    return isThere && hasLines(handle, lines);
  } catch {
    // It is gone or cannot be read, so that there is nothing to show of it.
    return false;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Reads no further than the last of the lines, and keeps only parts of lines that are compared. */
function hasLines(handle: number, lines: readonly HitLine[]): boolean {
  if (lines.length === 0) return true;
  const wanted = new Map(lines.map(({ number, text }) => [number, text]));
  const last = Math.max(...wanted.keys());
  let number = 1;
  let begun: Buffer[] = [];
  for (const chunk of chunksOf(handle)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      const reported = wanted.get(number);
      const line = () => Buffer.concat([...begun, chunk.subarray(start, end)]).toString('utf8');
      if (reported !== undefined && !isSameLine(line(), reported)) return false;
      if (number === last) return true;
      begun = [];
      number += 1;
      start = end + 1;
    }
    if (wanted.has(number)) begun.push(chunk.subarray(start));
  }
  return false;
}

/** The file's content, and a line end for a last line without one. */
function* chunksOf(handle: number): Generator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(handle, chunk, 0, CHUNK_BYTES, null);
    if (read === 0) break;
    yield chunk.subarray(0, read);
  }
  yield Buffer.from([LINE_END]);
}

/** Bytes that are not UTF-8 may be decoded differently in pieces. */
function isSameLine(found: string, reported: string): boolean {
  const plain = (text: string) => text.replace(/\r$/, '').replace(/\uFFFD+/g, '\uFFFD');
  return plain(found) === plain(reported);
}
