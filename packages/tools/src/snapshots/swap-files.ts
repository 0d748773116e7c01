import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import {
  chmod,
  chown,
  type FileHandle,
  lstat,
  open,
  rename,
  rm,
  rmdir,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileChange, FileVersion } from '@robota-sdk/agent-core/log';
import { hasDescriptorPaths, openResolvedFolder, within } from '../files/open-resolved.ts';
import { hasCode, isMissing } from '../files/resolve-links.ts';
import { partsOf, readVersion } from './file-version.ts';
import type { ObjectFolder } from './object-folder.ts';
import { writeDurably } from './write-durably.ts';

/** One path that will be replaced by another version. */
export interface FileSwap {
  readonly path: string;
  /** The expected current version; nothing is swapped when it differs. A folder must be empty by then. */
  readonly from: FileVersion;
  readonly to: FileVersion;
  /** The folder that was created with the file, and is removed with it when empty. */
  readonly madeFolder?: string | undefined;
}

interface SwapOptions {
  readonly objects: ObjectFolder;
  /** The journal file, present while the swap runs. */
  readonly journal: string;
  /** The owner of the swap, passed to `isLogged` by `settleSwap` after a crash. */
  readonly id: string;
}

/** Swapped files; until `commit`, `settleSwap` swaps them back after a crash. */
export interface SwappedFiles {
  readonly changes: readonly FileChange[];
  commit(): void;
}

interface Journal {
  readonly id: string;
  readonly swaps: readonly PreparedSwap[];
}

interface PreparedSwap extends FileSwap {
  /** The new file, in the same folder or its nearest existing parent. */
  readonly draft?: string | undefined;
}

/** No limit: only files small enough to be stored are ever swapped. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/**
 * Replaces all files or none: drafts and a journal are written first, then renamed into place. Throws an error that
 * says why nothing was changed.
 */
export async function swapFiles(
  swaps: readonly FileSwap[],
  options: SwapOptions,
): Promise<SwappedFiles> {
  const { journal } = options;
  const prepared: PreparedSwap[] = [];
  try {
    for (const swap of swaps) keepCurrent(swap, options.objects);
    for (const swap of swaps) prepared.push(await prepare(swap, options.objects));
    writeDurably(journal, JSON.stringify({ id: options.id, swaps: prepared }), { sync: true });
  } catch (error) {
    await dropDrafts(prepared);
    rmSync(journal, { force: true });
    throw nothingChanged(error);
  }
  const done: PreparedSwap[] = [];
  try {
    for (const swap of inOrder(prepared)) {
      checkCurrent(swap);
      done.push(swap);
      await put(swap);
    }
  } catch (error) {
    await undo(done, options.objects, error);
    await dropDrafts(prepared);
    rmSync(journal, { force: true });
    throw nothingChanged(error);
  }
  return {
    changes: swaps.map(({ path, from, to }) => ({ path, before: withoutFolder(from), after: to })),
    commit: () => rmSync(journal, { force: true }),
  };
}

/** After a crash: keeps a swap that was logged and reverts any other. */
export async function settleSwap(
  journal: string,
  objects: ObjectFolder,
  isLogged: (id: string) => boolean,
): Promise<'nothing' | 'kept' | 'undone'> {
  const found = readJournal(journal);
  if (!found) return 'nothing';
  const isKept = isLogged(found.id);
  if (!isKept) await putBack(found.swaps, objects);
  await dropDrafts(found.swaps);
  rmSync(journal, { force: true });
  return isKept ? 'kept' : 'undone';
}

/** Stores the current content first, so that every swap can be reverted. */
function keepCurrent({ path, from }: FileSwap, objects: ObjectFolder): void {
  const { version, bytes } = readVersion(path, MAX_BYTES);
  if (version !== from) throw changedMeanwhile(path);
  const parts = partsOf(version);
  if (parts.kind === 'file' && bytes) objects.put(bytes, parts.hash);
}

function checkCurrent({ path, from }: FileSwap): void {
  const { version } = readVersion(path, MAX_BYTES);
  const isGone = from === 'folder' && version === null;
  if (version !== from && !isGone) throw changedMeanwhile(path);
}

async function prepare(swap: FileSwap, objects: ObjectFolder): Promise<PreparedSwap> {
  const parts = partsOf(swap.to);
  if (parts.kind === 'nothing') return swap;
  const draft = join(folderAbove(swap.path), `.robota-${randomBytes(6).toString('hex')}.tmp`);
  if (parts.kind === 'link') await symlink(parts.target, draft);
  else if (parts.kind === 'file') {
    const bytes = objects.read(parts.hash);
    if (!bytes) throw new Error(`what ${swap.path} was before is not kept any more`);
    await writeDraft(draft, bytes, parts.mode);
    await keepOwner(draft, swap.path);
  } else throw new Error(`what ${swap.path} was before is not kept`);
  return { ...swap, draft };
}

async function writeDraft(draft: string, bytes: Buffer, mode: number): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(draft, 'wx', 0o600);
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
    file = undefined;
    await chmod(draft, mode);
  } catch (error) {
    await file?.close();
    await rm(draft, { force: true });
    throw error;
  }
}

async function keepOwner(draft: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const status = statusOf(path);
  if (status && (status.uid !== 0 || status.gid !== 0)) {
    const { mode } = await lstat(draft);
    await chown(draft, status.uid, status.gid);
    await chmod(draft, mode & 0o7777);
  }
}

/** Removals first, the deepest first: a folder may have to make room for a file, or a file for a folder. */
function inOrder(swaps: readonly PreparedSwap[]): PreparedSwap[] {
  const depth = ({ path }: FileSwap) => path.split('/').length;
  const removals = swaps.filter(({ to }) => to === null);
  const others = swaps.filter(({ to }) => to !== null);
  removals.sort((left, right) => depth(right) - depth(left));
  return [...removals, ...others.sort((left, right) => depth(left) - depth(right))];
}

/** Follows no link in the path: a folder replaced by a link is an error. */
async function put({ path, draft, madeFolder }: PreparedSwap): Promise<void> {
  if (draft === undefined) {
    await inFolder(dirname(path), { create: false }, (place) => rm(place(basename(path))));
    if (madeFolder !== undefined) await removeEmpty(dirname(path), madeFolder);
    return;
  }
  await inFolder(dirname(path), { create: true }, (place) => rename(draft, place(basename(path))));
}

async function inFolder<Result>(
  folder: string,
  options: { readonly create: boolean },
  work: (place: (name: string) => string) => Promise<Result>,
): Promise<Result> {
  if (!hasDescriptorPaths()) return work((name) => join(folder, name));
  const handle = await openResolvedFolder(folder, options);
  try {
    return await work((name) => within(handle, name));
  } finally {
    await handle.close();
  }
}

async function removeEmpty(from: string, madeFolder: string): Promise<void> {
  for (let at = from; at.startsWith(madeFolder); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch (error) {
      // The folder is in use.
      if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST') || isMissing(error)) return;
      throw error;
    }
  }
}

/** What cannot be reverted now stays in the journal until the session is opened again. */
async function undo(
  done: readonly PreparedSwap[],
  objects: ObjectFolder,
  cause: unknown,
): Promise<void> {
  try {
    await putBack(done, objects);
  } catch (error) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Some files are changed and could not be put back (${why}); they will be when this session is opened again.`,
      { cause: error },
    );
  }
}

/** Reverts only files still as the swap left them. */
async function putBack(swaps: readonly PreparedSwap[], objects: ObjectFolder): Promise<void> {
  const reversed = swaps
    .filter(({ path, from, to }) => from !== to && readVersion(path, MAX_BYTES).version === to)
    .map(({ path, from, to }) => ({ path, from: to, to: withoutFolder(from) }));
  for (const swap of inOrder(reversed)) await put(await prepare(swap, objects));
}

/** Folders are created and removed with their files. */
function withoutFolder(version: FileVersion): FileVersion {
  return version === 'folder' ? null : version;
}

async function dropDrafts(swaps: readonly PreparedSwap[]): Promise<void> {
  for (const { draft } of swaps) if (draft !== undefined) await rm(draft, { force: true });
}

/** The nearest existing parent folder. */
function folderAbove(path: string): string {
  let at = dirname(path);
  while (at !== dirname(at) && !statusOf(at)?.isDirectory()) {
    at = dirname(at);
  }
  return at;
}

function statusOf(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function readJournal(path: string): Journal | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Journal;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function changedMeanwhile(path: string): Error {
  return new Error(`${path} was changed meanwhile`);
}

function nothingChanged(error: unknown): Error {
  const isFull = hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT');
  const reason = error instanceof Error ? error.message : String(error);
  const advice = isFull ? 'the disk is full; free some space and try again' : reason;
  return Object.assign(new Error(`No file was changed: ${advice}.`, { cause: error }), {
    code: 'files_not_restored',
  });
}
