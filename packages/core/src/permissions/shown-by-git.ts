import path from 'node:path';
import { pathExists } from './paths/file-status.ts';
import { withSlash } from './paths/roots.ts';
import { trackedFiles } from './read-only/git-index.ts';
import { findRepositoryPlace, type RepositoryPlace } from './read-only/git-place.ts';
import { ReadOnlyRefusal } from './read-only/refusal.ts';
import type { PermissionRule } from './rule.ts';
import type { PathRule } from './rule-set.ts';
import { programOf } from './shell/program-name.ts';
import type { ShellPart } from './shell/shell-word.ts';

/** The read rule that a git command may violate: it prints contents, and git tracks a matching file. */
export function shownByGit(
  part: ShellPart,
  bases: readonly string[],
  rules: readonly PathRule[],
): PermissionRule | undefined {
  if (rules.length === 0) return undefined;
  const call = gitCall(part);
  if (call === undefined) return undefined;
  const showsTracked = showsContents(call);
  for (const base of bases) {
    const directory = path.resolve(base, ...call.moves);
    const named = namedFiles(directory, call);
    const tracked = showsTracked ? filesShown(directory, call) : [];
    const files =
      call.namesRepository || tracked === undefined ? undefined : [...named, ...tracked];
    if (files === undefined) return rules[0]?.rule;
    const matched = rules.find(({ pattern }) =>
      files.some((file) => pattern.matches({ literal: file, real: file })),
    );
    if (matched !== undefined) return matched.rule;
  }
  return undefined;
}

/** Whether a part is a git command that prints file contents. */
export function showsFilesOfGit(part: ShellPart): boolean {
  const call = gitCall(part);
  return call !== undefined && showsContents(call);
}

function gitCall(part: ShellPart): GitCall | undefined {
  if (programOf(part.words[0]?.value ?? '') !== 'git') return undefined;
  return readCall(part.words.slice(1).map((word) => word.value ?? ''));
}

/** The files of `revision:file`, `:file` and `:0:file`, relative to the root of the working tree. */
function namedFiles(directory: string, { rest }: GitCall): readonly string[] {
  const names = rest.flatMap((word) => {
    const name = /^(?::[0-3]:|[^:]*:)(.+)$/s.exec(withoutBraces(word))?.[1];
    return name === undefined || word.startsWith('-') ? [] : [name];
  });
  if (names.length === 0) return [];
  const place = repositoryOf(directory);
  const root = place === undefined || place === 'none' ? directory : place.workTree;
  return names.map((name) => path.resolve(/^\.\.?\//.test(name) ? directory : root, name));
}

/** `HEAD@{10:00}` and `HEAD^{/a:b}` name commits. */
function withoutBraces(word: string): string {
  return word.replaceAll(/\{[^}]*\}/g, '');
}

/** `revision:file`, `:file` or `:0:file`; `:/text` names the commit with this message. */
function namesFile(word: string): boolean {
  return !word.startsWith(':/') && withoutBraces(word).includes(':');
}

interface GitCall {
  /** Values of `-C`. */
  readonly moves: readonly string[];
  /** `--git-dir` or `--work-tree` was given. */
  readonly namesRepository: boolean;
  readonly subcommand: string;
  readonly rest: readonly string[];
}

function readCall(values: readonly string[]): GitCall {
  const moves: string[] = [];
  let namesRepository = false;
  let at = 0;
  for (; values[at]?.startsWith('-') === true; at++) {
    const value = values[at] ?? '';
    namesRepository ||= /^--(?:git-dir|work-tree)\b/.test(value);
    if (value === '-C') moves.push(values[++at] ?? '');
    else if (/^(?:-c|--git-dir|--work-tree|--namespace)$/.test(value)) at++;
  }
  return { moves, namesRepository, subcommand: values[at] ?? '', rest: values.slice(at + 1) };
}

const ALWAYS_SHOWS = new Set([
  'grep',
  'archive',
  'format-patch',
  'fast-export',
  'checkout-index',
  'merge-tree',
  'unpack-file',
  'clone',
]);
const SHOWS_UNLESS_SUMMARY = new Set(['diff', 'show', 'difftool', 'range-diff']);
const SHOWS_WITH_PATCH = new Set(
  'log whatchanged reflog stash diff-tree diff-index diff-files status request-pull am rebase'.split(
    ' ',
  ),
);
const PATCH_LETTERS = /^(?:-[a-zA-Z0-9]*[puU]|-L|-c$|-vv?$)/;
/** Git accepts any unambiguous prefix of these names. */
const PATCH_NAMES =
  '--patch --patch-with-raw --patch-with-stat --unified --word-diff --color-words --cc --dd --full-diff --binary --check --remerge-diff --diff-merges --show-current-patch --verbose'.split(
    ' ',
  );
const SUMMARY_OPTION =
  /^(?:-s$|--no-patch$|--stat|--numstat|--shortstat|--dirstat|--summary|--name-only|--name-status|--raw|--quiet|--compact-summary)/;

function asksForPatch(word: string): boolean {
  if (!word.startsWith('--') || word === '--') return PATCH_LETTERS.test(word);
  const [name = ''] = word.split('=', 1);
  return PATCH_NAMES.some((known) => known.startsWith(name));
}

/** An object hash may refer to any file in the history. */
const OBJECT = /^[0-9a-f]{4,64}$/i;

function showsContents({ subcommand, rest }: GitCall): boolean {
  if (ALWAYS_SHOWS.has(subcommand)) return true;
  if (subcommand === 'cat-file') return catsUnnamed(rest);
  if (subcommand === 'worktree') return rest[0] === 'add';
  const patch = rest.some(asksForPatch);
  if (SHOWS_WITH_PATCH.has(subcommand)) return patch;
  if (!SHOWS_UNLESS_SUMMARY.has(subcommand)) return false;
  const words = rest.filter((word) => !word.startsWith('-'));
  if (words.some((word) => OBJECT.test(word))) return true;
  // `revision:file` is checked by its file name.
  const named = subcommand === 'show' && words.length > 0 && words.every(namesFile);
  return !named && (patch || !rest.some((word) => SUMMARY_OPTION.test(word)));
}

/** Types, sizes and commits are not file contents, and `revision:file` is checked by name. */
function catsUnnamed(rest: readonly string[]): boolean {
  if (rest.some((word) => /^-[tse]$/.test(word))) return false;
  const objects = rest.filter((word) => !/^-|^(?:commit|tree|tag|blob)$/.test(word));
  const isKnown = (word: string) => namesFile(word) || /^HEAD[~^\d]*(?:\^\{\w+\})?$/.test(word);
  return objects.length === 0 || !objects.every(isKnown);
}

/** Tracked files that are printed; undefined when they cannot be determined. */
function filesShown(
  directory: string,
  { rest, subcommand }: GitCall,
): readonly string[] | undefined {
  const place = repositoryOf(directory);
  if (place === 'none') return [];
  const names = place === undefined ? undefined : trackedFiles(place);
  if (place === undefined || names === undefined || subcommand === 'cat-file') return undefined;
  const files = names.map((name) => path.join(place.workTree, name));
  const isUnlimited = rest.some((word) => OBJECT.test(word) || /^--full-d/.test(word));
  const limits = isUnlimited ? [] : pathsIn(rest, directory);
  return limits.length === 0 ? files : files.filter((file) => limits.some(isIn(file)));
}

const isIn = (file: string) => (limit: string) =>
  file === limit || file.startsWith(withSlash(limit));

/** Words that limit a command to some files: those after `--`, and existing paths. */
function pathsIn(rest: readonly string[], directory: string): readonly string[] {
  const marked = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [];
  const plain = marked.every((word) => !/^:|[*?[]/.test(word)) ? marked : ['.'];
  const existing = rest.filter(
    (word) => word !== '' && !word.startsWith('-') && pathExists(path.resolve(directory, word)),
  );
  return [...plain, ...existing].map((word) => path.resolve(directory, word));
}

function repositoryOf(directory: string): RepositoryPlace | 'none' | undefined {
  try {
    return findRepositoryPlace(directory) ?? 'none';
  } catch (error) {
    if (error instanceof ReadOnlyRefusal) return undefined;
    throw error;
  }
}
