import type { ShellPart, ShellWord } from './shell-word.ts';

/** What a part starts: words to run, or text for a shell. */
export interface Unwrapped {
  readonly role: NonNullable<ShellPart['role']>;
  readonly commands: readonly (readonly ShellWord[])[];
  readonly scripts: readonly string[];
  readonly opaque?: string;
}

export const RUN_TIME_TEXT = 'the text it runs is made at run time';

/** Joins words that a shell reads as one text. */
export function scriptOf(words: readonly ShellWord[], role: Unwrapped['role']): Unwrapped {
  const values = words.map((word) => (word.variable === true ? undefined : word.value));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return opaque(role, RUN_TIME_TEXT);
  return { role, commands: [], scripts: [known.join(' ')] };
}

/** It starts a program that cannot be determined. */
export function opaque(role: Unwrapped['role'], reason: string): Unwrapped {
  return { role, commands: [], scripts: [], opaque: reason };
}
