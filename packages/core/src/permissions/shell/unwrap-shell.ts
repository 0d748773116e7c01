import type { ShellWord } from './shell-word.ts';
import { opaque, scriptOf, type Unwrapped } from './unwrapped.ts';

/** `bash -euo pipefail -c 'text'`, `bash file`, or a shell that reads its input. */
export function unwrapShell(args: readonly ShellWord[]): Unwrapped | undefined {
  const { at, letters, problem } = shellOptions(args);
  if (problem !== undefined) return opaque('transparent', problem);
  if (letters.includes('c')) return scriptOf(args.slice(at, at + 1), 'transparent');
  const file = args[at]?.value;
  const unknown = args[at] !== undefined && file === undefined;
  const readsInput = file === undefined || letters.includes('s') || /^\/(?:dev|proc)\//.test(file);
  if (unknown) return opaque('transparent', 'the script it runs is known only at run time');
  return readsInput ? opaque('transparent', 'it runs whatever its input holds') : undefined;
}

interface ShellOptions {
  /** The first word that is not an option: a script file, or the text after `-c`. */
  readonly at: number;
  readonly letters: string;
  readonly problem?: string;
}

const KNOWN_LONG =
  /^--(?:posix|norc|noprofile|login|verbose|restricted|noediting|debugger|rcfile|init-file)$/;

function shellOptions(args: readonly ShellWord[]): ShellOptions {
  let letters = '';
  for (let index = 0; index < args.length; index++) {
    const value = args[index]?.value;
    if (value === '--' || value === '-') return { at: index + 1, letters };
    if (value === undefined || !/^[-+]/.test(value)) return { at: index, letters };
    const isLong = value.startsWith('--');
    if (isLong && !KNOWN_LONG.test(value))
      return { at: index, letters, problem: `the option ${value} of the shell is not known` };
    if (!isLong && value.startsWith('-')) letters += value.slice(1);
    index += takenWords(value);
  }
  return { at: args.length, letters };
}

/** Each `o` and `O` among combined letters takes one more word. */
function takenWords(option: string): number {
  if (option.startsWith('--')) return /^--(?:rcfile|init-file)$/.test(option) ? 1 : 0;
  return option.match(/[oO]/g)?.length ?? 0;
}
