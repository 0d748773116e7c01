import path from 'node:path';
import { pathExists } from './paths/file-status.ts';
import { withSlash } from './paths/roots.ts';
import { trackedFiles } from './read-only/git-index.ts';
import { findRepository, type RepositoryPlace } from './read-only/git-place.ts';
import { ReadOnlyRefusal } from './read-only/refusal.ts';
import type { PermissionRule } from './rule.ts';
import type { PathRule } from './rule-set.ts';
import { programOf } from './shell/program-name.ts';
import type { ShellPart } from './shell/shell-word.ts';

/** The rule about reading that a git command may meet: it shows contents, and git tracks a file that is caught. */
export function shownByGit(
  part: ShellPart,
  bases: readonly string[],
  rules: readonly PathRule[],
): PermissionRule | undefined {
  if (rules.length === 0) return undefined;
  const call = showingCall(part);
  if (call === undefined) return undefined;
  for (const base of bases) {
    const directory = path.resolve(base, ...call.moves);
    const files = call.elsewhere ? undefined : filesShown(directory, call);
    if (files === undefined) return rules[0]?.rule;
    const met = rules.find(({ pattern }) =>
      files.some((file) => pattern.catches({ literal: file, real: file })),
    );
    if (met !== undefined) return met.rule;
  }
  return undefined;
}

/** Whether a part is a git command that shows contents of files. */
export function showsFilesOfGit(part: ShellPart): boolean {
  return showingCall(part) !== undefined;
}

function showingCall(part: ShellPart): GitCall | undefined {
  if (programOf(part.words[0]?.value ?? '') !== 'git') return undefined;
  const call = readCall(part.words.slice(1).map((word) => word.value ?? ''));
  return showsContents(call) ? call : undefined;
}

interface GitCall {
  /** Values of `-C`. */
  readonly moves: readonly string[];
  /** It is pointed to a repository or files by hand. */
  readonly elsewhere: boolean;
  readonly subcommand: string;
  readonly rest: readonly string[];
}

function readCall(values: readonly string[]): GitCall {
  const moves: string[] = [];
  let elsewhere = false;
  let at = 0;
  for (; values[at]?.startsWith('-') === true; at++) {
    const value = values[at] ?? '';
    elsewhere ||= /^--(?:git-dir|work-tree)\b/.test(value);
    if (value === '-C') moves.push(values[++at] ?? '');
    else if (/^(?:-c|--git-dir|--work-tree|--namespace)$/.test(value)) at++;
  }
  return { moves, elsewhere, subcommand: values[at] ?? '', rest: values.slice(at + 1) };
}

const ALWAYS = new Set(['grep', 'archive', 'format-patch', 'fast-export', 'checkout-index']);
const UNLESS_SHORT = new Set(['diff', 'show', 'difftool', 'range-diff']);
const WHEN_ASKED = new Set(
  'log whatchanged reflog stash diff-tree diff-index diff-files status'.split(' '),
);
const PATCH =
  /^(?:-[a-zA-Z0-9]*[puU]|--patch|--unified|--word-diff|--color-words|-L|-c$|--cc$|--full-diff|--verbose$|-vv?$|--patch-with)/;
const SHORT =
  /^(?:-s$|--no-patch$|--stat|--numstat|--shortstat|--dirstat|--summary|--name-only|--name-status|--raw|--quiet|--compact-summary)/;

function showsContents({ subcommand, rest }: GitCall): boolean {
  if (ALWAYS.has(subcommand)) return true;
  const patch = rest.some((word) => PATCH.test(word));
  if (WHEN_ASKED.has(subcommand)) return patch;
  if (!UNLESS_SHORT.has(subcommand)) return false;
  const words = rest.filter((word) => !word.startsWith('-'));
  // `revision:file` is judged by the name of the file.
  const named =
    subcommand === 'show' && words.length > 0 && words.every((word) => word.includes(':'));
  return !named && (patch || !rest.some((word) => SHORT.test(word)));
}

/** Tracked files that are shown; undefined when they cannot be told. */
function filesShown(directory: string, { rest }: GitCall): readonly string[] | undefined {
  const place = repositoryOf(directory);
  if (place === 'none') return [];
  const names = place === undefined ? undefined : trackedFiles(place);
  if (place === undefined || names === undefined) return undefined;
  const files = names.map((name) => path.join(place.tree, name));
  const limits = pathsIn(rest, directory);
  return limits.length === 0 ? files : files.filter((file) => limits.some(isIn(file)));
}

const isIn = (file: string) => (limit: string) =>
  file === limit || file.startsWith(withSlash(limit));

/** Words that limit a command to some files: those after `--`, and those that are there. */
function pathsIn(rest: readonly string[], directory: string): readonly string[] {
  const marked = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [];
  const plain = marked.every((word) => !/^:|[*?[]/.test(word)) ? marked : ['.'];
  const there = rest.filter(
    (word) => word !== '' && !word.startsWith('-') && pathExists(path.resolve(directory, word)),
  );
  return [...plain, ...there].map((word) => path.resolve(directory, word));
}

function repositoryOf(directory: string): RepositoryPlace | 'none' | undefined {
  try {
    return findRepository(directory) ?? 'none';
  } catch (error) {
    if (error instanceof ReadOnlyRefusal) return undefined;
    throw error;
  }
}
