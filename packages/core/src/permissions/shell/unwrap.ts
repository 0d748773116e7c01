import { PROGRAM_VARIABLE, steersShell } from './evaluating-syntax.ts';
import type { ShellWord } from './shell-word.ts';
import { unwrapGit } from './unwrap-git.ts';
import { unwrapLauncher } from './unwrap-launchers.ts';
import { unwrapShell } from './unwrap-shell.ts';
import { opaque, RUN_TIME_TEXT, scriptOf, type Unwrapped } from './unwrapped.ts';
import { isAssignment, skipOwnWords } from './wrapper-words.ts';
import { LOADER, SHELLS, type Wrapper, wrapperOf } from './wrappers.ts';

/** Unwraps one layer of a program that starts another; undefined when it starts none. */
export function unwrap(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  if (SHELLS.has(name)) return unwrapShell(args);
  if (LOADER.test(name)) return opaque('covering', 'the loader starts any program');
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name]?.(args);
  const wrapper = wrapperOf(name);
  return wrapper === undefined ? unwrapLauncher(name, args) : unwrapWith(name, wrapper, args);
}

type Unwrapping = (args: readonly ShellWord[]) => Unwrapped | undefined;

/** Programs with their own syntax for the command. */
const SPECIAL: Readonly<Record<string, Unwrapping>> = {
  eval: (args) => scriptOf(args[0]?.value === '--' ? args.slice(1) : args, 'transparent'),
  ssh: (args) => unwrapSsh(args),
  source: unwrapSource,
  '.': unwrapSource,
  trap: unwrapTrap,
  alias: unwrapAlias,
  su: (args) => unwrapOption(args) ?? opaque('covering', 'it starts a shell'),
  newgrp: (args) => unwrapOption(args) ?? opaque('covering', 'it starts a shell'),
  script: unwrapOption,
  runuser: (args) => unwrapOption(args) ?? unwrapNamed('runuser', args),
  flock: (args) => unwrapOption(args) ?? unwrapNamed('flock', args),
  find: (args) => unwrapExec(args, FIND_EXEC),
  gfind: (args) => unwrapExec(args, FIND_EXEC),
  fd: (args) => unwrapExec(args, FD_EXEC),
  fdfind: (args) => unwrapExec(args, FD_EXEC),
  git: unwrapGit,
  npx: (args) => unwrapRunner(args),
  bunx: (args) => unwrapRunner(args),
  npm: (args) => unwrapSubcommand(args, ['exec', 'x']),
  pnpm: (args) => unwrapSubcommand(args, ['exec', 'dlx']),
  yarn: (args) => unwrapSubcommand(args, ['exec', 'dlx']),
  bundle: (args) => unwrapSubcommand(args, ['exec']),
  poetry: (args) => unwrapSubcommand(args, ['run']),
  pipenv: (args) => unwrapSubcommand(args, ['run']),
  uv: (args) => unwrapSubcommand(args, ['run']),
};

/** The remote command, and local commands started by options. */
function unwrapSsh(args: readonly ShellWord[]): Unwrapped | undefined {
  const [remote, local] = [unwrapNamed('ssh', args), unwrapLauncher('ssh', args)];
  if (remote === undefined || local === undefined) return remote ?? local;
  return {
    role: 'separate',
    commands: [...remote.commands, ...local.commands],
    scripts: [...remote.scripts, ...local.scripts],
    ...((remote.opaque ?? local.opaque) ? { opaque: remote.opaque ?? local.opaque ?? '' } : {}),
  };
}

const FIND_EXEC = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FD_EXEC = new Set(['-x', '-X', '--exec', '--exec-batch']);

function unwrapNamed(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  const wrapper = wrapperOf(name);
  return wrapper === undefined ? undefined : unwrapWith(name, wrapper, args);
}

function unwrapWith(
  name: string,
  wrapper: Wrapper,
  args: readonly ShellWord[],
): Unwrapped | undefined {
  const split = args.findIndex((word) =>
    /^(?:-[a-zA-Z0-9]*S|--split-string)/.test(word.value ?? ''),
  );
  if (name === 'env' && split !== -1) return unwrapSplitString(args, split);
  const start = skipOwnWords(wrapper, args);
  if (start === 'idle') return undefined;
  if (typeof start === 'object')
    return opaque(wrapper.role, `${name} ${start.option} is not known`);
  const rest = args.slice(start);
  if (rest.length === 0)
    return wrapper.marks.has('TEXT') && name === 'parallel' ? fed(wrapper) : undefined;
  if (wrapper.marks.has('TEXT')) {
    return rest[0]?.value?.startsWith(':::') === true ? fed(wrapper) : scriptOf(rest, wrapper.role);
  }
  const own = args.slice(0, start);
  const command = wrapper.marks.has('INPUT') ? fromInput(own, rest) : rest;
  const carried = own.filter((word) => isAssignment(word.value));
  const role = name === 'env' && carried.length === 0 ? 'transparent' : wrapper.role;
  const steering = carried.find(({ value = '' }) =>
    steersShell(value.slice(0, value.indexOf('='))),
  );
  if (steering !== undefined) return opaque(role, `it sets ${steering.raw}`);
  const scripts = carried.flatMap(({ value = '' }) => programIn(value));
  return { role, commands: [command], scripts };
}

function fed(wrapper: Wrapper): Unwrapped {
  return opaque(wrapper.role, 'it runs whatever its input holds');
}

/** The program in `PAGER=text` and similar. */
function programIn(assignment: string): readonly string[] {
  const [name = '', value = ''] = assignment.split(/=(.*)/s);
  return PROGRAM_VARIABLE.test(name) ? [value] : [];
}

/** Marks words that standard input replaces or adds as unknown. */
function fromInput(own: readonly ShellWord[], rest: readonly ShellWord[]): readonly ShellWord[] {
  const values = own.map((word) => word.value ?? '');
  const at = values.findIndex((value) => /^-[a-zA-Z0-9]*[IiJ]$/.test(value));
  const joined = values.map((value) => /^(?:-[a-zA-Z0-9]*[IiJ]|--replace=)(.+)$/.exec(value)?.[1]);
  const mark =
    joined.find((each) => each !== undefined) ??
    (values.includes('--replace') ? '{}' : undefined) ??
    (at === -1 ? undefined : values[at + 1]);
  const unknown: ShellWord = { raw: '…', value: undefined };
  if (mark === undefined) return [...rest, unknown];
  return rest.map((word) =>
    word.value?.includes(mark || '{}') === true ? { raw: word.raw, value: undefined } : word,
  );
}

function unwrapSplitString(args: readonly ShellWord[], split: number): Unwrapped {
  const value = args[split]?.value ?? '';
  const attached = value.replace(/^(?:-[a-zA-Z0-9]*S|--split-string=?)/, '');
  const words = attached === '' ? args.slice(split + 1) : args.slice(split + 1);
  const texts = [...(attached === '' ? [] : [attached]), ...words.map((word) => word.value)];
  const known = texts.filter((text) => text !== undefined);
  if (known.length < texts.length)
    return opaque('covering', 'the text for env -S is made at run time');
  // `env -S` has its own escapes and variables.
  if (known.some((text) => /[\\$]/.test(text)))
    return opaque('covering', 'env -S changes the text before it runs it');
  return { role: 'covering', commands: [], scripts: [known.join(' ')] };
}

function unwrapSource(args: readonly ShellWord[]): Unwrapped | undefined {
  const file = args[0]?.value;
  const runsInput = file === undefined || file.startsWith('/dev/') || file.startsWith('/proc/');
  if (runsInput) return opaque('separate', 'it runs whatever its input holds');
  // A name without a slash is looked up in PATH.
  return file.includes('/') ? undefined : { role: 'separate', commands: [args], scripts: [] };
}

function unwrapAlias(args: readonly ShellWord[]): Unwrapped | undefined {
  const scripts = args.flatMap((word) => /^[^=]+=(.*)$/s.exec(word.value ?? '')?.[1] ?? []);
  return scripts.length === 0 ? undefined : { role: 'separate', commands: [], scripts };
}

/** `trap 'text' SIGNAL`, also after `--`. */
function unwrapTrap(args: readonly ShellWord[]): Unwrapped | undefined {
  const words = args[0]?.value === '--' ? args.slice(1) : args;
  if (words.length < 2 || words[0]?.value === '-') return undefined;
  return scriptOf(words.slice(0, 1), 'separate');
}

/** `su -c text`, `script -qc text`, `--command=text`. */
function unwrapOption(args: readonly ShellWord[]): Unwrapped | undefined {
  for (const [index, word] of args.entries()) {
    if (word.value === undefined) return opaque('covering', RUN_TIME_TEXT);
    const [found, joined] =
      /^--(?:session-)?c[a-z]*(?:=(.*))?$/s.exec(word.value) ??
      /^-[a-zA-Z]*c(.*)$/s.exec(word.value) ??
      [];
    if (found === undefined) continue;
    const text = joined ? { ...word, value: joined } : args[index + 1];
    return text === undefined ? opaque('covering', RUN_TIME_TEXT) : scriptOf([text], 'covering');
  }
  return undefined;
}

/** Each `-exec … ;` is a separate command; its file names are known only at run time. */
function unwrapExec(
  args: readonly ShellWord[],
  options: ReadonlySet<string>,
): Unwrapped | undefined {
  const commands: ShellWord[][] = [];
  for (let index = 0; index < args.length; index++) {
    if (!options.has(args[index]?.value ?? '')) continue;
    const ends = args.findIndex((word, at) => at > index && [';', '+'].includes(word.value ?? ''));
    const words = args.slice(index + 1, ends === -1 ? args.length : ends);
    commands.push(
      words.map((word) =>
        word.value?.includes('{}') === true ? { raw: word.raw, value: undefined } : word,
      ),
    );
  }
  return commands.length === 0 ? undefined : { role: 'separate', commands, scripts: [] };
}

/** `npm exec -- command`, `npm exec -c 'text'`. */
function unwrapSubcommand(
  args: readonly ShellWord[],
  subcommands: readonly string[],
): Unwrapped | undefined {
  const at = args.findIndex((word) => word.value?.startsWith('-') !== true);
  if (!subcommands.includes(args[at]?.value ?? '')) return undefined;
  return unwrapRunner(args.slice(at + 1));
}

/** The command of `npx` and similar runners: after their options, or as text. */
function unwrapRunner(args: readonly ShellWord[]): Unwrapped | undefined {
  const call = args.findIndex((word) => /^(?:-c|--call)$/.test(word.value ?? ''));
  const joined = args.map((word) => /^--call=(.*)$/s.exec(word.value ?? '')?.[1]).find(Boolean);
  if (joined !== undefined) return { role: 'covering', commands: [], scripts: [joined] };
  if (call !== -1) return scriptOf(args.slice(call + 1, call + 2), 'covering');
  // A runner's option may take a word, so every word that could be the command is checked.
  const starts = args.flatMap((word, index) =>
    word.value?.startsWith('-') === true ? [] : [index],
  );
  const commands = starts.slice(0, MAX_STARTS).map((index) => args.slice(index));
  return commands.length === 0 ? undefined : { role: 'covering', commands, scripts: [] };
}

const MAX_STARTS = 3;
