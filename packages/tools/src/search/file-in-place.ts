import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import type { FileHits } from './text-search.ts';

/** With this flag macOS refuses links anywhere in the path; Node has no constant for it. */
const NO_LINK_ANYWHERE = process.platform === 'darwin' ? 0x2000_0000 : 0;

/**
 * Whether ripgrep found this in the file itself: somebody may have replaced a folder by a link while it read, and put
 * the folder back. The path has no links; the file must be there, with the reported lines.
 */
export function isFoundInPlace({ file, lines }: FileHits): boolean {
  let handle: number;
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    handle = openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | NO_LINK_ANYWHERE);
  } catch {
    return false;
  }
  try {
    if (!fstatSync(handle).isFile() || !isOpenedAt(handle, file)) return false;
    if (lines.length === 0) return true;
    const found = readFileSync(handle, 'utf8').split('\n');
    return lines.every(({ number, text }) => isSameLine(found[number - 1], text));
  } finally {
    closeSync(handle);
  }
}

/** Whether an open file or folder is the one at this path, and no link was followed on the way. */
export function isOpenedAt(handle: number, path: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${handle}`) === path;
  } catch {
    // Without /proc a link that was put back meanwhile is not seen.
    return realpathSync(path) === path;
  }
}

/** Bytes that are not UTF-8 may be decoded differently in pieces. */
function isSameLine(found: string | undefined, reported: string): boolean {
  const plain = (text: string) => text.replace(/\r$/, '').replace(/\uFFFD+/g, '\uFFFD');
  return found !== undefined && plain(found) === plain(reported);
}
