import type { ShellPart } from './shell-word.ts';

/** The options and words that a program takes before the command it starts. */
export interface Wrapper {
  readonly role: NonNullable<ShellPart['role']>;
  /** One-letter options without a value. */
  readonly flags: ReadonlySet<string>;
  /** One-letter options with a value, as the next word or attached. */
  readonly values: ReadonlySet<string>;
  /** Long options by full name, and whether a value follows. */
  readonly longs: ReadonlyMap<string, boolean>;
  /** Options with which it starts nothing. */
  readonly idle: ReadonlySet<string>;
  /** Number of words before the command, such as the duration of `timeout`. */
  readonly positionals: number;
  /**
   * `ASSIGN`: `NAME=value` words. `DASH`: a lone `-`. `INPUT`: further words come from standard input. `TEXT`: the rest
   * is joined and passed to a shell. `NUM`: `-5` is an option. `ARCH`: a machine name.
   */
  readonly marks: ReadonlySet<string>;
}

/**
 * Programs that start another, one per line: `name -flags -x= --long --long= --long?= :words MARKS !idle`; `?=` takes
 * an attached value only. An undeclared option makes the rest unknown.
 */
const TRANSPARENT = `
timeout     -v -k= -s= --kill-after= --signal= --foreground --preserve-status --verbose :1
gtimeout    -v -k= -s= --kill-after= --signal= --foreground --preserve-status --verbose :1
nice        -n= --adjustment= NUM
ionice      -t -c= -n= --class= --classdata= --ignore !-p !-P !-u !--pid
nohup
time        -pvaq -f= -o= --format= --output= --append --verbose --portability --quiet
stdbuf      -i= -o= -e= --input= --output= --error=
setsid      -cfw --ctty --fork --wait
command     -p !-v !-V
builtin
exec        -cl -a=
caffeinate  -disum -t= -w=
unbuffer    -p
`;

const COVERING = `
env         -i0v -u= -C= --ignore-environment --null --unset= --chdir= --debug ASSIGN DASH
sudo        -AbEHnkKPSisl -u= -g= -h= -p= -C= -r= -t= -T= -U= -D= -R= --user= --group= --host= --prompt= --chdir= --chroot= --role= --type= --close-from= --other-user= --command-timeout= --non-interactive --preserve-env --set-home --login --background --stdin --askpass --shell ASSIGN !-v !-e !-V !--validate !--edit
doas        -nsL -u= -C= -a=
pkexec      --user= --disable-internal-agent --keep-cwd
run0        -u= -g= -D= --user= --group= --chdir= --unit= --no-ask-password
xargs       -0rtpxo -n= -P= -L= -d= -a= -E= -s= -I= -J= -R= -S= --null --no-run-if-empty --verbose --interactive --max-args= --max-procs= --max-lines?= --delimiter= --arg-file= --replace?= --eof?= --max-chars= --process-slot-var= --exit --open-tty INPUT
gxargs      -0rtpxo -n= -P= -L= -d= -a= -E= -s= -I= --null --no-run-if-empty --verbose --max-args= --max-procs= --max-lines?= --delimiter= --arg-file= --replace?= --max-chars= --exit INPUT
parallel    -kuXm -j= -a= -I= -n= -N= -S= --jobs= --arg-file= --keep-order --halt= --delay= --dry-run --bar --no-notice --will-cite --colsep= TEXT INPUT
watch       -bcdegtpx -n= -q= --interval= --differences --errexit --chgexit --equexit= --no-title --color --beep --precise --exec TEXT
ssh         -46AaCfGgKkMNnqsTtVvXxYy -B= -b= -c= -D= -E= -e= -F= -I= -i= -J= -L= -l= -m= -O= -o= -p= -Q= -R= -S= -W= -w= :1 TEXT
chroot      --userspec= --groups= --skip-chdir :1
nsenter     -amuinpCUTFreWZ -t= -S= -G= --target= --all --mount --uts --ipc --net --pid --user --preserve-credentials
unshare     -imnpuUCTrfc -R= -w= -S= -G= --mount --uts --ipc --net --pid --user --fork --map-root-user --map-current-user --mount-proc --kill-child
setpriv     --reuid= --regid= --clear-groups --keep-groups --init-groups --no-new-privs --groups= --inh-caps= --bounding-set= --ambient-caps= --reset-env --securebits= --pdeathsig=
flock       -sxneuFo -w= -E= --shared --exclusive --nonblock --unlock --close --no-fork --timeout= --conflict-exit-code= --verbose :1
taskset     -ac --all-tasks --cpu-list :1 !-p !--pid
chrt        -abfiomrRv --all-tasks --batch --fifo --idle --other --rr :1 !-p !--pid
prlimit     -v --verbose --noheadings --raw !-p !--pid
strace      -fFqcCdDrtTvVxyzZhikn -e= -o= -s= -u= -E= -P= -O= -a= -b= -I= -S= -X= --follow-forks --output= --trace= !-p
ltrace      -fFLSbcCirtTV -e= -o= -s= -u= -a= -l= -n= -x= -A= -D= !-p
setarch     -RFvZLXBIST3 --uname-2.6 --addr-no-randomize --verbose ARCH
linux64     -RFvZLXBIST3
linux32     -RFvZLXBIST3
i386        -RFvZLXBIST3
x86_64      -RFvZLXBIST3
runuser     -u= -g= -G= --user= --group= --supp-group=
busybox
toybox
dbus-run-session --config-file= --dbus-daemon=
firejail    --quiet --noprofile
systemd-run -qtPSGd -p= -u= -M= -H= --user --scope --pty --pipe --wait --collect --unit= --property= --setenv=
cross-env   ASSIGN
entr        -acdnprsz
`;

/** Parsed with the first command: most starts check none. */
let wrappers: ReadonlyMap<string, Wrapper> | undefined;

/** The wrapper of this name; `find -exec`, shells, `eval`, `su` and `script` are handled by `unwrap`. */
export function wrapperOf(name: string): Wrapper | undefined {
  wrappers ??= new Map([
    ...readWrappers(TRANSPARENT, 'transparent'),
    ...readWrappers(COVERING, 'covering'),
  ]);
  return wrappers.get(name);
}

function readWrappers(
  table: string,
  role: Wrapper['role'],
): readonly (readonly [string, Wrapper])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...words] = line.trim().split(/\s+/);
      return [name, readWrapper(words, role)] as const;
    });
}

function readWrapper(words: readonly string[], role: Wrapper['role']): Wrapper {
  const longs = words.filter((word) => word.startsWith('--'));
  const letters = words.filter((word) => /^-[^-]/.test(word));
  return {
    role,
    flags: new Set(
      letters.filter((word) => !word.endsWith('=')).flatMap((word) => [...word.slice(1)]),
    ),
    values: new Set(letters.filter((word) => word.endsWith('=')).map((word) => word[1] ?? '')),
    longs: new Map(longs.map((word) => [word.replace(/\??=.*$/, ''), /[^?]=/.test(word)])),
    idle: new Set(words.filter((word) => word.startsWith('!')).map((word) => word.slice(1))),
    positionals: Number(words.find((word) => word.startsWith(':'))?.slice(1) ?? 0),
    marks: new Set(words.filter((word) => /^[A-Z]+$/.test(word))),
  };
}

export const SHELLS: ReadonlySet<string> = new Set(
  'sh bash zsh dash ksh ash mksh fish rbash csh tcsh pwsh'.split(' '),
);

/** The dynamic loader starts any program it is given. */
export const LOADER = /^ld(?:-linux|-musl)?[-\w.]*\.so(?:\.\d+)*$/;
