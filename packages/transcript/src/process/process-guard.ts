import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Ends programs when this process is gone, even if it was killed: then the pipe to a small shell closes, and the
 * shell ends everything that has the mark of a program.
 */
export class ProcessGuard {
  readonly #guarded = new Set<number>();
  #shell: ChildProcess | undefined;

  /** `mark` is the value of `MARK_NAME` in the environment of the program and its descendants. */
  guard(pid: number, mark: string): void {
    this.#guarded.add(pid);
    this.#send(`+${pid}:${mark}`);
  }

  /** The program has exited. */
  release(pid: number): void {
    if (!this.#guarded.delete(pid)) return;
    this.#send(`-${pid}`);
    if (this.#guarded.size > 0) return;
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #send(line: string): void {
    this.#shell ??= startShell();
    this.#shell.stdin?.write(`${line}\n`);
  }
}

/** The environment variable that identifies a program and its descendants. */
export const MARK_NAME = 'ROBOTA_AGENT_PROCESS';

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    // In its own session, so that signals from the terminal do not reach it.
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without the shell, programs still end on `exit`; writing to a dead shell must not end this process.
  shell.on('error', () => undefined);
  shell.stdin?.on('error', () => undefined);
  shell.unref();
  // The pipe is a socket, which can be unreferenced so that it does not keep this process alive.
  (shell.stdin as Socket | null)?.unref();
  return shell;
}

/** Reads `+pid:mark` and `-pid`; at the end of its input it sends TERM, then KILL, to the remaining processes. */
const SCRIPT = `
trap '' HUP INT TERM
list=
while IFS= read -r line; do
  case $line in
    +*) list="$list \${line#+}" ;;
    -*)
      rest=
      for one in $list; do
        [ "\${one%%:*}" = "\${line#-}" ] || rest="$rest $one"
      done
      list=$rest
      ;;
  esac
done
marked() {
  if [ -d /proc/self ]; then
    for place in $(grep -lzs "^${MARK_NAME}=$2" /proc/[0-9]*/environ 2>/dev/null); do
      place=\${place#/proc/}
      echo "\${place%/environ}"
    done
  else
    ps -axo pid=,ppid= | awk -v root="$1" '
      { parent[$1] = $2 }
      END {
        for (pid in parent) {
          at = pid
          while (at != root && at > 1 && at in parent) at = parent[at]
          if (at == root) print pid
        }
      }'
  fi
}
for signal in TERM KILL; do
  left=
  for one in $list; do
    pid=\${one%%:*}
    found=$(marked "$pid" "\${one#*:}")
    kill -s "$signal" -- "-$pid" 2>/dev/null && left=yes
    for each in $found; do
      kill -s "$signal" "$each" 2>/dev/null && left=yes
    done
  done
  [ -n "$left" ] || exit 0
  [ "$signal" = KILL ] || sleep 1
done
`;
