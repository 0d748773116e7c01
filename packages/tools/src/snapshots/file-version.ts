import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { FileVersion } from '@robota-sdk/agent-core/log';
import { hasCode, isMissing } from '../files/resolve-links.ts';

/** A version together with its bytes, if they were read. */
export interface ReadVersion {
  readonly version: FileVersion;
  readonly bytes?: Buffer;
}

/**
 * The current version of a path. No link is followed, not even in a parent folder: behind a link lies another file. A
 * file larger than `mostBytes` is not read.
 */
export function readVersion(path: string, mostBytes: number): ReadVersion {
  try {
    const folder = dirname(path);
    if (realpathSync(folder) !== folder) return { version: null };
    return versionOf(path, lstatSync(path), mostBytes);
  } catch (error) {
    if (isMissing(error)) return { version: null };
    throw error;
  }
}

export function versionOf(path: string, status: Stats, mostBytes: number): ReadVersion {
  if (status.isSymbolicLink()) return { version: `link:${readlinkSync(path)}` };
  if (status.isDirectory()) return { version: 'folder' };
  if (!status.isFile()) return { version: 'other' };
  if (status.size > mostBytes) return { version: unkeptVersion(status) };
  try {
    const bytes = readFileSync(path);
    return { version: fileVersion(status.mode, sha256(bytes)), bytes };
  } catch (error) {
    if (isMissing(error)) return { version: null };
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) throw error;
    return { version: unkeptVersion(status) };
  }
}

function fileVersion(mode: number, hash: string): string {
  return `file:${(mode & 0o7777).toString(8)}:${hash}`;
}

function unkeptVersion({ mode, size, mtimeMs }: Stats): string {
  return `unkept:${(mode & 0o7777).toString(8)}:${size}:${mtimeMs}`;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A parsed version. */
export type VersionParts =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly mode: number; readonly hash: string }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' }
  | { readonly kind: 'unkept' };

/** The kind, permissions and hash of a file version. */
export function partsOf(version: FileVersion): VersionParts {
  if (version === null) return { kind: 'nothing' };
  if (version === 'folder') return { kind: 'folder' };
  if (version.startsWith('link:')) return { kind: 'link', target: version.slice(5) };
  const [, mode, hash] = /^file:([0-7]{1,4}):([0-9a-f]{64})$/.exec(version) ?? [];
  if (mode === undefined || hash === undefined) return { kind: 'unkept' };
  return { kind: 'file', mode: Number.parseInt(mode, 8), hash };
}
