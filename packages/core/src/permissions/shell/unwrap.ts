import type { ShellPart, ShellWord } from './shell-word.ts';
import { SHELL_VALUES, SHELLS, WRAPPERS, type Wrapper } from './wrappers.ts';

/** What a part starts in turn: words to run, or text for a shell. */
export interface Unwrapped {
  readonly role: NonNullable<ShellPart['role']>;
  readonly commands: readonly (readonly ShellWord[])[];
  readonly scripts: readonly string[];
  readonly opaque?: string;
}

/** Looks through one layer of a program that starts another; undefined when it starts none. */
export function unwrap(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  if (SHELLS.has(name)) return unwrapShell(args);
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name]?.(args);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  return wrapper === undefined ? undefined : unwrapWith(wrapper, args);
}

type Unwrapping = (args: readonly ShellWord[]) => Unwrapped | undefined;

/** Programs that take their command in a way of their own. */
const SPECIAL: Readonly<Record<string, Unwrapping>> = {
  eval: (args) => scriptOf(args, 'transparent'),
  source: unwrapSource,
  '.': unwrapSource,
  trap: (args) => (args.length > 1 ? scriptOf(args.slice(0, 1), 'separate') : undefined),
  alias: unwrapAlias,
  su: unwrapOption,
  script: unwrapOption,
  find: (args) => unwrapExec(args, FIND_EXEC),
  gfind: (args) => unwrapExec(args, FIND_EXEC),
  fd: (args) => unwrapExec(args, FD_EXEC),
  fdfind: (args) => unwrapExec(args, FD_EXEC),
  git: unwrapGit,
  npm: (args) => unwrapSubcommand(args, ['exec', 'x']),
  pnpm: (args) => unwrapSubcommand(args, ['exec', 'dlx']),
  yarn: (args) => unwrapSubcommand(args, ['exec']),
  bundle: (args) => unwrapSubcommand(args, ['exec']),
  poetry: (args) => unwrapSubcommand(args, ['run']),
  pipenv: (args) => unwrapSubcommand(args, ['run']),
  uv: (args) => unwrapSubcommand(args, ['run']),
};

const FIND_EXEC = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FD_EXEC = new Set(['-x', '-X', '--exec', '--exec-batch']);

function unwrapWith(wrapper: Wrapper, args: readonly ShellWord[]): Unwrapped | undefined {
  if (args.some((word) => wrapper.notWith?.includes(word.value ?? '') === true)) return undefined;
  const split = args.findIndex((word) => /^(?:-S|--split-string)/.test(word.value ?? ''));
  if (wrapper.assignments === true && split !== -1) return unwrapSplitString(args, split);
  const start = skipOwnWords(wrapper, args);
  const rest = args.slice(start);
  if (rest.length === 0) return undefined;
  if (wrapper.script === true) return scriptOf(rest, wrapper.role);
  const more: readonly ShellWord[] =
    wrapper.moreWords === true ? [{ raw: '…', value: undefined }] : [];
  const carried = args.slice(0, start).some((word) => isAssignment(word.value));
  const role = wrapper === WRAPPERS.env && !carried ? 'transparent' : wrapper.role;
  return { role, commands: [[...rest, ...more]], scripts: [] };
}

/** Where the inner command begins. */
function skipOwnWords(wrapper: Wrapper, args: readonly ShellWord[]): number {
  let positionals = wrapper.positionals ?? 0;
  let index = 0;
  for (; index < args.length; index++) {
    const value = args[index]?.value;
    if (value === '--') return index + 1 + positionals;
    const own = ownWords(wrapper, value);
    if (own === 0 && positionals-- === 0) return index;
    if (own === 2) index++;
  }
  return index;
}

/** How many words an option or assignment of the wrapper takes; 0 for anything else. */
function ownWords(wrapper: Wrapper, value: string | undefined): 0 | 1 | 2 {
  if (value === undefined || value === '-') return 0;
  if (value.startsWith('-')) return wrapper.values?.includes(value) === true ? 2 : 1;
  return wrapper.assignments === true && isAssignment(value) ? 1 : 0;
}

function isAssignment(value: string | undefined): boolean {
  return value?.includes('=') === true; // `env` takes any such word, whatever its name.
}

function unwrapSplitString(args: readonly ShellWord[], split: number): Unwrapped {
  const value = args[split]?.value ?? '';
  const attached = value.replace(/^(?:-S|--split-string=?)/, '');
  const words = attached === '' ? args.slice(split + 1) : args.slice(split + 1);
  const texts = [...(attached === '' ? [] : [attached]), ...words.map((word) => word.value)];
  const known = texts.filter((text) => text !== undefined);
  if (known.length < texts.length)
    return opaque('covering', 'the text for env -S is made at run time');
  return { role: 'covering', commands: [], scripts: [known.join(' ')] };
}

function unwrapShell(args: readonly ShellWord[]): Unwrapped | undefined {
  const at = firstPlainWord(args);
  const asksText = args
    .slice(0, at)
    .some((word) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word.value ?? ''));
  if (asksText) return scriptOf(args.slice(at, at + 1), 'transparent');
  const readsInput = args.slice(0, at).some((word) => /^-[a-zA-Z]*s/.test(word.value ?? ''));
  return at < args.length && !readsInput
    ? undefined
    : opaque('transparent', 'it runs whatever its input holds');
}

/** A shell's script file, or the text after `-c`. */
function firstPlainWord(args: readonly ShellWord[]): number {
  for (let index = 0; index < args.length; index++) {
    const value = args[index]?.value;
    if (value === '--') return index + 1;
    if (value === undefined || !/^[-+]/.test(value)) return index;
    if (SHELL_VALUES.includes(value)) index++;
  }
  return args.length;
}

const RUN_TIME_TEXT = 'the text it runs is made at run time';

function scriptOf(words: readonly ShellWord[], role: Unwrapped['role']): Unwrapped {
  const values = words.map((word) => (word.variable === true ? undefined : word.value));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return opaque(role, RUN_TIME_TEXT);
  return { role, commands: [], scripts: [known.join(' ')] };
}

function unwrapSource(args: readonly ShellWord[]): Unwrapped | undefined {
  const file = args[0]?.value;
  const runsInput = file === undefined || file.startsWith('/dev/') || file.startsWith('/proc/');
  if (runsInput) return opaque('separate', 'it runs whatever its input holds');
  // A name without a slash is looked up like a program.
  return file.includes('/') ? undefined : { role: 'separate', commands: [args], scripts: [] };
}

function unwrapAlias(args: readonly ShellWord[]): Unwrapped | undefined {
  const scripts = args.flatMap((word) => /^[^=]+=(.*)$/s.exec(word.value ?? '')?.[1] ?? []);
  return scripts.length === 0 ? undefined : { role: 'separate', commands: [], scripts };
}

/** `su -c text`, `script -c text`. */
function unwrapOption(args: readonly ShellWord[]): Unwrapped | undefined {
  const at = args.findIndex((word) => ['-c', '--command'].includes(word.value ?? ''));
  return at === -1 ? undefined : scriptOf(args.slice(at + 1, at + 2), 'covering');
}

/** Each `-exec … ;` is a command of its own; the file names it is given are known only at run time. */
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

/** Settings that git gives to a shell: aliases with `!`, pagers, editors, ssh commands, helpers. */
const GIT_PROGRAM =
  /^(?:[\w.-]+=!|[\w.-]*(?:command|pager|editor|helper|textconv|program|cmd|driver|external)=)(.*)$/is;

function unwrapGit(args: readonly ShellWord[]): Unwrapped | undefined {
  const values = args.map((word) => word.value ?? '');
  const scripts = values.flatMap((value) => GIT_PROGRAM.exec(value)?.[1] ?? []);
  const each = values.indexOf('foreach');
  if (values.includes('submodule') && each !== -1) {
    scripts.push(
      values
        .slice(each + 1)
        .filter((value) => !value.startsWith('--'))
        .join(' '),
    );
  }
  for (const [index, value] of values.entries()) {
    if (value === '-x' || value === '--exec') scripts.push(values[index + 1] ?? '');
    if (value.startsWith('--exec=')) scripts.push(value.slice('--exec='.length));
  }
  return scripts.length === 0 ? undefined : { role: 'separate', commands: [], scripts };
}

/** `npm exec -- command`. */
function unwrapSubcommand(
  args: readonly ShellWord[],
  subcommands: readonly string[],
): Unwrapped | undefined {
  if (!subcommands.includes(args[0]?.value ?? '')) return undefined;
  const rest = args.slice(1);
  const start = rest.findIndex((word) => word.value?.startsWith('-') !== true);
  return start === -1
    ? undefined
    : { role: 'covering', commands: [rest.slice(start)], scripts: [] };
}

function opaque(role: Unwrapped['role'], reason: string): Unwrapped {
  return { role, commands: [], scripts: [], opaque: reason };
}
