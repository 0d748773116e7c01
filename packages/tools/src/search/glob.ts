import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { compileGlob } from '@robota-sdk/agent-core';
import type { CallScope } from '../builtins/builtin-tool.ts';
import { movedProblem, movedSinceProblem } from '../builtins/file-tool.ts';
import type { GlobParameters, GlobToolOptions } from '../builtins/glob.ts';
import { isMissing, resolveLinks } from '../files/resolve-links.ts';
import { accessDenied, resolveInWorkspace } from '../files/workspace.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { ReadFilter } from './read-filter.ts';
import { compareNames, walkFiles } from './walk-files.ts';

const DEFAULT_LIMIT = 1_000;
const STATS_AT_ONCE = 64;

/** Finds files whose names match a glob, the most recently changed first. */
export async function glob(
  options: GlobToolOptions,
  { pattern, path, limit = DEFAULT_LIMIT }: GlobParameters,
  scope: CallScope,
): Promise<ToolAnswer> {
  const folder = resolve(scope.cwd, path ?? '.');
  const { base, rest } = splitPattern(pattern);
  const start = resolve(folder, base);
  const workspace = { cwd: scope.cwd, roots: options.roots };
  if ((await resolveInWorkspace(folder, workspace)) === null)
    return refused(accessDenied(path ?? '.'));
  if (!(await isFolder(folder))) return refused(`Path not found: ${path ?? folder}`);

  const place = await resolveInWorkspace(start, workspace);
  if (place === null) return refused(accessDenied(pattern));
  const moved = movedProblem(place, scope.grant);
  if (moved !== undefined) return refused(moved);
  // Searches the path that was checked, even if a link has changed since.
  const searched = { ...place, absolute: place.real };
  const filter = new ReadFilter(searched, scope.grant?.mayRead);
  const found = await allowedFiles(await findFiles(place.real, rest, scope.signal), filter);
  const movedSince = await movedSinceProblem({ ...place, given: pattern });
  if (movedSince !== undefined) return refused(movedSince);
  const shown = found
    .slice(0, limit)
    .map((file) => shownPath(folder, join(start, relative(place.real, file))));
  if (found.length === 0) return answered(`(no matches)${filter.note()}`);
  if (found.length <= limit) return answered(shown.join('\n') + filter.note());
  return answered(
    `${shown.join('\n')}\n\n[Showing ${limit} of ${found.length} matches. Use limit parameter to see more.]${filter.note()}`,
  );
}

/** Files that may be read; links are checked by their target. */
async function allowedFiles(files: readonly string[], filter: ReadFilter): Promise<string[]> {
  const allowed: string[] = [];
  for (const file of files) if (filter.allows(file, await resolveLinks(file))) allowed.push(file);
  return allowed;
}

const WILDCARD = /[*?[{\\]|[@+!]\(/;

/** The folder before the first wildcard, and the rest of the glob; without a wildcard all of it is the folder. */
export function splitPattern(pattern: string): { readonly base: string; readonly rest: string } {
  const segments = pattern.replace(/^\.\//, '').split('/');
  const first = segments.findIndex((segment) => WILDCARD.test(segment));
  if (first === -1) return { base: segments.join('/'), rest: '' };
  const base = segments.slice(0, first).join('/');
  const isRoot = first > 0 && base === '';
  return { base: isRoot ? '/' : base, rest: segments.slice(first).join('/') };
}

/** Matching files below `start`, the most recently changed first. */
async function findFiles(start: string, rest: string, signal: AbortSignal): Promise<string[]> {
  if (rest === '') return (await changeTimes([start])).map(({ file }) => file);
  const glob = compileGlob(rest);
  const files: string[] = [];
  for await (const file of walkFiles(start, { signal, withLinks: true })) {
    if (glob.mayMatch(relative(start, file).split(sep).join('/'))) files.push(file);
  }
  const dated: DatedFile[] = [];
  for (let at = 0; at < files.length; at += STATS_AT_ONCE) {
    signal.throwIfAborted();
    dated.push(...(await changeTimes(files.slice(at, at + STATS_AT_ONCE))));
  }
  return dated
    .sort((left, right) => right.changed - left.changed || compareNames(left.file, right.file))
    .map(({ file }) => file);
}

interface DatedFile {
  readonly file: string;
  readonly changed: number;
}

/** Existing files only; a symlink counts as its target. */
async function changeTimes(files: readonly string[]): Promise<DatedFile[]> {
  const dated = await Promise.all(
    files.map(async (file) => {
      try {
        const status = await stat(file);
        return status.isFile() ? [{ file, changed: status.mtimeMs }] : [];
      } catch {
        return [];
      }
    }),
  );
  return dated.flat();
}

function shownPath(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
