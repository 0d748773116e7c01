import type { ProgramDeclaration } from '../read-only/declaration.ts';
import { programDeclarations } from '../read-only/program-table.ts';
import { programOf } from './program-name.ts';
import type { ShellPart, ShellWord } from './shell-word.ts';

/** The files that a part names; words that are not files do no harm in these lists. */
export interface FileAccess {
  /** Every argument that the program may read as a file. */
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  /** Files whose content the program prints or copies. */
  readonly contents: readonly ShellWord[];
  /** A file reader has arguments known only at run time; unknown words of other programs do not count. */
  readonly unknownReads: boolean;
  /** It reads the given directories, or the working directory, recursively. */
  readonly recursive: boolean;
  /** It certainly names where to search, so the working directory is not read. */
  readonly searchesNamed: boolean;
}

export function accessOf(part: ShellPart): FileAccess {
  const [first, ...args] = part.words;
  const name = programOf(first?.value ?? '');
  const fromRedirects = (kind: 'read' | 'write') =>
    part.redirects.filter((each) => each.kind === kind).map((each) => each.word);
  const redirected = fromRedirects('read');
  const candidates = FILE_READERS.has(name) ? [...redirected, ...args] : redirected;
  return {
    reads: [
      ...redirected,
      ...(NO_FILES.has(name) ? [] : args.flatMap(filesIn)),
      ...filesInScripts(name, args),
    ],
    contents: candidates.filter((word) => word.value?.startsWith('-') === false),
    unknownReads:
      candidates.some((word) => word.value === undefined) ||
      args.some((word) => namesList(name, word)),
    writes: [...fromRedirects('write'), ...writtenBy(name, args)],
    recursive: isRecursive(name, args),
    searchesNamed: SEARCHES.has(name) && namesPlace(name, args),
  };
}

/** Programs whose arguments are text, not files. */
const NO_FILES = new Set([
  'echo',
  'printf',
  'true',
  'false',
  ':',
  'test',
  '[',
  'sleep',
  'exit',
  'seq',
  'export',
  'cd',
  'pushd',
  'mkdir',
  'which',
  'type',
  'kill',
  'basename',
  'dirname',
  'expr',
  'set',
]);

/** Programs that read the content of their file arguments. */
const FILE_READERS = new Set(
  `cat head tail less more bat tac nl rev grep egrep fgrep zgrep rg ag ack sed gsed awk gawk cut paste sort uniq wc
  diff cmp comm jq yq xxd od hexdump strings base64 base32 md5sum sha256sum cp mv scp rsync tar zip gzip dd curl
  wget source . openssl gpg vi vim nano column fold fmt file`.split(/\s+/),
);

/** The word itself, the value of `--name=value` and `-nvalue`, and what follows `@` (curl) and `ref:` (git). */
function filesIn(word: ShellWord): readonly ShellWord[] {
  const { value } = word;
  if (value === undefined) return [word];
  const attached = /^(?:--?[\w-]+=|[a-z]+=|@|[^/:]*:(?!\/\/)|-[a-zA-Z])(.+)$/s.exec(value)?.[1];
  const files = value.startsWith('-') ? [] : [word];
  return attached === undefined
    ? files
    : [...files, { ...word, value: attached.replace(/^@/, '') }];
}

/** Whether an option names a file that lists the files to read. */
function namesList(name: string, { value = '' }: ShellWord): boolean {
  return /^--?files/.test(value) || (READS_LISTS.has(name) && /^--f(?!ie)/.test(value));
}

/** Programs with `--files0-from`, which may be abbreviated. */
const READS_LISTS = new Set(['sort', 'wc', 'du']);

/** `r file` in a sed script, and strings in an awk program, which may be names for `getline`. */
const NAMED_IN_SCRIPT: ReadonlyMap<string, RegExp> = new Map([
  ...['sed', 'gsed'].map((name) => [name, /[rR][ \t]*([^\s;}]+)/g] as const),
  ...['awk', 'gawk', 'mawk'].map((name) => [name, /"([^"\n]+)"/g] as const),
]);

function filesInScripts(name: string, args: readonly ShellWord[]): readonly ShellWord[] {
  const named = NAMED_IN_SCRIPT.get(name);
  if (named === undefined) return [];
  return args.flatMap((word) =>
    [...(word.value ?? '').matchAll(named)].map(([, value]) => ({ raw: word.raw, value })),
  );
}

/** Programs that change every file they are given. */
const CHANGES_ALL = new Set([
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'touch',
  'truncate',
  'tee',
  'mv',
  'chmod',
  'chown',
  'chgrp',
  'mkdir',
  'mkfifo',
  'mknod',
  'ln',
  'patch',
  'vi',
  'vim',
  'nvim',
  'nano',
  'ed',
  'ex',
  'emacs',
  'gzip',
  'gunzip',
  'bzip2',
  'xz',
  'split',
  'setfacl',
  'chattr',
  'sponge',
]);
/** Programs that change the last file they are given. */
const CHANGES_LAST = new Set(['cp', 'install', 'rsync', 'scp', 'ditto']);
const GIT_CHANGES = new Set(['checkout', 'restore', 'rm', 'mv', 'apply', 'clean', 'switch']);

function writtenBy(name: string, args: readonly ShellWord[]): readonly ShellWord[] {
  const files = args.flatMap(filesIn);
  if (CHANGES_ALL.has(name) || changesInPlace(name, args)) return files;
  const outputs = outputOptions(args);
  if (CHANGES_LAST.has(name)) return [...outputs, ...files.slice(-1), ...targetDirectory(args)];
  if (name === 'git' && args.some((arg) => GIT_CHANGES.has(arg.value ?? ''))) return files;
  if (name === 'dd')
    return args.filter((arg) => arg.value?.startsWith('of=') !== false).flatMap(filesIn);
  return name === 'find' || name === 'gfind' ? [...outputs, ...deletedBy(args)] : outputs;
}

function changesInPlace(name: string, args: readonly ShellWord[]): boolean {
  const option = name === 'sed' || name === 'gsed' || name === 'perl' || name === 'ruby';
  return option && args.some((arg) => /^(?:-[a-zA-Z]*i|--in-place)/.test(arg.value ?? ''));
}

function outputOptions(args: readonly ShellWord[]): readonly ShellWord[] {
  return args.flatMap((arg, index) => {
    const value = arg.value ?? '';
    if (
      /^(?:-o|-O|--output|--out|--outfile|--output-file|--output-document|-fprint|-fprintf|-fls)$/.test(
        value,
      )
    ) {
      return args.slice(index + 1, index + 2);
    }
    const attached = /^(?:--out[\w-]*=|-[oO](?=[\w./~]))(.+)$/.exec(value)?.[1];
    return attached === undefined ? [] : [{ ...arg, value: attached }];
  });
}

function targetDirectory(args: readonly ShellWord[]): readonly ShellWord[] {
  return args.flatMap((arg, index) => {
    if (arg.value === '-t' || arg.value === '--target-directory')
      return args.slice(index + 1, index + 2);
    return arg.value?.startsWith('--target-directory=') === true ? filesIn(arg) : [];
  });
}

function deletedBy(args: readonly ShellWord[]): readonly ShellWord[] {
  return args.some((arg) => arg.value === '-delete') ? args.flatMap(filesIn) : [];
}

const ALWAYS_RECURSIVE = new Set(['rg', 'ag', 'ack', 'tar', 'rsync', 'zip', 'find', 'gfind']);
/** Also `grep -d recurse`; GNU programs accept abbreviated names. */
const RECURSIVE_OPTION = /^(?:-[a-zA-Z0-9]*[rRad]|--(?:rec|arc|d))/;
const RECURSIVE_WITH_OPTION = new Set(['grep', 'egrep', 'fgrep', 'cp', 'scp', 'diff', 'zgrep']);

const SEARCHES = new Set(['grep', 'egrep', 'fgrep', 'rg']);

/** Whether the words name a path besides the pattern; false when an option is not declared. */
function namesPlace(name: string, args: readonly ShellWord[]): boolean {
  const declaration = programDeclarations().get(name);
  if (declaration === undefined) return false;
  let words = 0;
  let isPatternGiven = false;
  for (let at = 0; at < args.length; at++) {
    const option = readOption(args[at], declaration);
    if (option === undefined) return false;
    if (option === WORD) words++;
    isPatternGiven ||= /^(?:-e|--regexp|--files)$/.test(option.name);
    if (option.takesNext) at++;
  }
  return words > (isPatternGiven ? 0 : 1);
}

/** Undefined when it is not declared; `--` is not either, so such a search counts as reading everything. */
function readOption(
  word: ShellWord | undefined,
  declaration: ProgramDeclaration,
): ReadOption | undefined {
  if (word?.value === undefined || word.glob === true) return undefined;
  const isOption = word.value.startsWith('-') && word.value !== '-';
  return isOption ? lastOption(word.value, declaration) : WORD;
}

interface ReadOption {
  readonly name: string;
  readonly takesNext: boolean;
}

const WORD: ReadOption = { name: '', takesNext: false };

/** The last option of a word with combined letters; undefined when one of them is not declared. */
function lastOption(
  word: string,
  { flags, letters, longs, number }: ProgramDeclaration,
): ReadOption | undefined {
  const [long = '', text] = word.split('=', 2);
  if (long.startsWith('--')) {
    const value = longs.get(long.slice(2));
    if (value === undefined) return undefined;
    return { name: long, takesNext: value !== null && !value.joined && text === undefined };
  }
  if (number && /^-\d+$/.test(word)) return { name: word, takesNext: false };
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] ?? '';
    const value = letters.get(letter);
    const isLast = at === word.length - 1;
    if (value !== undefined) return { name: `-${letter}`, takesNext: isLast && !value.joined };
    if (!flags.has(letter)) return undefined;
  }
  return { name: word, takesNext: false };
}

/** Listing names is not reading; `find` reads only through the programs it starts or feeds. */
function isRecursive(name: string, args: readonly ShellWord[]): boolean {
  if (name === 'find' || name === 'gfind')
    return args.some((arg) => /^-(?:exec|print0$)/.test(arg.value ?? ''));
  if (name === 'git') return args.some((arg) => /^--(?:untracked|no-index)$/.test(arg.value ?? ''));
  if (ALWAYS_RECURSIVE.has(name)) return true;
  return (
    RECURSIVE_WITH_OPTION.has(name) && args.some((arg) => RECURSIVE_OPTION.test(arg.value ?? ''))
  );
}
