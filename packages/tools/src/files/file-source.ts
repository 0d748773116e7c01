import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ToolSandbox } from '@robota-sdk/agent-core';
import { NotAFileError } from './not-a-file-error.ts';
import { openResolved } from './open-resolved.ts';

const CHUNK_BYTES = 256 * 1024;

/** A file's bytes in chunks; each is valid only until the next one is requested. */
export type FileBytes = AsyncIterable<Buffer>;

/** Reads a local file of any size, links already resolved, in chunks through one buffer. */
export async function* readLocalFile(path: string, signal: AbortSignal): FileBytes {
  const file = await openResolved(path, constants.O_RDONLY);
  try {
    if (!(await file.stat()).isFile()) throw new NotAFileError(path);
    yield* readPieces(file, signal);
  } finally {
    await file.close();
  }
}

/** Reads a complete local file whose links are already resolved. */
export async function readResolvedFile(path: string): Promise<Uint8Array> {
  const file = await openResolved(path, constants.O_RDONLY);
  try {
    if (!(await file.stat()).isFile()) throw new NotAFileError(path);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export async function* readSandboxFile(
  sandbox: ToolSandbox,
  path: string,
  signal: AbortSignal,
): FileBytes {
  const bytes = await untilAborted(sandbox.readFile(path), signal);
  yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function* readPieces(file: FileHandle, signal: AbortSignal): FileBytes {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The promise's result, unless the signal fires first. */
export async function untilAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
