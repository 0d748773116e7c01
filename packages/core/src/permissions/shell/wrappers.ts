import type { ShellPart } from './shell-word.ts';

/** How a program that starts another one takes its own words first. */
export interface Wrapper {
  readonly role: NonNullable<ShellPart['role']>;
  /** Options that are followed by a value of their own. */
  readonly values?: readonly string[];
  /** Words of its own before the command, such as the duration of `timeout`. */
  readonly positionals?: number;
  /** `NAME=value` words may stand before the command. */
  readonly assignments?: boolean;
  /** The rest is joined and given to a shell. */
  readonly script?: boolean;
  /** Words follow that only the input knows. */
  readonly moreWords?: boolean;
  /** With one of these it starts nothing, or something else than a command. */
  readonly notWith?: readonly string[];
}

const SUDO_VALUES = [
  '-u',
  '-g',
  '-h',
  '-p',
  '-C',
  '-r',
  '-t',
  '-T',
  '-U',
  '-D',
  '-R',
  '--user',
  '--group',
  '--host',
  '--prompt',
  '--chdir',
  '--chroot',
  '--role',
  '--type',
  '--close-from',
  '--other-user',
  '--command-timeout',
];
const XARGS_VALUES = [
  '-I',
  '-J',
  '-R',
  '-S',
  '-n',
  '-P',
  '-L',
  '-d',
  '-a',
  '-E',
  '-s',
  '--max-args',
  '--max-procs',
  '--max-lines',
  '--delimiter',
  '--arg-file',
  '--replace',
  '--eof',
  '--max-chars',
  '--process-slot-var',
];
const SSH_VALUES = [
  '-B',
  '-b',
  '-c',
  '-D',
  '-E',
  '-e',
  '-F',
  '-I',
  '-i',
  '-J',
  '-L',
  '-l',
  '-m',
  '-O',
  '-o',
  '-p',
  '-Q',
  '-R',
  '-S',
  '-W',
  '-w',
];

/** Programs whose business is to start another; `find -exec`, shells and `eval` are taken apart elsewhere. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  timeout: {
    role: 'transparent',
    values: ['-k', '--kill-after', '-s', '--signal'],
    positionals: 1,
  },
  gtimeout: {
    role: 'transparent',
    values: ['-k', '--kill-after', '-s', '--signal'],
    positionals: 1,
  },
  nice: { role: 'transparent', values: ['-n', '--adjustment'] },
  ionice: {
    role: 'transparent',
    values: ['-c', '-n', '--class', '--classdata'],
    notWith: ['-p', '--pid'],
  },
  nohup: { role: 'transparent' },
  time: { role: 'transparent', values: ['-f', '--format'], notWith: ['-o', '--output', '-a'] },
  stdbuf: { role: 'transparent', values: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  setsid: { role: 'transparent' },
  command: { role: 'transparent', notWith: ['-v', '-V'] },
  builtin: { role: 'transparent' },
  exec: { role: 'transparent', values: ['-a'] },
  caffeinate: { role: 'transparent', values: ['-t', '-w'] },
  unbuffer: { role: 'transparent' },
  env: { role: 'covering', values: ['-u', '--unset', '-C', '--chdir'], assignments: true },
  sudo: { role: 'covering', values: SUDO_VALUES, assignments: true },
  doas: { role: 'covering', values: ['-u', '-C', '-a'] },
  pkexec: { role: 'covering', values: ['--user'] },
  run0: { role: 'covering', values: ['-u', '--user'] },
  xargs: { role: 'covering', values: XARGS_VALUES, moreWords: true },
  gxargs: { role: 'covering', values: XARGS_VALUES, moreWords: true },
  parallel: {
    role: 'covering',
    values: ['-j', '--jobs', '-a', '--arg-file', '-I', '-n', '-N', '-S'],
    script: true,
  },
  watch: { role: 'covering', values: ['-n', '--interval', '-q', '--equexit'], script: true },
  ssh: { role: 'covering', values: SSH_VALUES, positionals: 1, script: true },
  chroot: { role: 'covering', values: ['--userspec', '--groups'], positionals: 1 },
  nsenter: { role: 'covering', values: ['-t', '--target', '-S', '-G'] },
  unshare: { role: 'covering' },
  setpriv: { role: 'covering', values: ['--reuid', '--regid', '--groups'] },
  flock: { role: 'covering', values: ['-w', '--timeout', '-E'], positionals: 1 },
  taskset: { role: 'covering', positionals: 1 },
  chrt: { role: 'covering', positionals: 1 },
  strace: { role: 'covering', values: ['-e', '-o', '-p', '-s', '-u', '-E', '-P', '-O', '-a'] },
  ltrace: { role: 'covering', values: ['-e', '-o', '-p', '-s', '-u'] },
  script: { role: 'covering', values: ['-c', '--command'] },
  busybox: { role: 'covering' },
  toybox: { role: 'covering' },
  'dbus-run-session': { role: 'covering' },
  firejail: { role: 'covering' },
  'systemd-run': { role: 'covering', values: ['-p', '--property', '--unit', '-u', '-M', '-H'] },
  'cross-env': { role: 'covering', assignments: true },
  entr: { role: 'covering' },
};

export const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'ash',
  'mksh',
  'fish',
  'rbash',
]);

/** Shell options that are followed by a value. */
export const SHELL_VALUES: readonly string[] = ['-o', '+o', '-O', '+O', '--rcfile', '--init-file'];
