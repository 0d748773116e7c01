import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { entryStatus, leadsToDirectory } from './file-status.ts';

/** Entries that are looked at before a directory counts as holding anything. */
const MOST_ENTRIES = 20_000;

/** Whether a directory holds a file that a rule catches; one too large to look through counts as holding it. */
export function holdsCaught(directory: string, catches: (absolute: string) => boolean): boolean {
  const waiting = [directory];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(folder)) {
      if (++seen > MOST_ENTRIES) return true;
      const place = path.join(folder, entry.name);
      if (catches(place)) return true;
      if (entry.isDirectory()) waiting.push(place);
    }
  }
  return false;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Not there, or closed to us as to the command.
  }
}

/** Names that are followed at each step of a pattern. */
const MOST_NAMES = 2_000;

/**
 * The names that a pattern of the shell stands for in a directory, unsorted; `\` marks plain characters. Undefined
 * when there are too many. `mayList` is told of each directory before it is listed.
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
    if (found.length > MOST_NAMES) return undefined;
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
  const test = segmentPattern(segment);
  return entriesOf(place)
    .map((entry) => entry.name)
    .filter((name) => test.test(name) && (!name.startsWith('.') || segment.startsWith('.')))
    .map((name) => joined(start, name));
}

function joined(start: string, name: string): string {
  return start === '' || start.endsWith('/') ? start + name : `${start}/${name}`;
}

/** One step of a pattern as a regular expression; a set that cannot be read stands for any character. */
function segmentPattern(segment: string): RegExp {
  const source = segment.replaceAll(/\\.|\[[^\]]*\]|[\s\S]/gu, (token) => {
    if (token.startsWith('\\')) return escapeForPattern(token.slice(1));
    if (/^\[[!^]?[\w.-]+\]$/.test(token)) return token.replace(/^\[!/, '[^');
    if (token.length > 1 && token.startsWith('[')) return '.';
    if (token === '*') return '.*';
    return token === '?' ? '.' : escapeForPattern(token);
  });
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    return /^/; // A range that runs backwards: every name may be meant.
  }
}

function escapeForPattern(character: string): string {
  return character.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
