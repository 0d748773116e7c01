/** Whether these words after `git` can only look. */
export function isReadOnlyGit(args: readonly string[]): boolean {
  const start = skipGlobalOptions(args);
  const [subcommand = '', ...rest] = args.slice(start);
  if (rest.some((arg) => REFUSED.test(arg))) return false;
  if (PLAIN.has(subcommand)) return true;
  return Object.hasOwn(GUARDED, subcommand) && GUARDED[subcommand]?.(rest) === true;
}

const PLAIN = new Set([
  'status',
  'log',
  'diff',
  'show',
  'blame',
  'shortlog',
  'describe',
  'rev-parse',
  'ls-files',
  'ls-tree',
  'cat-file',
  'rev-list',
  'name-rev',
  'merge-base',
  'count-objects',
  'for-each-ref',
  'whatchanged',
  'grep',
  'check-ignore',
  'version',
  '--version',
  'diff-tree',
  'show-ref',
  'cherry',
]);

/** Options by which a looking command writes a file or starts a program; git accepts any clear beginning. */
const REFUSED = /^(?:--(?:out|ext|textc|filt|exec|upl|rec|ope|no-ind)|-O)/;

const GUARDED: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  branch: (args) =>
    args.every((arg) =>
      /^(?:-[arv]+|--(?:list|all|remotes|show-current|verbose|merged|no-merged))$/.test(arg),
    ),
  tag: (args) => args.length === 0 || /^(?:-l|--list)$/.test(args[0] ?? ''),
  remote: (args) =>
    args.length === 0 || (args.length === 1 && args[0] === '-v') || args[0] === 'get-url',
  stash: (args) => args[0] === 'list' || args[0] === 'show',
  config: (args) => /^(?:--get|--get-all|--list|-l|get|list)$/.test(args[0] ?? ''),
  reflog: (args) =>
    args.length === 0 || args[0] === 'show' || args.every((arg) => /^-n?\d*$/.test(arg)),
  worktree: (args) => args[0] === 'list',
  submodule: (args) => args.length === 1 && args[0] === 'status',
};

const HARMLESS_GLOBAL = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']);

/** `-c`, `--exec-path` and the like may start programs: they stop the search, and no subcommand is found. */
function skipGlobalOptions(args: readonly string[]): number {
  let index = 0;
  while (HARMLESS_GLOBAL.has(args[index] ?? '') || args[index] === '-C') {
    index += args[index] === '-C' ? 2 : 1;
  }
  return index;
}
