import { homedir } from 'node:os';
import type { Word, WordPart } from 'unbash';
import type { ShellWord } from './shell-word.ts';

/** The values a variable may have at run time; a missing name may have any value. */
export type VariableValues = ReadonlyMap<string, readonly string[]>;

const MAX_WORDS = 64;

/** The words that one word expands to: several for braces, undefined values where they are not known. */
export function expandWord(word: Word, variables: VariableValues): readonly ShellWord[] {
  const raw = word.text;
  const parts = word.parts;
  if (parts === undefined) return [{ raw, value: withHome(raw, word.value) }];
  const fragments = parts.map((part) => expandPart(part, variables));
  if (fragments.some((fragment) => fragment === undefined)) return [{ raw, value: undefined }];
  const known = fragments.filter((fragment) => fragment !== undefined);
  const glob = known.some((fragment) => fragment.glob === true);
  const variable = known.some((fragment) => fragment.variable === true);
  const choice = known.some((fragment) => fragment.choice === true);
  const values = combine(known.map((fragment) => fragment.values));
  if (values === undefined) return [{ raw, value: undefined }];
  return values.map((value) => ({
    raw,
    value: withHome(raw, value),
    ...(glob ? { glob } : {}),
    ...(variable ? { variable } : {}),
    ...(choice ? { choice } : {}),
  }));
}

interface Fragment {
  readonly values: readonly string[];
  readonly glob?: boolean;
  readonly variable?: boolean;
  readonly choice?: boolean;
}

function expandPart(part: WordPart, variables: VariableValues): Fragment | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { values: [part.value] };
    case 'Glob':
      return { values: [part.text], glob: true };
    case 'ExtendedGlob':
      return { values: ['*'], glob: true };
    case 'DoubleQuoted':
    case 'LocaleString':
      return expandQuoted(part.parts, variables);
    case 'BraceExpansion':
      return expandBraces(part.text);
    case 'SimpleExpansion':
      return unquoted(lookUp(part.text.slice(1), variables));
    case 'ParameterExpansion': {
      const plain =
        part.operation === undefined && part.index === undefined && part.prefix === undefined;
      return plain ? unquoted(lookUp(part.parameter, variables)) : undefined;
    }
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return undefined;
  }
}

function expandQuoted(parts: readonly WordPart[], variables: VariableValues): Fragment | undefined {
  const fragments = parts.map((part) =>
    part.type === 'SimpleExpansion'
      ? lookUp(part.text.slice(1), variables)
      : expandPart(part, variables),
  );
  const known = fragments.filter((fragment) => fragment !== undefined);
  if (known.length < fragments.length) return undefined;
  const values = combine(known.map((fragment) => fragment.values));
  if (values === undefined) return undefined;
  const variable = known.some((fragment) => fragment.variable === true);
  const choice = known.some((fragment) => fragment.choice === true);
  return { values, variable, choice };
}

function lookUp(name: string, variables: VariableValues): Fragment | undefined {
  const values = variables.get(name);
  if (values !== undefined) return { values, variable: true, choice: values.length > 1 };
  if (name === 'HOME') return { values: [homedir()], variable: true };
  return name === 'PWD' ? { values: ['.'], variable: true } : undefined;
}

/** Unquoted values would be split and expanded again. */
function unquoted(fragment: Fragment | undefined): Fragment | undefined {
  if (fragment === undefined || fragment.values.some((value) => /[\s*?[\]]/.test(value)))
    return undefined;
  return fragment.values.includes('') ? undefined : fragment;
}

/** `{a,b}` gives two words; ranges and nested braces stay unknown. */
function expandBraces(text: string): Fragment | undefined {
  const inside = text.slice(1, -1);
  if (/[{}$`'"\\]|\.\./.test(inside)) return undefined;
  const values = inside.split(',');
  return { values, glob: /[*?[]/.test(inside) };
}

function combine(fragments: readonly (readonly string[])[]): readonly string[] | undefined {
  let words: readonly string[] = [''];
  for (const values of fragments) {
    words = words.flatMap((start) => values.map((value) => start + value));
    if (words.length > MAX_WORDS) return undefined;
  }
  return words;
}

/** A quoted tilde is literal; another user's home is not known. */
function withHome(raw: string, value: string): string | undefined {
  if (!raw.startsWith('~')) return value;
  if (value === '~') return homedir();
  return value.startsWith('~/') ? homedir() + value.slice(1) : undefined;
}
