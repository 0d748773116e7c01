import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Tool } from '@robota-sdk/agent-core';
import picomatch from 'picomatch';
import { isMissing, realPath } from '../files/real-path.ts';
import { accessDenied, resolveInWorkspace } from '../files/workspace.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { ReadFilter } from '../search/read-filter.ts';
import { compareNames, walkFiles } from '../search/walk-files.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';
import { leadsElsewhere, ledElsewhereMeanwhile, touchesPath } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

const DEFAULT_LIMIT = 1_000;
const STATS_AT_ONCE = 64;

const parameters = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      minLength: 1,
      description: 'Glob such as "**/*.{ts,tsx}" or "src/*.md", from `path`.',
    },
    path: { description: 'Folder to look in (default: the working directory).', type: 'string' },
    limit: {
      description: 'Most paths to show (default 1000).',
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  required: ['pattern'],
} as const;

/** Where files are looked for. */
export type GlobToolOptions = Omit<WorkspaceToolOptions, 'sandbox'>;

/** Finds files by name. */
export function createGlobTool(options: GlobToolOptions = {}): Tool {
  return builtinTool({
    name: 'Glob',
    description:
      'Finds files by a glob, the most recently changed first. Skips .git, node_modules and what .gitignore names.',
    parameters,
    cwd: options.cwd,
    run: (given, scope) => glob(options, given, scope),
    touches: ({ pattern, path = '.' }, cwd) => {
      const folder = resolve(cwd, path, splitPattern(pattern).base);
      return touchesPath(folder, { kind: 'read', cwd, options: {} });
    },
  });
}

/** Finds files by name, from the process's own directory. */
export const globTool: Tool = createGlobTool();

async function glob(
  options: GlobToolOptions,
  { pattern, path, limit = DEFAULT_LIMIT }: ParametersOf<typeof parameters>,
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
  const moved = leadsElsewhere(place, scope.grant);
  if (moved !== undefined) return refused(moved);
  // What is searched is the place that was judged, whatever a link on the way says by then.
  const searched = { ...place, absolute: place.real };
  const filter = new ReadFilter(searched, scope.grant?.mayRead);
  const found = await allowedFiles(await findFiles(place.real, rest, scope.signal), filter);
  const ledAway = await ledElsewhereMeanwhile({ ...place, given: pattern });
  if (ledAway !== undefined) return refused(ledAway);
  const shown = found
    .slice(0, limit)
    .map((file) => shownPath(folder, join(start, relative(place.real, file))));
  if (found.length === 0) return answered(`(no matches)${filter.note()}`);
  if (found.length <= limit) return answered(shown.join('\n') + filter.note());
  return answered(
    `${shown.join('\n')}\n\n[Showing ${limit} of ${found.length} matches. Use limit parameter to see more.]${filter.note()}`,
  );
}

/** Files that may be read, links among them judged by where they lead. */
async function allowedFiles(files: readonly string[], filter: ReadFilter): Promise<string[]> {
  const allowed: string[] = [];
  for (const file of files) if (filter.allows(file, await realPath(file))) allowed.push(file);
  return allowed;
}

/** The folder a glob can only match in, and what is left of the glob there. */
function splitPattern(pattern: string): { readonly base: string; readonly rest: string } {
  const { base, glob: rest } = picomatch.scan(pattern.replace(/^\.\//, ''));
  return { base, rest };
}

/** Files below `start` that match, the most recently changed first. */
async function findFiles(start: string, rest: string, signal: AbortSignal): Promise<string[]> {
  if (rest === '') return (await changeTimes([start])).map(({ file }) => file);
  const matches = picomatch(rest, { dot: true });
  const files: string[] = [];
  for await (const file of walkFiles(start, { signal, withLinks: true })) {
    if (matches(relative(start, file).split(sep).join('/'))) files.push(file);
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

/** Only what is still there, and is a file; a symlink counts as what it leads to. */
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
