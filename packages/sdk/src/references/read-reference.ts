import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { extname, isAbsolute, join, resolve } from 'node:path';
import type { InlineImagePart } from '@robota-sdk/agent-core';
import type { FileMention } from './find-references.ts';

/** Maximum files attached to one prompt. */
const MAX_REFERENCES = 8;
const MAX_FILE_BYTES = 64 * 1024;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024;

const IMAGES: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
]);

/** A file attached to a prompt. */
export type FileReference = { readonly path: string; readonly bytes: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly image: InlineImagePart }
);

export interface ReferenceBounds {
  readonly cwd: string;
  /** Undefined when the file may be read, else why not. */
  readonly refusal: (realPath: string) => Promise<string | undefined>;
}

export interface ReadReferences {
  readonly references: readonly FileReference[];
  /** Mentioned files that were not attached, and why. */
  readonly problems: readonly string[];
}

/** Reads the mentioned files that exist; other mentions stay plain text. */
export async function readReferences(
  mentions: readonly FileMention[],
  bounds: ReferenceBounds,
): Promise<ReadReferences> {
  const references: FileReference[] = [];
  const problems: string[] = [];
  let total = 0;
  for (const { path } of mentions) {
    const read = await readOne(path, bounds);
    if (read === undefined) continue;
    const problem = typeof read === 'string' ? read : limitProblem(read, references.length, total);
    if (problem !== undefined) problems.push(`@${path}: ${problem}`);
    if (problem !== undefined || typeof read === 'string') continue;
    references.push(read);
    if (read.kind === 'text') total += read.bytes;
  }
  return { references, problems };
}

/** Reads images named by the user; no read rules apply. */
export async function readImages(
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly images: readonly InlineImagePart[]; readonly problems: readonly string[] }> {
  const images: InlineImagePart[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    const read = await readOne(path, { cwd, refusal: async () => undefined });
    if (typeof read === 'object' && read.kind === 'image') images.push(read.image);
    else problems.push(`${path}: ${typeof read === 'string' ? read : 'there is no such image.'}`);
  }
  return { images, problems };
}

function limitProblem(read: FileReference, count: number, total: number): string | undefined {
  if (count >= MAX_REFERENCES) return `only ${MAX_REFERENCES} files go with one prompt.`;
  const tooMuch = read.kind === 'text' && total + read.bytes > MAX_TOTAL_BYTES;
  return tooMuch ? 'the files of one prompt may have 256 KiB together.' : undefined;
}

/** The file, a sentence why it is left out, or undefined when it does not exist. */
async function readOne(
  path: string,
  { cwd, refusal }: ReferenceBounds,
): Promise<FileReference | string | undefined> {
  const file = await existingFile(
    path.startsWith('~/') ? join(homedir(), path.slice(2)) : path,
    cwd,
  );
  if (file === undefined) return undefined;
  const refused = await refusal(file.path);
  if (refused !== undefined) return refused;
  const mimeType = IMAGES.get(extname(file.path).toLowerCase());
  const limit = mimeType === undefined ? MAX_FILE_BYTES : MAX_IMAGE_BYTES;
  if (file.bytes > limit) return `it has ${file.bytes} bytes, at most ${limit} go with a prompt.`;
  try {
    const content = await readFile(file.path);
    if (mimeType === undefined) return textReference(file.path, content);
    const image = { type: 'image_inline', mimeType, data: content.toString('base64') } as const;
    return { path: file.path, bytes: content.length, kind: 'image', image };
  } catch (error) {
    return `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`;
  }
}

function textReference(path: string, content: Buffer): FileReference | string {
  if (content.includes(0)) return 'it is not a text file.';
  return { path, bytes: content.length, kind: 'text', text: content.toString('utf8') };
}

async function existingFile(path: string, cwd: string) {
  const absolute = isAbsolute(path) ? path : resolve(cwd, path);
  try {
    const real = await realpath(absolute);
    const { size, isFile } = await stat(real).then((found) => ({
      size: found.size,
      isFile: found.isFile(),
    }));
    return isFile ? { path: real, bytes: size } : undefined;
  } catch {
    // A path that does not exist is ordinary text starting with @.
    return undefined;
  }
}
