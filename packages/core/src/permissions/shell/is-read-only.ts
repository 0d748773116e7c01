import { trustedProgramOf } from './program-name.ts';
import { READ_ONLY_COMMANDS, type ReadOnlyCommand } from './read-only-commands.ts';
import { isReadOnlyGit } from './read-only-git.ts';
import type { ShellPart, ShellWord } from './shell-word.ts';

/** Whether a part can only look, and only at files that `mayRead` agrees to. */
export function isReadOnly(part: ShellPart, mayRead: (word: ShellWord) => boolean): boolean {
  const [first, ...words] = part.words;
  if (first?.value === undefined || first.variable === true || part.inner !== undefined)
    return false;
  const name = trustedProgramOf(first.value);
  if (name === 'git')
    return (
      words.every((word) => word.value !== undefined && word.choice !== true) &&
      isReadOnlyGit(valuesOf(words)) &&
      words.flatMap(pathsIn).every(mayRead)
    );
  const command = Object.hasOwn(READ_ONLY_COMMANDS, name) ? READ_ONLY_COMMANDS[name] : undefined;
  if (command === undefined) return false;
  if (isParticular(command) && words.some((word) => word.choice === true)) return false;
  if (command.anyValue !== true && !isKnown(words)) return false;
  return isHarmless(command, words) && filesOf(command, words).flatMap(pathsIn).every(mayRead);
}

/** What it does depends on its options: words that change from turn to turn cannot be judged together. */
function isParticular(command: ReadOnlyCommand): boolean {
  return (command.refuse ?? command.mostFiles ?? command.accepts) !== undefined;
}

function isHarmless(command: ReadOnlyCommand, words: readonly ShellWord[]): boolean {
  const values = valuesOf(words);
  const { refuse, mostFiles } = command;
  if (
    refuse !== undefined &&
    (values.some((value) => refuse.test(value)) || words.some(mayBecomeOption))
  )
    return false;
  if (
    mostFiles !== undefined &&
    (words.filter((word) => !isOption(word)).length > mostFiles || words.some(mayBecomeOption))
  )
    return false;
  return command.accepts === undefined || command.accepts(values);
}

/** `*` may turn into a file that is named like an option. */
function mayBecomeOption(word: ShellWord): boolean {
  return word.glob === true && /^[*?[{-]/.test(word.value ?? '');
}

function filesOf(command: ReadOnlyCommand, words: readonly ShellWord[]): readonly ShellWord[] {
  if (command.files === 'none') return [];
  if (command.files === 'all') return words;
  const patternGiven = words.some((word) => /^(?:-e|-f|--regexp|--file)/.test(word.value ?? ''));
  const pattern = patternGiven ? undefined : words.find((word) => !isOption(word));
  return words.filter((word) => word !== pattern);
}

/** Plain words are paths; options are only when a path is glued to them. */
function pathsIn(word: ShellWord): readonly ShellWord[] {
  const { value } = word;
  if (value === undefined || !isOption(word)) return [word];
  const glued = /[=/~]/.exec(value)?.index;
  if (glued === undefined) return value.includes('..') ? [{ ...word, value: '..' }] : [];
  const path = value.slice(value[glued] === '=' ? glued + 1 : glued);
  return path === '' ? [] : [{ ...word, value: path }];
}

function isOption(word: ShellWord): boolean {
  return word.value?.startsWith('-') === true && word.value !== '-';
}

function isKnown(words: readonly ShellWord[]): boolean {
  return words.every((word) => word.value !== undefined);
}

function valuesOf(words: readonly ShellWord[]): readonly string[] {
  return words.map((word) => word.value ?? '');
}
