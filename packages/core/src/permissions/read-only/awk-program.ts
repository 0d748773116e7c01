import { hasClosedSets } from './sed-script.ts';

const MAX_LENGTH = 2_000;

/** Functions without side effects. */
const FUNCTIONS = new Set(
  'length substr split tolower toupper index match gsub sub sprintf int sqrt exp log sin cos atan2 rand gensub strftime systime asort asorti'.split(
    ' ',
  ),
);
const KEYWORDS = new Set(
  'if else while for do in next exit delete break continue print printf return BEGIN END'.split(
    ' ',
  ),
);
/** Built-in awk variables about the input; not `ARGV` and `ENVIRON`. */
const VARIABLES = new Set(
  'NR NF FS OFS RS ORS FNR FILENAME SUBSEP RSTART RLENGTH IGNORECASE OFMT CONVFMT'.split(' '),
);
/** Names that start programs, read or write files, or define functions and namespaces. */
const REFUSED = new Set(
  'getline system close fflush function func namespace nextfile switch case default load include eval'.split(
    ' ',
  ),
);

/** Whether a program only prints: no pipes, redirections, `getline` or user-defined functions. */
export function isAwkProgram(program: string): boolean {
  if (program.length > MAX_LENGTH || program.startsWith('-')) return false;
  return new AwkReader(program).isHarmless();
}

/**
 * Any other name is a variable. After `length` without parentheses, a slash divides in one implementation and starts an
 * expression in another.
 */
function kindOf(word: string): Before {
  if (KEYWORDS.has(word)) return 'operator';
  return FUNCTIONS.has(word) ? 'unsure' : 'value';
}

/** The token before a slash distinguishes a division from a regular expression; where implementations differ, neither is accepted. */
type Before = 'value' | 'operator' | 'unsure';

class AwkReader {
  #rest: string;
  #before: Before = 'operator';
  #braces = 0;
  /** One entry per open parenthesis: whether it belongs to an `if`, `while` or `for`. */
  readonly #parentheses: boolean[] = [];
  #lastWord = '';

  constructor(program: string) {
    this.#rest = program;
  }

  isHarmless(): boolean {
    while (this.#rest !== '') {
      if (!this.#readToken()) return false;
    }
    return this.#braces === 0 && this.#parentheses.length === 0;
  }

  #take(pattern: RegExp): string | undefined {
    const token = pattern.exec(this.#rest)?.[0];
    if (token !== undefined) this.#rest = this.#rest.slice(token.length);
    return token;
  }

  #readToken(): boolean {
    if (this.#take(/^[ \t]+/) !== undefined) return true;
    if (this.#take(/^(?:#[^\n]*)?\n/) !== undefined || this.#take(/^#[^\n]*$/) !== undefined) {
      this.#before = 'operator';
      return true;
    }
    if (
      this.#take(/^"(?:[^"\\\n]|\\[^\n])*"/) !== undefined ||
      this.#take(/^(?:\d+\.?\d*|\.\d+)/) !== undefined
    ) {
      this.#before = 'value';
      this.#lastWord = '';
      return true;
    }
    if (this.#rest.startsWith('/')) return this.#readSlash();
    const word = this.#take(/^[A-Za-z_]\w*/);
    return word === undefined ? this.#readOperator() : this.#readWord(word);
  }

  #readSlash(): boolean {
    if (this.#before === 'unsure') return false;
    if (this.#before === 'value') {
      this.#rest = this.#rest.slice(1);
      this.#before = 'operator';
      return true;
    }
    const expression = this.#take(/^\/(?:[^/\\\n]|\\[^\n])+\//);
    this.#before = 'value';
    return expression !== undefined && hasClosedSets(expression);
  }

  #readWord(word: string): boolean {
    if (REFUSED.has(word)) return false;
    // In the head of a `for`, a print is a statement whose `>` writes; other parentheses contain no print.
    if (/^printf?$/.test(word) && this.#parentheses.length > 0) return false;
    const called = /^[ \t]*\(/.test(this.#rest);
    if (called && !FUNCTIONS.has(word) && !KEYWORDS.has(word)) return false;
    if (!/^[a-z]/.test(word) && !VARIABLES.has(word) && !KEYWORDS.has(word)) return false;
    this.#before = kindOf(word);
    this.#lastWord = called ? word : '';
    return true;
  }

  #readOperator(): boolean {
    if (this.#take(/^(?:\+\+|--)/) !== undefined) {
      this.#before = 'unsure';
      return true;
    }
    if (this.#take(/^(?:\|\||&&|>=|<=|==|!=|!~)/) !== undefined) {
      this.#before = 'operator';
      return true;
    }
    const [character = ''] = this.#rest;
    if (!/^[{}()[\];,:?+\-*%^!<>=~$]$/.test(character)) return false;
    if (character === '>' && this.#braces > 0 && this.#parentheses.length === 0) return false;
    this.#rest = this.#rest.slice(1);
    return this.#readMark(character);
  }

  #readMark(character: string): boolean {
    const word = this.#lastWord;
    this.#lastWord = '';
    this.#before = character === ']' ? 'value' : 'operator';
    if (character === '{') this.#braces++;
    if (character === '}') this.#braces--;
    if (character === '(') this.#parentheses.push(/^(?:if|while|for)$/.test(word));
    if (character === ')') {
      const condition = this.#parentheses.pop();
      if (condition === undefined) return false;
      this.#before = condition ? 'operator' : 'value';
    }
    return this.#braces >= 0;
  }
}
