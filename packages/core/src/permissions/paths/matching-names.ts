import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { compileGlob, type Glob } from '../../glob.ts';
import { recordUncacheable } from './disk-facts.ts';
import { entryStatus, leadsToDirectory } from './file-status.ts';

/** Entries examined before a directory counts as containing a match. */
const MAX_ENTRIES = 20_000;

/** Whether a directory contains a matching file; one too large to search counts as containing it. */
export function containsMatch(directory: string, matches: (absolute: string) => boolean): boolean {
  const waiting = [directory];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(folder)) {
      if (++seen > MAX_ENTRIES) return true;
      const place = path.join(folder, entry.name);
      if (matches(place)) return true;
      if (entry.isDirectory()) waiting.push(place);
    }
  }
  return false;
}

function entriesOf(folder: string): readonly Dirent[] {
  recordUncacheable(folder);
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Missing, or unreadable for the command as well.
  }
}

/** Maximum number of names at each step of a pattern. */
const MAX_NAMES = 2_000;

/**
 * The names that a shell pattern matches in a directory, unsorted; `\` escapes literal characters. Undefined when there
 * are too many. `mayList` is called with each directory before it is listed.
 */
export function matchingNames(
  pattern: string,
  directory: string,
  mayList: (absolute: string) => void = () => undefined,
): readonly string[] | undefined {
  const segments = pattern.split('/');
  let found: readonly string[] = pattern.startsWith('/') ? ['/'] : [''];
  if (pattern.startsWith('/')) segments.shift();
  for (const [index, segment] of segments.entries()) {
    const step: GlobStep = { segment, isLast: index === segments.length - 1, directory, mayList };
    found = found.flatMap((start) => nextNames(start, step));
    if (found.length > MAX_NAMES) return undefined;
  }
  return found;
}

interface GlobStep {
  readonly segment: string;
  readonly isLast: boolean;
  readonly directory: string;
  readonly mayList: (absolute: string) => void;
}

function nextNames(start: string, step: GlobStep): readonly string[] {
  const { segment, isLast, directory, mayList } = step;
  const place = path.resolve(directory, start || '.');
  if (segment === '' && !isLast) return [start];
  if (segment === '') return leadsToDirectory(place) ? [`${start}/`] : [];
  if (!/(?<!\\)[*?[]/.test(segment)) {
    const name = joined(start, segment.replaceAll(/\\(.)/gs, '$1'));
    return entryStatus(path.resolve(directory, name)) === undefined ? [] : [name];
  }
  mayList(place);
  const glob = segmentGlob(segment);
  return entriesOf(place)
    .map((entry) => entry.name)
    .filter((name) => glob.mayMatch(name) && (!name.startsWith('.') || segment.startsWith('.')))
    .map((name) => joined(start, name));
}

function joined(start: string, name: string): string {
  return start === '' || start.endsWith('/') ? start + name : `${start}/${name}`;
}

/** One path segment of a shell pattern, in which braces and groups mean themselves; an unsupported set matches any character. */
function segmentGlob(segment: string): Glob {
  const pattern = segment.replaceAll(/\\.|\[[^\]]*\]|[\s\S]/gsu, (token) => {
    if (/^[{}()]$/.test(token)) return `\\${token}`;
    const isSet = token.length > 1 && token.startsWith('[');
    return isSet && !isPlainSet(token) ? '?' : token;
  });
  return compileGlob(pattern);
}

/** Letters, digits and ranges that rise; what a falling one means depends on the language of the shell. */
function isPlainSet(set: string): boolean {
  const isRising = [...set.matchAll(/(\w)-(\w)/g)].every(([, from = '', to = '']) => from <= to);
  return isRising && /^\[[!^]?[\w.-]+\]$/.test(set);
}
