import type { ShellWord } from './shell-word.ts';
import type { Wrapper } from './wrappers.ts';

/** The index of the inner command; `idle` when there is none, or the option that is not declared. */
export function skipOwnWords(
  wrapper: Wrapper,
  args: readonly ShellWord[],
): number | 'idle' | { readonly option: string } {
  let positionals = wrapper.positionals;
  let index = 0;
  for (; index < args.length; index++) {
    const value = args[index]?.value;
    if (value === '--') return index + 1 + positionals;
    if (value === undefined || !value.startsWith('-')) {
      if (isOwnWord(wrapper, value) || positionals-- > 0) continue;
      return index;
    }
    const taken = ownOption(wrapper, value);
    if (taken === 'idle') return 'idle';
    if (taken === undefined) return { option: value };
    index += taken;
  }
  return index;
}

/** How many more words an option takes; undefined when it is not declared. */
function ownOption(wrapper: Wrapper, value: string): 0 | 1 | 'idle' | undefined {
  if (value === '-') return wrapper.marks.has('DASH') ? 0 : undefined;
  if (wrapper.marks.has('NUM') && /^-\d+$/.test(value)) return 0;
  if (wrapper.idle.has(value)) return 'idle';
  if (value.startsWith('--')) {
    const [long = '', joined] = value.split(/=(.*)/s);
    const takes = wrapper.longs.get(long);
    if (takes === undefined) return undefined;
    return takes && joined === undefined ? 1 : 0;
  }
  return ownLetters(wrapper, value);
}

function ownLetters(wrapper: Wrapper, value: string): 0 | 1 | 'idle' | undefined {
  for (let at = 1; at < value.length; at++) {
    const letter = value[at] ?? '';
    if (wrapper.idle.has(`-${letter}`)) return 'idle';
    if (wrapper.flags.has(letter)) continue;
    if (!wrapper.values.has(letter)) return undefined;
    return at + 1 === value.length ? 1 : 0;
  }
  return 0;
}

function isOwnWord(wrapper: Wrapper, value: string | undefined): boolean {
  if (wrapper.marks.has('ASSIGN') && isAssignment(value)) return true;
  return wrapper.marks.has('ARCH') && /^(?:linux|i[3-6]86|x86|arm|aarch|uname)/.test(value ?? '');
}

export function isAssignment(value: string | undefined): boolean {
  return value?.includes('=') === true; // `env` accepts any name before the `=`.
}
