import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A written file with its checksum. */
export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a new file in chunks. It appears complete or not at all; an existing file is never
 * touched: the promise rejects with the code `EEXIST`.
 */
export async function writeNewFile(path: string, lines: Iterable<string>): Promise<WrittenFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const written = await writeDraft(draft, lines);
    await link(draft, path);
    return { path, ...written };
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(path: string, lines: Iterable<string>) {
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (const text of pieces(lines)) {
      const piece = Buffer.from(text);
      hash.update(piece);
      bytes += piece.length;
      await writeAll(file, piece);
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, piece: Buffer): Promise<void> {
  for (let from = 0; from < piece.length; ) {
    const { bytesWritten } = await file.write(piece, from);
    from += bytesWritten;
  }
}

function* pieces(lines: Iterable<string>): Iterable<string> {
  let text = '';
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const CHUNK_CHARACTERS = 1 << 20;
