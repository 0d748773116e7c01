/** A mark, or a reference that a program puts a value in for. */
const REFERENCE =
  /^(?:\[REDACTED|\$\{|\$\(|\{\{|\$[A-Z_][A-Z0-9_]*$|%[A-Z_][A-Z0-9_]*%|<[^<>]{0,80}>$|process\.env|import\.meta|os\.(?:environ|getenv)|env[.([])/;

/** What documentation shows in the place of a secret. */
const EXAMPLE = /^(?:(?:your|example|changeme|dummy|placeholder|insert)[a-z-_ ]*|[*x.-]{3,})$/i;

const WORD_VALUE =
  /^(?:null|undefined|true|false|none|nil|string|number|boolean|object|bytes|str|optional|required|unknown|any|void|never)\b/i;

export function isStandIn(value: string): boolean {
  return REFERENCE.test(value) || EXAMPLE.test(value) || value.includes('${');
}

/** Letters and digits so mixed that nobody would speak them. */
export function looksRandom(value: string): boolean {
  if (value.length < 8 || !/[A-Za-z]/.test(value) || isWordLike(value)) return false;
  return /\d/.test(value) || (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value));
}

/** Names as they stand in code: most of their letters belong to words that can be spoken, and numbers are few. */
function isWordLike(value: string): boolean {
  const isShort = value.length < 20;
  const { all, numbers, spoken } = countParts(value);
  return numbers <= (isShort ? 2 : 1) && spoken >= all * (isShort ? 0.55 : 0.7);
}

/** How many letters and digits there are, how many numbers, and how many letters in words that can be spoken. */
function countParts(value: string): { all: number; numbers: number; spoken: number } {
  const isConstant = value.length < 12 || value.includes('_');
  let [all, numbers, spoken, run, before] = [0, 0, 0, 0, OTHER];
  // One step further than the text, so that the last word ends too.
  for (let at = 0; at <= value.length; at++) {
    const kind = kindOf(value.charCodeAt(at));
    if (kind !== OTHER) all++;
    if (kind === before) {
      run++;
      continue;
    }
    const isWord = before === SMALL || (before === CAPITAL && isConstant);
    if (isWord && run >= 3 && canBeSpoken(value.slice(at - run, at))) spoken += run;
    if (kind === DIGIT) numbers++;
    before = kind;
    run = 1;
  }
  return { all, numbers, spoken };
}

const [OTHER, DIGIT, SMALL, CAPITAL] = [0, 1, 2, 3];

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return SMALL;
  if (code >= 65 && code <= 90) return CAPITAL;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

function canBeSpoken(word: string): boolean {
  return /[aeiouy]/i.test(word) && !/[^aeiouy]{4}/i.test(word);
}

/** How a value is assigned to a secret name. */
export interface Assignment {
  readonly name: string;
  /** Whether the name alone makes its value a secret. */
  readonly isStrongName: boolean;
  readonly isNameQuoted: boolean;
  /** `NAME=value` as in an environment file or a command line. */
  readonly isEnvironment: boolean;
  readonly separator: ':' | '=' | '=>' | ' ';
}

const isPasswordName = ({ name }: Assignment): boolean =>
  /(?:pass(?:word|wd|phrase|code)|pwd)s?$/i.test(name);

const isTokenName = ({ name }: Assignment): boolean => /tokens?$/i.test(name);

/** Counts, sizes, times and versions. */
const NUMBER = /^[\^~<>=]*\d[\d.,_:]*[a-z]{0,2}$/i;

/** `API_KEY`, `AUTH2`, `./keys.json`: the name of something, or where it lies. */
const NAME_OR_PATH = /^[A-Z]+(?:_[A-Z0-9]+)*\d{0,2}$|^\.{1,2}\//;

/** Whether a quoted value is a secret; `value` is its beginning. */
export function isQuotedSecret(value: string, assigned: Assignment): boolean {
  if (value.trim() === '' || isStandIn(value) || NAME_OR_PATH.test(value)) return false;
  if (NUMBER.test(value) && isTokenName(assigned)) return false;
  if (!assigned.isStrongName) return looksRandom(value);
  if (WORD_VALUE.test(value) && value.length < 24) return false;
  if (assigned.isEnvironment) return true;
  if (assigned.isNameQuoted && assigned.separator === ':') return !isLabel(value);
  return looksRandom(value) || (isPasswordName(assigned) && /\d/.test(value) && !isLabel(value));
}

const LABEL_WORDS = /pass|token|secret|key|cookie|enter|must|your|invalid|missing|required|\bis\b/i;

/** What a person reads in a form or a message; a passphrase has words too, but not these. */
function isLabel(value: string): boolean {
  if (/\d/.test(value)) return false;
  if (/[\u0080-\uffff]{2}/.test(value)) return true;
  if (!/^[A-Za-z]+(?:[\s-]+[A-Za-z,.'?!:()/*]+)+$/.test(value)) return false;
  return /^[A-Z]/.test(value) || LABEL_WORDS.test(value);
}

/** Whether a value without quotes is a secret; `next` is the character behind it. */
export function isBareSecret(value: string, next: string, assigned: Assignment): boolean {
  if (isStandIn(value) || WORD_VALUE.test(value) || /^[$(<{%[/~.@&*#!?|^=:]/.test(value))
    return false;
  if ('([{'.includes(next) && next !== '') return false;
  if (isReference(value)) return false;
  if (!assigned.isStrongName) return looksRandom(value);
  if (NUMBER.test(value) && isTokenName(assigned)) return false;
  if (assigned.isEnvironment)
    return value.length >= 4 && !/^\d{1,3}$|^[A-Za-z_$][\w$.]*[([]/.test(value);
  if (NUMBER.test(value)) return isPasswordName(assigned) && /^\d{6,}$/.test(value);
  return looksRandom(value);
}

/** `user.password`, `this.#token`, `0x1F`: code, not a value. */
function isReference(value: string): boolean {
  return /^(?:[A-Za-z_$][\w$]*(?:[?!]?\.#?[A-Za-z_$][\w$]*)+[;!]?|0x[0-9a-f]+)$/i.test(value);
}
