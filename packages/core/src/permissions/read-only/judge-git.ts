import { realPath } from '../paths/resolve-path.ts';
import type { ProgramDeclaration } from './declaration.ts';
import { linkedFolder, mayTrackModules } from './git-index.ts';
import { findRepositoryPlace } from './git-place.ts';
import { checkRepository } from './git-repository.ts';
import { gitDeclarations } from './git-table.ts';
import { plainValues } from './judge-word.ts';
import { matchArguments } from './match-arguments.ts';
import { checkImplicitFiles } from './project-files.ts';
import { refuse } from './refusal.ts';
import type { JudgedWord, JudgementScope } from './scope.ts';
import { quoteWord } from './shell-quote.ts';
import { readablePaths } from './walk-path.ts';

/** Variables that would make git use another repository than the one that was checked. */
const REPOSITORY_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_COMMON_DIR',
  'GIT_EXEC_PATH',
  'GIT_CONFIG_PARAMETERS',
];

export function overridesRepository(
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return REPOSITORY_VARIABLES.some((variable) => environment[variable] !== undefined);
}

/** Renders a read-only git command in a repository whose settings start no program. */
export function judgeGit(
  name: string,
  words: readonly JudgedWord[],
  scope: JudgementScope,
): string {
  const values = plainValues(name, words);
  const inner = scope.inner();
  const at = globalOptions(values, inner);
  const [subcommand = '', ...rest] = values.slice(at);
  if (subcommand === '--version' && rest.length === 0 && at === 0)
    return `${quoteWord(name)} --version`;
  const declaration = gitDeclarations().get(subcommand);
  if (declaration === undefined) return refuse(`git ${subcommand} is not among what only looks`);
  if (scope.policy.gitAsks)
    return refuse('the workspace is not trusted, and git runs what a repository names');
  if (overridesRepository(scope.policy.environment))
    return refuse('git is pointed to another repository by its environment');
  checkImplicitFiles(name, inner);
  const places = inner.directories.map((directory) => repositoryAt(directory, scope));
  if (subcommand === 'diff' && places.includes('none')) refuse('git diff outside a repository');
  if (READS_FILES.has(subcommand)) inner.directories.forEach(checkFolders);
  matchSubcommand(declaration, rest, inner);
  scope.startsGit = true;
  if (rest.some((word) => word.startsWith('--dirty'))) inner.directories.forEach(checkModules);
  const quiet = SHOWS_CHANGES.has(subcommand) ? ['--no-ext-diff', '--no-textconv'] : [];
  const own = COMPARES_FILES.has(subcommand) ? ['--ignore-submodules=all'] : [];
  return [name, ...values.slice(0, at), subcommand, ...quiet, ...own, ...rest]
    .map(quoteWord)
    .join(' ');
}

/** Tracked files would be read through a directory that became a link. */
function checkFolders(directory: string): void {
  const place = findRepositoryPlace(directory);
  const link = place === undefined ? undefined : linkedFolder(place);
  if (link !== undefined) refuse(`the tracked directory ${link} is a link or cannot be known`);
}

/** Git would start itself in each submodule, with the settings found there, and has no option against it here. */
function checkModules(directory: string): void {
  const place = findRepositoryPlace(directory);
  if (place !== undefined && mayTrackModules(place)) refuse('git would look into submodules');
}

/** Each directory is checked once per command. */
function repositoryAt(
  directory: string,
  { totals, policy }: JudgementScope,
): 'repository' | 'none' {
  const mayRead = (literal: string) => policy.mayRead({ literal, real: realPath(literal) });
  const known = totals.repositories.get(directory) ?? checkRepository(directory, mayRead);
  totals.repositories.set(directory, known);
  return known;
}

/** Subcommands that open tracked files by name. */
const READS_FILES = new Set(['grep', 'blame']);

const SHOWS_CHANGES = new Set([
  'diff',
  'log',
  'show',
  'whatchanged',
  'diff-tree',
  'diff-index',
  'diff-files',
]);

/**
 * Subcommands that compare files with the index. Git would start itself in each submodule, with the settings found there;
 * `.gitmodules` can undo a setting against it, but not an option.
 */
const COMPARES_FILES = new Set(['status', 'diff', 'diff-index', 'diff-files']);

/** How many words precede the subcommand; `-C` changes the directory. */
function globalOptions(values: readonly string[], scope: JudgementScope): number {
  let at = 0;
  for (; at < values.length; at++) {
    const value = values[at] ?? '';
    if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(value)) continue;
    if (value !== '-C') break;
    const target = values[++at] ?? refuse('git -C goes nowhere');
    scope.directories = [...new Set(readablePaths(target, scope).map((each) => each.real))];
  }
  return at;
}

function matchSubcommand(
  declaration: ProgramDeclaration,
  rest: readonly string[],
  scope: JudgementScope,
): void {
  const lists = LISTING[declaration.name];
  if (lists !== undefined && !lists(rest))
    refuse(`git ${declaration.name} may change something here`);
  const words = rest.map((value) => ({ values: [value], text: quoteWord(value) }));
  const verb = VERB_FIRST.has(declaration.name) ? 1 : 0;
  const named = { ...declaration, name: `git ${declaration.name}` };
  matchArguments(named, words.slice(Math.min(verb, words.length)), { scope });
}

/** Subcommands whose first word is an action, checked by `LISTING`. */
const VERB_FIRST = new Set(['stash']);

const has = (rest: readonly string[], pattern: RegExp) => rest.some((value) => pattern.test(value));
const names = (rest: readonly string[]) => rest.filter((value) => !value.startsWith('-'));

/** For subcommands that either list or change something: whether these words list. */
const LISTING: Readonly<Record<string, (rest: readonly string[]) => boolean>> = {
  branch: (rest) =>
    (names(rest).length === 0 ||
      has(rest, /^(?:-\w*l\w*|--list|--(?:no-)?merged|--(?:no-)?contains|--points-at)/)) &&
    !has(rest, /^--(?:sort|format|color|column|points-at|abbrev)$/),
  tag: (rest) =>
    (names(rest).length === 0 || has(rest, /^(?:-l|--list)$/)) &&
    !has(rest, /^--(?:sort|format|points-at)$/),
  remote: (rest) =>
    names(rest).length === 0 ||
    (rest[0] === 'get-url' && rest.length === 2 && /^\w/.test(rest[1] ?? '')),
  stash: (rest) => rest[0] === 'list' || rest[0] === 'show',
  config: (rest) => {
    const asked = names(rest).filter((value) => value !== 'get');
    const get = has(rest, /^(?:--get|--get-all)$/) || rest[0] === 'get';
    const single = asked.length === 1 && SHOWN_SETTING.test(asked[0] ?? '');
    return single && (rest.length === 1 || (get && rest.length === 2));
  },
  reflog: (rest) => rest[0] === undefined || rest[0] === 'show' || rest[0].startsWith('-'),
  worktree: (rest) => rest[0] === 'list',
};

/** Settings that contain no password. */
const SHOWN_SETTING =
  /^(?:user\.(?:name|email)|remote\.[\w.-]+\.url|branch\.[\w./-]+\.\w+|init\.defaultbranch|(?:core|pull|push)\.\w+)$/i;
