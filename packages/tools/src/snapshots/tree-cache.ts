import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FileVersion } from '@robota-sdk/agent-core/log';
import { isMissing } from '../files/resolve-links.ts';

/** The cached state of one file. */
export interface CachedFile {
  /** Changes whenever the file does; empty when the file is too new to be sure. */
  readonly signature: string;
  readonly version: FileVersion;
  /** Where its bytes are stored. */
  readonly pack?: string;
  readonly offset?: number;
  readonly length?: number;
}

/** Maximum number of packs in one tree; beyond it old packs are dropped and the tree is read again. */
const MAX_PACKS = 8;
const OLD_MS = 60 * 60 * 1000;
/** Resolution of file time stamps: a newer file may change again with the same stamp. */
export const COARSE_MS = 20;

/**
 * The files of one tree with their contents, cached across sessions. Each process appends to its own pack, so that
 * sessions in one tree do not interfere. All of it may be deleted.
 */
export class TreeCache {
  readonly #folder: string;
  readonly #files = new Map<string, CachedFile>();
  readonly #ownPack = randomBytes(6).toString('hex');
  /** Packs that hold contents. */
  readonly #packs = new Set<string>();
  #lines: string[] = [];
  #chunks: Uint8Array[] = [];
  #size = 0;
  #bufferedBytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
    for (const name of this.#indexes()) this.#load(name);
  }

  get files(): ReadonlyMap<string, CachedFile> {
    return this.#files;
  }

  /** False when packs were deleted; their files must be read again. */
  isComplete(): boolean {
    const isUnwritten = (pack: string) =>
      pack === this.#ownPack && this.#size === this.#bufferedBytes;
    return [...this.#packs].every((pack) => isUnwritten(pack) || existsSync(this.#packPath(pack)));
  }

  /** `seenAt` is the start of the scan. */
  put(path: string, file: { status: Stats; version: FileVersion; bytes?: Buffer; seenAt: number }) {
    const { status, version, bytes, seenAt } = file;
    const isYoung = Math.max(status.ctimeMs, status.mtimeMs) > seenAt - COARSE_MS;
    const place = bytes ? this.#append(bytes) : {};
    this.#set(path, { signature: isYoung ? '' : signatureOf(status), version, ...place });
  }

  remove(path: string): void {
    this.#files.delete(path);
    this.#lines.push(JSON.stringify([path]));
  }

  /** The cached bytes of a file; undefined when they were deleted. */
  read({ pack, offset = 0, length = 0 }: CachedFile): Buffer | undefined {
    if (pack === undefined) return undefined;
    if (pack === this.#ownPack) this.flush();
    let descriptor: number | undefined;
    try {
      descriptor = openSync(this.#packPath(pack), 'r');
      const bytes = Buffer.alloc(length);
      return readSync(descriptor, bytes, 0, length, offset) === length ? bytes : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** Written before a command runs, so that its changes can be detected even after a crash. */
  flush(): void {
    if (this.#lines.length === 0) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const [chunks, lines] = [this.#chunks, this.#lines];
    this.#chunks = [];
    this.#lines = [];
    this.#bufferedBytes = 0;
    if (chunks.length > 0) {
      appendFileSync(this.#packPath(this.#ownPack), Buffer.concat(chunks), { mode: 0o600 });
    }
    appendFileSync(this.#indexPath(this.#ownPack), `${lines.join('\n')}\n`, { mode: 0o600 });
  }

  #append(bytes: Buffer): Pick<CachedFile, 'pack' | 'offset' | 'length'> {
    const place = { pack: this.#ownPack, offset: this.#size, length: bytes.length };
    this.#size += bytes.length;
    this.#bufferedBytes += bytes.length;
    this.#chunks.push(bytes);
    this.#packs.add(this.#ownPack);
    return place;
  }

  #set(path: string, file: CachedFile): void {
    this.#files.set(path, file);
    const { signature, version, pack, offset, length } = file;
    this.#lines.push(JSON.stringify([path, signature, version, pack, offset, length]));
    if (this.#bufferedBytes > FLUSH_BYTES) this.flush();
  }

  #indexes(): string[] {
    const names = namesIn(this.#folder).filter((name) => name.endsWith('.index'));
    const dated = names.map((name) => {
      const { mtimeMs = 0 } = statSync(join(this.#folder, name), { throwIfNoEntry: false }) ?? {};
      return { name, mtimeMs };
    });
    dated.sort((left, right) => left.mtimeMs - right.mtimeMs);
    if (dated.length <= MAX_PACKS) return dated.map(({ name }) => name);
    const isOld = ({ mtimeMs }: { mtimeMs: number }) => mtimeMs < Date.now() - OLD_MS;
    for (const { name } of dated.filter(isOld)) this.#drop(name.slice(0, -'.index'.length));
    return dated.filter((each) => !isOld(each)).map(({ name }) => name);
  }

  #drop(pack: string): void {
    rmSync(this.#packPath(pack), { force: true });
    rmSync(this.#indexPath(pack), { force: true });
  }

  /** Skips damaged lines and lines whose pack is missing; those files are read again. */
  #load(name: string): void {
    const own = name.slice(0, -'.index'.length);
    const hasPack = existsSync(this.#packPath(own));
    if (hasPack) this.#packs.add(own);
    for (const line of readFileSync(join(this.#folder, name), 'utf8').split('\n')) {
      if (line === '') continue;
      try {
        const [path, signature, version, pack, offset, length] = JSON.parse(line);
        const isLost = typeof pack === 'string' && !(hasPack && pack === own);
        if (signature === undefined || isLost) this.#files.delete(path);
        else {
          const place = typeof pack === 'string' ? { pack, offset, length } : {};
          this.#files.set(path, { signature, version, ...place });
        }
      } catch {
        // See above.
      }
    }
  }

  /** Holds file contents with secrets, so it is named like a vault, which no tool may open. */
  #packPath(pack: string): string {
    return join(this.#folder, `${pack}.vault`);
  }

  #indexPath(pack: string): string {
    return join(this.#folder, `${pack}.index`);
  }
}

/** Maximum bytes buffered while a tree is read for the first time. */
const FLUSH_BYTES = 8 * 1024 * 1024;

export function signatureOf({ ino, size, mtimeMs, ctimeMs, mode }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}:${mode}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
