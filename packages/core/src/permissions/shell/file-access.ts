import { programOf } from './program-name.ts';
import type { ShellPart, ShellWord } from './shell-word.ts';

/** The files that a part names; a word that is no file at all does no harm in a list like this. */
export interface FileAccess {
  /** Anything the program is given may be read by it. */
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  /** Files whose content the program is there to show. */
  readonly contents: readonly ShellWord[];
  /** Names of files to be read that only running can tell; other programs' unknown words are not suspected. */
  readonly unknownReads: boolean;
  /** It reads all of a directory that it is given, or of the one it stands in. */
  readonly recursive: boolean;
}

export function accessOf(part: ShellPart): FileAccess {
  const [first, ...args] = part.words;
  const name = programOf(first?.value ?? '');
  const fromRedirects = (kind: 'read' | 'write') =>
    part.redirects.filter((each) => each.kind === kind).map((each) => each.word);
  const redirected = fromRedirects('read');
  const suspected = FILE_READERS.has(name) ? [...redirected, ...args] : redirected;
  return {
    reads: [...redirected, ...(NO_FILES.has(name) ? [] : args.flatMap(filesIn))],
    contents: suspected.filter((word) => word.value?.startsWith('-') === false),
    unknownReads: suspected.some((word) => word.value === undefined),
    writes: [...fromRedirects('write'), ...writtenBy(name, args)],
    recursive: isRecursive(name, args),
  };
}

/** Their words are text, not files. */
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

/** Programs whose whole business is the content of the files they are given. */
const FILE_READERS = new Set(
  `cat head tail less more bat tac nl rev grep egrep fgrep zgrep rg ag ack sed gsed awk gawk cut paste sort uniq wc
  diff cmp comm jq yq xxd od hexdump strings base64 base32 md5sum sha256sum cp mv scp rsync tar zip gzip dd curl
  wget source . openssl gpg vi vim nano column fold fmt file`.split(/\s+/),
);

/** The word itself, the value of `--name=value` and `-nvalue`, what follows `@` (curl) and `ref:` (git). */
function filesIn(word: ShellWord): readonly ShellWord[] {
  const { value } = word;
  if (value === undefined) return [word];
  const attached = /^(?:--?[\w-]+=|[a-z]+=|@|[^/:]*:(?!\/\/)|-[a-zA-Z])(.+)$/s.exec(value)?.[1];
  const files = value.startsWith('-') ? [] : [word];
  return attached === undefined
    ? files
    : [...files, { ...word, value: attached.replace(/^@/, '') }];
}

/** Every file named is changed. */
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
/** The last file named is changed. */
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
const RECURSIVE_OPTION = /^(?:-[a-zA-Z]*[rRa]|--recursive|--archive)/;
const RECURSIVE_WITH_OPTION = new Set(['grep', 'egrep', 'fgrep', 'cp', 'scp', 'diff', 'zgrep']);

/** Listing names is no reading; `find` reads only through what it starts or feeds. */
function isRecursive(name: string, args: readonly ShellWord[]): boolean {
  if (name === 'find' || name === 'gfind')
    return args.some((arg) => /^-(?:exec|print0$)/.test(arg.value ?? ''));
  if (name === 'git') return args.some((arg) => /^--(?:untracked|no-index)$/.test(arg.value ?? ''));
  if (ALWAYS_RECURSIVE.has(name)) return true;
  return (
    RECURSIVE_WITH_OPTION.has(name) && args.some((arg) => RECURSIVE_OPTION.test(arg.value ?? ''))
  );
}
