import type { OptionValue, Positional, ProgramDeclaration } from './declaration.ts';
import { refuse } from './refusal.ts';
import type { JudgedWord, JudgementScope } from './scope.ts';
import { checkValue } from './value-kinds.ts';
import { readablePaths } from './walk-path.ts';

export interface MatchOptions {
  readonly scope: JudgementScope;
  /** Names of regular files in the project follow, as `find -exec` passes them. */
  readonly fed?: boolean | undefined;
}

/** Refuses unless every word matches the declaration. */
export function matchArguments(
  declaration: ProgramDeclaration,
  words: readonly JudgedWord[],
  options: MatchOptions,
): void {
  if (declaration.one && words.length !== 1)
    refuse(`${declaration.name} would do more than tell its version`);
  const matching = new ArgumentMatch(declaration, options);
  matching.read(words);
  matching.finish();
}

/** How many words are options of a program that starts another, plus its own words after them. */
export function skipOptions(
  declaration: ProgramDeclaration,
  words: readonly JudgedWord[],
  options: MatchOptions,
): number {
  const matching = new ArgumentMatch(declaration, options);
  const at = matching.readLeading(words);
  const own = words.slice(at, at + (declaration.wraps ?? 0));
  for (const [index, word] of own.entries()) {
    matching.checkPositional(declaration.positionals[index], word);
  }
  if (own.length < (declaration.wraps ?? 0)) refuse(`${declaration.name} lacks a word`);
  return at + own.length;
}

class ArgumentMatch {
  readonly #declaration: ProgramDeclaration;
  readonly #options: MatchOptions;
  readonly #seen = new Set<string>();
  readonly #rest: JudgedWord[] = [];

  constructor(declaration: ProgramDeclaration, options: MatchOptions) {
    this.#declaration = declaration;
    this.#options = options;
  }

  read(words: readonly JudgedWord[]): void {
    const takesText = this.#declaration.positionals[0]?.kind === 'any';
    let ended = takesText;
    for (let index = 0; index < words.length; index++) {
      const word = words[index];
      if (word === undefined) break;
      if (ended || !mayBeOption(word)) this.#rest.push(word);
      else if (optionText(word, this.#declaration.name) === '--') ended = true;
      else index += this.#readOption(optionText(word, this.#declaration.name), words[index + 1]);
    }
  }

  /** Reads options up to the first other word and returns its index. */
  readLeading(words: readonly JudgedWord[]): number {
    let index = 0;
    for (; index < words.length; index++) {
      const word = words[index];
      if (word === undefined || !mayBeOption(word)) return index;
      const text = optionText(word, this.#declaration.name);
      if (text === '--') return index + 1;
      index += this.#readOption(text, words[index + 1]);
    }
    return index;
  }

  finish(): void {
    const { name, positionals } = this.#declaration;
    const rest = [...this.#rest];
    const expected = positionals.filter(
      (each) => !each.unless.some((option) => this.#seen.has(option)),
    );
    const fed = this.#options.fed === true;
    for (const positional of expected) {
      let count = 0;
      for (; rest.length > 0 && count < positional.most; count++) {
        this.checkPositional(positional, rest.shift());
      }
      const takesFed = fed && positional.most > 1 && /^(?:path|file)$/.test(positional.kind);
      if (count < positional.least && !takesFed) refuse(`${name} lacks a word`);
      if (takesFed && rest.length === 0) return;
    }
    if (rest.length > 0) refuse(`${name} is given too many words`);
    if (fed) refuse(`${name} would be given names of files`);
  }

  checkPositional(positional: Positional | undefined, word: JudgedWord | undefined): void {
    if (positional === undefined || word === undefined) return;
    if (positional.kind === 'any') return;
    if (word.values === undefined) refuse('a word is known only at run time');
    else for (const value of word.values) this.#check(positional.kind, value);
  }

  /** How many more words the option takes. */
  #readOption(text: string, next: JudgedWord | undefined): 0 | 1 {
    const { number } = this.#declaration;
    if (text.startsWith('--')) return this.#readLong(text, next);
    if (number && /^-\d{1,9}$/.test(text)) return 0;
    return this.#readLetters(text, next);
  }

  #readLong(text: string, next: JudgedWord | undefined): 0 | 1 {
    const equals = text.indexOf('=');
    const name = text.slice(2, equals === -1 ? undefined : equals);
    const value = this.#declaration.longs.get(name);
    if (value === undefined) return refuse(`${this.#declaration.name} --${name} is not declared`);
    this.#seen.add(`--${name}`);
    if (value === null) return equals === -1 ? 0 : refuse(`--${name} is given a value`);
    if (equals === -1) return value.joined ? 0 : this.#take(value, next);
    this.#check(value.kind, text.slice(equals + 1));
    return 0;
  }

  #readLetters(text: string, next: JudgedWord | undefined): 0 | 1 {
    const { flags, letters, name } = this.#declaration;
    this.#checkCombined(text);
    for (let at = 1; at < text.length; at++) {
      const letter = text[at] ?? '';
      const value = letters.get(letter);
      // Both a flag and an option with an attached value: the next character decides.
      const isFlag = flags.has(letter) && (value === undefined || at + 1 === text.length);
      this.#seen.add(`-${letter}`);
      if (isFlag) continue;
      if (value === undefined) return refuse(`${name} -${letter} is not declared`);
      if (at + 1 === text.length) return value.joined ? 0 : this.#take(value, next);
      this.#checkAttached(value, text.slice(at + 1));
      return 0;
    }
    return 0;
  }

  /** Such a program reads only the first letter of a word, and the next words in another way than combined letters. */
  #checkCombined(text: string): void {
    const { single, letters, name } = this.#declaration;
    if (single && text.length > 2 && !letters.has(text[1] ?? ''))
      refuse(`${name} takes one option in each word`);
  }

  /** Where a value must be the next word, letters attached to the option are further options. */
  #checkAttached({ kind, apart }: OptionValue, attached: string): void {
    if (apart) refuse(`${this.#declaration.name} takes ${attached} as further options`);
    this.#check(kind, attached);
  }

  /** Where options end at the first other word (BSD, POSIXLY_CORRECT), this value would be another file. */
  #take(value: OptionValue, next: JudgedWord | undefined): 1 {
    const { permutes, positionals, name } = this.#declaration;
    if (next?.values === undefined || next.glob === true)
      return refuse(`the value of an option of ${name} is known only at run time`);
    const mayBeFile = !permutes && this.#rest.length > 0 && positionals.some(namesFile);
    for (const each of next.values) {
      this.#check(value.kind, each);
      if (mayBeFile && each !== '') readablePaths(each, this.#options.scope);
    }
    return 1;
  }

  #check(kind: string, value: string): void {
    if (!checkValue(kind, value, this.#options.scope))
      refuse(`“${value.slice(0, 40)}” is not what ${this.#declaration.name} may be given here`);
  }
}

function namesFile({ kind }: Positional): boolean {
  return kind === 'path' || kind === 'file';
}

/** A word known only at run time may be an option. */
function mayBeOption({ values }: JudgedWord): boolean {
  return values === undefined || values.some((value) => value.startsWith('-') && value !== '-');
}

function optionText({ values, glob }: JudgedWord, name: string): string {
  const [only, ...others] = values ?? [];
  if (only === undefined || others.length > 0)
    return refuse(`an option of ${name} is known only at run time`);
  return glob === true ? refuse('a file is named like an option') : only;
}
