/** When a command can only look. Whatever is not listed here has effects, or may have. */
export interface ReadOnlyCommand {
  /** Which words are files: none, all that are no options, or all after the first, which is a pattern. */
  readonly files: 'none' | 'all' | 'after-pattern';
  /** An option that gives the command an effect. */
  readonly refuse?: RegExp;
  /** More files than this and the last one is written. */
  readonly mostFiles?: number;
  /** Values that are known only at run time do no harm. */
  readonly anyValue?: boolean;
  /** A last look at all words after the name. */
  readonly accepts?: (args: readonly string[]) => boolean;
}

const TALK: ReadOnlyCommand = { files: 'none', anyValue: true };
const QUERY: ReadOnlyCommand = { files: 'none' };
const FILES: ReadOnlyCommand = { files: 'all' };
const SEARCH: ReadOnlyCommand = { files: 'after-pattern' };
const VERSION: ReadOnlyCommand = {
  files: 'none',
  accepts: (args) => args.length === 1 && /^(?:--version|-v|-V|version)$/.test(args[0] ?? ''),
};

const table: Record<string, ReadOnlyCommand> = {
  find: { files: 'all', refuse: /^-(?:exec|ok|delete|fprint|fls|files0)/ },
  fd: { files: 'after-pattern', refuse: /^(?:-[a-zA-Z]*[xX]|--exec)/ },
  rg: { files: 'after-pattern', refuse: /^(?:--pre|--hostname-bin|--search-zip|-[a-zA-Z]*z)/ },
  sed: {
    files: 'after-pattern',
    refuse: /^(?:-[a-zA-Z]*[ifs]|--(?:in|fi|se|exp))/,
    accepts: hasHarmlessSedScript,
  },
  sort: { files: 'all', refuse: /^(?:-[a-zA-Z]*[oT]|--(?:o|comp|t|files))/ },
  uniq: { files: 'all', mostFiles: 1 },
  tree: { files: 'all', refuse: /^(?:-[a-zA-Z]*[oR]|--output)/ },
  file: { files: 'all', refuse: /^(?:-[a-zA-Z]*[Cmf]|--(?:comp|mag|files))/ },
  base64: { files: 'all', refuse: /^(?:-[a-zA-Z]*o|--o)/ },
  date: {
    files: 'none',
    accepts: (args) => args.every((arg) => /^(?:\+|-u$|-R$|-I|--iso|--utc|--rfc)/.test(arg)),
  },
  hostname: { files: 'none', accepts: (args) => args.length === 0 },
  command: { files: 'none', accepts: (args) => /^-[vV]$/.test(args[0] ?? '') },
  set: {
    files: 'none',
    accepts: (args) =>
      args.length > 0 && args.every((arg) => /^(?:[-+][euxo]+|pipefail)$/.test(arg)),
  },
  printf: { files: 'none', refuse: /^-v/ },
  cd: { files: 'all', mostFiles: 1 },
};

for (const name of [
  'echo',
  'true',
  'false',
  ':',
  'test',
  '[',
  'sleep',
  'exit',
  'return',
  'break',
  'continue',
  'shift',
  'expr',
])
  table[name] = TALK;
for (const name of [
  'pwd',
  'whoami',
  'id',
  'uname',
  'arch',
  'nproc',
  'uptime',
  'which',
  'type',
  'seq',
  'basename',
  'dirname',
  'tr',
])
  table[name] = QUERY;
for (const name of [
  'ls',
  'cat',
  'head',
  'tail',
  'wc',
  'stat',
  'du',
  'df',
  'nl',
  'tac',
  'rev',
  'cut',
  'paste',
  'column',
  'comm',
  'cmp',
  'diff',
  'md5sum',
  'sha1sum',
  'sha256sum',
  'sha512sum',
  'cksum',
  'hexdump',
  'od',
  'strings',
  'realpath',
  'readlink',
  'fold',
  'fmt',
  'expand',
])
  table[name] = FILES;
for (const name of ['grep', 'egrep', 'fgrep', 'jq']) table[name] = SEARCH;
for (const name of [
  'node',
  'npm',
  'npx',
  'pnpm',
  'yarn',
  'bun',
  'deno',
  'tsc',
  'python',
  'python3',
  'pip',
  'pip3',
  'go',
  'cargo',
  'rustc',
  'java',
  'ruby',
  'gcc',
  'make',
  'docker',
])
  table[name] = VERSION;

/** Programs that need no rule, by name; `git` is in a table of its own. */
export const READ_ONLY_COMMANDS: Readonly<Record<string, ReadOnlyCommand>> = table;

/** Printing lines and plain substitutions; `w`, `e` and `r` write, run and read. */
function hasHarmlessSedScript(args: readonly string[]): boolean {
  const script = args.find((arg) => !arg.startsWith('-')) ?? 'no script';
  return script.split(';').every((each) => SED_PRINT.test(each) || SED_REPLACE.test(each));
}

const SED_PRINT = /^\s*(?:(?:\d+|\$)(?:,(?:\d+|\$))?|\/[^/\\]*\/)?\s*[pdq=]\s*$/;
const SED_REPLACE =
  /^\s*s([/|#,])(?:(?!\1)[^\\\n;]|\\[^\n;])*\1(?:(?!\1)[^\\\n;]|\\[^\n;])*\1[gipI0-9]*\s*$/;
