import type { FileHandle } from 'node:fs/promises';
import type { ConversationBlock } from '../blocks.ts';
import { openExisting } from './existing-file.ts';
import type { TranscriptSource } from './read-transcript-file.ts';

/** The last blocks, read from the end of the file only; `undefined` when the whole file is needed. */
export async function readTailBlocks(
  { parser }: TranscriptSource,
  path: string,
  limit: number,
): Promise<readonly ConversationBlock[] | undefined> {
  if (parser.readTail === undefined) return undefined;
  const file = await openExisting(path);
  if (file === undefined) return [];
  try {
    const { size } = await file.stat();
    for (let length = FIRST_WINDOW_BYTES; length < size; length *= WINDOW_GROWTH) {
      const blocks = parser.readTail(await readLastLines(file, size, length), limit);
      if (blocks !== undefined) return blocks;
    }
    return undefined;
  } finally {
    await file.close();
  }
}

/** The complete lines among the last `length` bytes, without the first, truncated one. */
async function readLastLines(
  file: FileHandle,
  size: number,
  length: number,
): Promise<readonly string[]> {
  const window = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(window, 0, length, size - length);
  const bytes = window.subarray(0, bytesRead);
  const firstNewline = bytes.indexOf(NEWLINE);
  if (firstNewline === -1) return [];
  return bytes
    .subarray(firstNewline + 1)
    .toString('utf8')
    .split('\n');
}

const NEWLINE = 0x0a;
const FIRST_WINDOW_BYTES = 1 << 18;
const WINDOW_GROWTH = 4;
