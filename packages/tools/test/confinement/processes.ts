import { readdirSync, readFileSync } from 'node:fs';

export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until a process, or every process with this word on its command line, is gone; at most five seconds. */
export async function untilGone(which: number | string): Promise<'gone' | 'still there'> {
  const isThere = () => (typeof which === 'number' ? exists(which) : isRunning(which));
  for (let turn = 0; turn < 250; turn++) {
    if (!isThere()) return 'gone';
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return 'still there';
}

/** Processes in other namespaces are seen by their command lines. */
function isRunning(word: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        return false; // Gone while we looked.
      }
    });
}
