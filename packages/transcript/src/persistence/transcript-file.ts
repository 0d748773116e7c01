import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newBytesOf } from './continuation.ts';
import type { TranscriptPiece } from './transcript-persistence.ts';

/** Appends what the file does not have yet; a failed write leaves it unchanged. */
export async function appendToFile(
  path: string,
  sessionId: string,
  piece: TranscriptPiece,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const overlap = await readOverlap(file, piece, size);
    const bytes = newBytesOf(sessionId, piece, { length: size, read: () => overlap });
    if (bytes.length > 0) await appendAll(file, bytes, size);
  } finally {
    await file.close();
  }
}

async function readOverlap(
  file: FileHandle,
  { offset, text }: TranscriptPiece,
  size: number,
): Promise<Buffer> {
  const length = Math.max(0, Math.min(size - offset, Buffer.byteLength(text)));
  const bytes = Buffer.alloc(length);
  if (length > 0) await file.read(bytes, 0, length, offset);
  return bytes;
}

async function appendAll(file: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    await file.appendFile(bytes);
  } catch (error) {
    await file.truncate(size);
    throw new Error('Cannot save the transcript', { cause: error });
  }
}
