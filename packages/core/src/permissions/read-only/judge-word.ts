import type { ParameterExpansionPart, SimpleExpansionPart, Word, WordPart } from 'unbash';
import { expandGlob } from './expand-glob.ts';
import { refuse } from './refusal.ts';
import type { JudgedWord, JudgementScope } from './scope.ts';
import { escapeInQuotes, quoteWord } from './shell-quote.ts';

const MAX_WORDS = 400;

/** Checks a command substitution and returns its rendered text. */
export type JudgeSubstitution = (
  part: Extract<WordPart, { type: 'CommandExpansion' }>,
  scope: JudgementScope,
) => string;

export interface WordContext {
  readonly scope: JudgementScope;
  readonly judgeSubstitution: JudgeSubstitution;
  /** The value of an assignment, a redirection or a here-string: never split, never a glob. */
  readonly single?: boolean;
}

/** The words that one word of the source expands to. */
export function judgeWord(word: Word | undefined, context: WordContext): readonly JudgedWord[] {
  if (word === undefined) return refuse('a word is missing');
  // The common case: plain text.
  if (word.parts === undefined && /^[\w./:@%+,=-]+$/.test(word.text) && word.text === word.value)
    return [{ values: [word.value], text: quoteWord(word.value) }];
  const builder = new WordBuilder(context);
  const parts = word.parts ?? [
    { type: 'Literal', value: word.value, text: word.text, pos: word.pos, end: word.end } as const,
  ];
  for (const [index, part] of parts.entries()) builder.add(part, index === 0 ? 'start' : 'later');
  return builder.finish();
}

/** The known value of a word that must not expand to several. */
export function singleValue(word: Word | undefined, context: WordContext): string {
  const words = judgeWord(word, { ...context, single: true });
  const [value, ...others] = words[0]?.values ?? [];
  if (words.length !== 1 || value === undefined || others.length > 0)
    return refuse('a word is known only at run time');
  return value;
}

/** The values of words that must all be known. */
export function plainValues(name: string, words: readonly JudgedWord[]): readonly string[] {
  return words.map((word) => {
    const [only, ...others] = word.values ?? [];
    return only === undefined || others.length > 0
      ? refuse(`a word of ${name} is known only at run time`)
      : only;
  });
}

/** One possible expansion of a word: as text, and as a pattern in which `\` escapes literal characters. */
interface Outcome {
  readonly value: string;
  readonly pattern: string;
}

type PartPlace = 'start' | 'later' | 'quoted';

/** Variables whose values are not secret and do not change while the command runs. */
const READABLE_VARIABLES = new Set(['HOME', 'USER', 'SHELL', 'LANG', 'TERM']);

class WordBuilder {
  readonly #context: WordContext;
  #outcomes: readonly Outcome[] = [{ value: '', pattern: '' }];
  #text = '';
  #unknown = false;
  #status = false;
  #splits = false;
  #variable = false;
  #glob = false;
  #braces = false;

  constructor(context: WordContext) {
    this.#context = context;
  }

  add(part: WordPart, place: PartPlace): void {
    switch (part.type) {
      case 'Literal':
        this.#plain(this.#withHome(part.value, part.text, place), place);
        break;
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        this.#plain(part.value, place);
        break;
      case 'DoubleQuoted':
        this.#text += '"';
        for (const child of part.parts) this.add(child, 'quoted');
        this.#text += '"';
        break;
      case 'SimpleExpansion':
        this.#expand(part.text.slice(1), part, place);
        break;
      case 'ParameterExpansion':
        if (part.prefix ?? part.index ?? part.operation) refuse('a variable is changed or indexed');
        this.#expand(part.parameter, part, place);
        break;
      case 'CommandExpansion':
        this.#substitute(part, place);
        break;
      case 'Glob':
        this.#addPattern(part.text, place);
        break;
      case 'BraceExpansion':
        this.#addBraces(part.text, place);
        break;
      default:
        refuse(`“${part.text.slice(0, 40)}” is not in the grammar`);
    }
  }

  finish(): readonly JudgedWord[] {
    const mixed = this.#unknown || this.#variable;
    if (mixed && (this.#glob || this.#braces)) refuse('a word mixes patterns and variables');
    if (this.#unknown) {
      const status = this.#status && /^"?\$\?"?$/.test(this.#text);
      return [{ text: this.#text, splits: this.#splits, status }];
    }
    if (this.#glob || this.#braces) return this.#outcomes.flatMap((each) => this.#words(each));
    const [only] = this.#outcomes;
    const text = this.#outcomes.length === 1 && only ? quoteWord(only.value) : this.#text;
    return [{ values: this.#outcomes.map((each) => each.value), text, variable: this.#variable }];
  }

  #words({ value, pattern }: Outcome): readonly JudgedWord[] {
    const names = /(?<!\\)[*?[]/.test(pattern) ? expandGlob(pattern, this.#context.scope) : [];
    // A pattern without matches stays as written.
    if (names.length === 0) return [{ values: [value], text: quoteWord(value) }];
    return names.map((each) => ({ values: [each], text: quoteWord(each), glob: true }));
  }

  #plain(value: string, place: PartPlace): void {
    if (value.includes('\0')) refuse('a word holds a NUL character');
    this.#append([value]);
    if (place === 'quoted') this.#text += escapeInQuotes(value);
    else if (value !== '') this.#text += quoteWord(value);
  }

  #append(values: readonly string[]): void {
    this.#appendOutcomes(values.map((value) => ({ value, pattern: escapePattern(value) })));
  }

  #appendOutcomes(added: readonly Outcome[]): void {
    if (this.#outcomes.length * added.length > MAX_WORDS) refuse('a word becomes too many');
    this.#outcomes = this.#outcomes.flatMap((start) =>
      added.map((end) => ({
        value: start.value + end.value,
        pattern: start.pattern + end.pattern,
      })),
    );
  }

  #withHome(value: string, text: string, place: PartPlace): string {
    if (place === 'quoted' || !text.includes('~')) return value;
    if (place === 'start' && /^~(?:\/|$)/.test(text)) {
      const home = this.#context.scope.policy.environment.HOME;
      return home ? home + value.slice(1) : refuse('there is no home directory');
    }
    const means = place === 'start' ? text.startsWith('~') : false;
    return means || /[=:]~/.test(text) ? refuse('a tilde means another home') : value;
  }

  #expand(
    name: string,
    part: SimpleExpansionPart | ParameterExpansionPart,
    place: PartPlace,
  ): void {
    const quoted = place === 'quoted';
    if (name === '?') {
      this.#unknown = true;
      this.#status = true;
      this.#text += '$?';
      return;
    }
    this.#variable = true;
    const known = this.#context.scope.variables.get(name);
    const values = known === undefined ? [this.#environmentValue(name, part)] : known.values;
    if (values === undefined) {
      if (!quoted) refuse(`$${name} stands outside quotes`);
      this.#unknown = true;
      this.#text += `\${${known?.renamed}}`;
      return;
    }
    if (!quoted && this.#context.single !== true && values.some(wouldSplit))
      refuse(`$${name} would be split`);
    this.#append(values);
    if (known?.renamed !== undefined) {
      this.#text += quoted ? `\${${known.renamed}}` : `"\${${known.renamed}}"`;
    } else this.#text += quoted ? escapeInQuotes(values[0] ?? '') : quoteWord(values[0] ?? '');
  }

  #environmentValue(name: string, part: SimpleExpansionPart | ParameterExpansionPart): string {
    const { policy, directories } = this.#context.scope;
    if (name === 'PWD' && directories.length === 1) return directories[0] ?? '';
    if (!READABLE_VARIABLES.has(name))
      return refuse(`${part.text} is not set by the command itself`);
    return policy.environment[name] ?? '';
  }

  #substitute(part: Extract<WordPart, { type: 'CommandExpansion' }>, place: PartPlace): void {
    this.#unknown = true;
    this.#splits ||= place !== 'quoted' && this.#context.single !== true;
    this.#text += `$(${this.#context.judgeSubstitution(part, this.#context.scope)}\n)`;
  }

  #addPattern(text: string, place: PartPlace): void {
    if (place === 'quoted' || this.#context.single === true) refuse('a pattern stands here');
    const plain = text === '*' || text === '?' || /^\[[!^]?[\w.]+(?:-[\w.]+)*\]$/.test(text);
    if (!plain) refuse(`the pattern ${text} is not in the grammar`);
    this.#glob = true;
    this.#appendOutcomes([{ value: text, pattern: text }]);
  }

  #addBraces(text: string, place: PartPlace): void {
    if (place === 'quoted' || this.#context.single === true) refuse('braces stand here');
    this.#braces = true;
    this.#append(bracedWords(text));
  }
}

/** `{a,b}` and `{1..5}` without special characters inside. */
function bracedWords(text: string): readonly string[] {
  const list = /^\{([^{}$`'"\\*?[~]*,[^{}$`'"\\*?[~]*)\}$/.exec(text)?.[1];
  if (list !== undefined) return list.split(',');
  const [, from = '', to = ''] = /^\{(0|[1-9]\d{0,3})\.\.(0|[1-9]\d{0,3})\}$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === '' || Math.abs(first - last) > 200) return refuse(`${text} is not in the grammar`);
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(first - last) + 1 }, (_, at) => String(first + at * step));
}

function wouldSplit(value: string): boolean {
  return value === '' || /[\s*?[\\]/.test(value);
}

function escapePattern(value: string): string {
  return value.replaceAll(/[\\*?[\]{}]/g, '\\$&');
}
