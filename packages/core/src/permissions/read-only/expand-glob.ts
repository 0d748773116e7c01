import { readdirSync } from 'node:fs';
import path from 'node:path';
import { entryStatus, leadsToDirectory } from '../paths/file-status.ts';
import { refuse } from './refusal.ts';
import type { JudgementScope } from './scope.ts';
import { readablePaths } from './walk-path.ts';

const MOST_MATCHES = 400;
const MOST_STEPS = 2_000;

/** The names that a pattern stands for, in the order of the shell; `\` marks plain characters. */
export function expandGlob(pattern: string, scope: JudgementScope): readonly string[] {
  const all = new Set(scope.directories.flatMap((directory) => matches(pattern, directory, scope)));
  if (all.size > MOST_MATCHES) refuse('a pattern matches too many files');
  return [...all].sort(collationOf(scope.policy.environment));
}

function collationOf(environment: Readonly<Record<string, string | undefined>>) {
  const locale = environment.LC_ALL || environment.LC_COLLATE || environment.LANG || 'C';
  if (/^(?:C|POSIX)(?:\.|$)/.test(locale)) {
    return (left: string, right: string) => (left < right ? -1 : Number(left > right));
  }
  const language = locale.split(/[.@]/)[0]?.replace('_', '-') ?? 'en';
  return new Intl.Collator(isLanguage(language) ? language : 'en').compare;
}

function isLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/.test(tag);
}

function matches(pattern: string, directory: string, scope: JudgementScope): readonly string[] {
  const segments = pattern.split('/');
  let found: readonly string[] = pattern.startsWith('/') ? ['/'] : [''];
  if (pattern.startsWith('/')) segments.shift();
  segments.forEach((segment, index) => {
    const step: GlobStep = { segment, isLast: index === segments.length - 1, directory, scope };
    found = found.flatMap((start) => nextNames(start, step));
    if (found.length > MOST_STEPS) refuse('a pattern matches too many files');
  });
  return found;
}

interface GlobStep {
  readonly segment: string;
  readonly isLast: boolean;
  readonly directory: string;
  readonly scope: JudgementScope;
}

function nextNames(start: string, step: GlobStep): readonly string[] {
  const { segment, isLast, directory, scope } = step;
  const place = path.resolve(directory, start || '.');
  if (segment === '' && !isLast) return [start];
  if (segment === '') return leadsToDirectory(place) ? [`${start}/`] : [];
  if (!/(?<!\\)[*?[]/.test(segment)) {
    const name = joined(start, segment.replaceAll(/\\(.)/gs, '$1'));
    return entryStatus(path.resolve(directory, name)) !== undefined ? [name] : [];
  }
  readablePaths(place, scope);
  const test = segmentPattern(segment);
  return namesIn(place)
    .filter((name) => test.test(name) && (!name.startsWith('.') || segment.startsWith('.')))
    .map((name) => joined(start, name));
}

function joined(start: string, name: string): string {
  return start === '' || start.endsWith('/') ? start + name : `${start}/${name}`;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // No directory, or none that we may list: the shell finds nothing there either.
  }
}

/** One step of a pattern as a regular expression; sets were checked to be simple when the word was read. */
function segmentPattern(segment: string): RegExp {
  const source = segment.replaceAll(/\\.|\[[^\]]*\]|[\s\S]/gu, (token) => {
    if (token.startsWith('\\')) return escapeForPattern(token.slice(1));
    if (token.length > 1 && token.startsWith('[')) return token.replace(/^\[!/, '[^');
    if (token === '*') return '.*';
    return token === '?' ? '.' : escapeForPattern(token);
  });
  return new RegExp(`^${source}$`, 'su');
}

function escapeForPattern(character: string): string {
  return character.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
