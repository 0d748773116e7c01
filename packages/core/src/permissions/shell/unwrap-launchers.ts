import type { ShellWord } from './shell-word.ts';
import { unwrapShell } from './unwrap-shell.ts';
import { opaque, RUN_TIME_TEXT, scriptOf, type Unwrapped } from './unwrapped.ts';

/** Programs that start another after undeclared options of their own: any word may be its name. */
const LAUNCHERS = new Set(
  `choom uclampset coresched numactl bwrap proot eatmydata torsocks torify proxychains proxychains4 xvfb-run
  dbus-launch gosu su-exec tini dumb-init catatonit s6-setuidgid setuidgid softlimit chpst envdir multitime catchsegv
  rlwrap valgrind heaptrack rr perf gpg-agent ssh-agent fakeroot faketime direnv mise asdf start-stop-daemon cgexec
  aa-exec sem logsave chronic ifne cpulimit lckdo setlock daemon daemonize debconf systemd-inhibit sshpass autossh
  tsocks nq tsp ip dotenv dotenvx env-cmd op doppler aws-vault chamber infisical teller conda micromamba hatch pdm rye
  pipx uvx nix guix toolbox distrobox flatpak-spawn lerna`.split(/\s+/),
);

/** Programs that pass their words to a shell, together or one by one. */
const SHELL_TEXTS = new Set(
  'tmux screen dtach abduco hyperfine sg pee sops concurrently nodemon onchange chokidar pm2 forever watchexec cargo-watch cross-env-shell'.split(
    ' ',
  ),
);

const EDITOR_OPTIONS = '-c + --cmd';

const EDITORS =
  'vi vim nvim view ex vimdiff gvim gview rvim rview evim vim.basic vim.tiny vim.nox vim.gtk3'.split(
    ' ',
  );

/** Options whose value is a command: one-letter options, then long ones, which GNU programs accept abbreviated. */
const COMMAND_OPTIONS: Readonly<Record<string, string>> = {
  tar: '-I -F --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rmt-command --rsh-command',
  ssh: '-o',
  scp: '-o -S',
  sftp: '-o -S',
  rsync: '-e --rsh',
  split: '--filter',
  sort: '--compress-program',
  man: '-P -H --pager --html',
  less: '+',
  more: '+',
  install: '--strip-program',
  sdiff: '--diff-program',
  diff3: '--diff-program',
  zip: '-TT --unzip-command',
  ...Object.fromEntries(EDITORS.map((name) => [name, EDITOR_OPTIONS])),
  'nix-shell': '--run --command',
};

/** Unwraps programs that start others as a side effect; undefined when they start none. */
export function unwrapLauncher(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  if (LAUNCHERS.has(name)) return anyStart(args);
  if (SHELL_TEXTS.has(name)) return withTexts(args);
  if (name === 'jobs') return args[0]?.value === '-x' ? anyStart(args.slice(1)) : undefined;
  if (name === 'capsh') return afterMark(args);
  if (name === 'socat') return addresses(args);
  if (/^(?:at|batch|crontab)$/.test(name)) return runsInput(args);
  const options = Object.hasOwn(COMMAND_OPTIONS, name) ? COMMAND_OPTIONS[name] : undefined;
  return options === undefined ? undefined : optionValues(options.split(' '), args);
}

const MAX_STARTS = 40;

function anyStart(args: readonly ShellWord[]): Unwrapped | undefined {
  const starts = args.flatMap(({ value }, index) =>
    value?.startsWith('-') === true ? [] : [index],
  );
  if (starts.length > MAX_STARTS) return opaque('covering', 'it has too many words to look at');
  const commands = starts.map((index) => args.slice(index));
  return commands.length === 0 ? undefined : { role: 'covering', commands, scripts: [] };
}

function withTexts(args: readonly ShellWord[]): Unwrapped | undefined {
  if (args.some((word) => word.value === undefined)) return opaque('covering', RUN_TIME_TEXT);
  const started = anyStart(args);
  const texts = args.map((word) => word.value ?? '').filter((text) => /\s/.test(text));
  return started && { ...started, scripts: texts };
}

/** `capsh … -- arguments of a shell`. */
function afterMark(args: readonly ShellWord[]): Unwrapped | undefined {
  const at = args.findIndex((word) => /^(?:--|==|-\+|=\+)$/.test(word.value ?? ''));
  return at === -1 ? undefined : unwrapShell(args.slice(at + 1));
}

/** `socat - EXEC:'text'`. */
function addresses(args: readonly ShellWord[]): Unwrapped | undefined {
  if (args.some((word) => word.value === undefined)) return opaque('covering', RUN_TIME_TEXT);
  const scripts = args.flatMap(({ value = '' }) =>
    [...value.matchAll(/(?:exec|system|shell):([^,]*)/gi)].map(([, text = '']) => text),
  );
  return scripts.length === 0 ? undefined : { role: 'covering', commands: [], scripts };
}

/** Scheduled jobs: their text is read from standard input. */
function runsInput(args: readonly ShellWord[]): Unwrapped | undefined {
  const lists = args.some((word) => /^-(?:[a-zA-Z]*[lcdrqV])/.test(word.value ?? ''));
  return lists ? undefined : opaque('covering', 'it runs whatever its input holds');
}

function optionValues(
  options: readonly string[],
  args: readonly ShellWord[],
): Unwrapped | undefined {
  const texts = args.flatMap((word, index) => {
    const value = optionValue(options, word, args[index + 1]);
    return value === undefined ? [] : [value];
  });
  if (texts.length === 0) return undefined;
  const scripts = texts.map((word) => ({ ...word, value: word.value && commandIn(word.value) }));
  const found = scripts.filter((word) => word.value !== '');
  return found.length === 0 ? undefined : scriptsOf(found);
}

function scriptsOf(words: readonly ShellWord[]): Unwrapped {
  const each = words.map((word) => scriptOf([word], 'separate'));
  return (
    each.find((one) => one.opaque !== undefined) ?? {
      role: 'separate',
      commands: [],
      scripts: each.flatMap((one) => one.scripts),
    }
  );
}

/** The value of a listed option in this word or the next. */
function optionValue(
  options: readonly string[],
  word: ShellWord,
  next: ShellWord | undefined,
): ShellWord | undefined {
  const text = word.value ?? '';
  if (text.startsWith('--')) {
    const [given = '', joined] = text.split(/=(.*)/s);
    const named = given.length > 3 && options.some((option) => option.startsWith(given));
    if (!named) return undefined;
    return joined === undefined ? next : { ...word, value: joined };
  }
  const short = options.find((option) => !option.startsWith('--') && text.startsWith(option));
  if (short === undefined) return undefined;
  return text.length > short.length ? { ...word, value: text.slice(short.length) } : next;
}

/** The part of a value that is run: after `exec=`, after the name of an ssh option, after an editor's `!`. */
function commandIn(value: string): string {
  const setting = /^\s*\w+Command\s*[= ]\s*(.*)$/is.exec(value)?.[1];
  if (setting !== undefined) return setting;
  if (/^\s*[A-Z]\w+\s*=/.test(value)) return '';
  const action = /^(?:exec=|[^!]*!)(.*)$/s.exec(value)?.[1];
  return action ?? value;
}
