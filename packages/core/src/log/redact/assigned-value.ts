import {
  ALNUM,
  isBlank,
  isEscapeLetter,
  isIn,
  isQuote,
  NAME,
  runEnd,
  type SourceText,
} from './characters.ts';
import type { Rule, SecretStart, Verdict } from './scan.ts';
import { beginningOf, quoted, until } from './secret-end.ts';
import { mayEndSecretName, type NameKind, nameKind } from './secret-names.ts';
import { type Assignment, isBareSecret, isQuotedSecret } from './value-shape.ts';

const LONGEST_NAME = 64;
const MAX_BACKSLASHES = 24;
const MAX_BLANKS = 8;
/** Number of characters read to decide whether a value is a secret. */
const QUOTED_SAMPLE_LENGTH = 128;
const LOOK_AT_BARE = 64;

const KIND = 'value';

/** `:` or `=` between a secret name and its value: environment files, JSON at any depth, YAML, headers, queries, code. */
export const assignedValue: Rule = (text, at, final) => {
  const name = nameBefore(text, at);
  if (name === undefined) return undefined;
  const isEquals = text.charCodeAt(at) === 61;
  if (at + 1 === text.length) return final ? undefined : 'open';
  const after = text.charCodeAt(at + 1);
  // `==`, `::` and `=~` compare or qualify, `:=` and `=>` assign.
  if (after === 126 || (isEquals && after === 61) || (!isEquals && after === 58)) return undefined;
  const isLong = after === (isEquals ? 62 : 61);
  const valueAt = skipBlanks(text, at + (isLong ? 2 : 1));
  const isTight = valueAt === at + 1 && isIn(NAME, text.charCodeAt(at - 1));
  const separator = isEquals ? '=' : ':';
  return judgeValue(text, valueAt, {
    final,
    assigned: describe(name, {
      separator: isEquals && isLong ? '=>' : separator,
      isEnvironment: isEquals && isTight && /^[A-Z0-9_]+$/.test(name.text),
    }),
  });
};

/** Whether the separator at `at` follows a name that cannot be secret: a cheap check before `assignedValue`. */
export function followsPlainName(text: SourceText, at: number): boolean {
  if (at < 2) return false;
  const isQuoted = isQuote(text.charCodeAt(at - 1));
  const last = isQuoted ? at - 2 : at - 1;
  if (!isIn(ALNUM, text.charCodeAt(last)) || mayEndSecretName(text, last)) return false;
  return isQuoted || !mayEndType(text, last);
}

/** `--password value` on a command line. */
export const flagValue: Rule = (text, at, final) => {
  if (at > 0 && isIn(NAME, text.charCodeAt(at - 1))) return undefined;
  const end = runEnd(text, at + 2, { set: NAME, limit: at + LONGEST_NAME });
  if (end === text.length) return final ? undefined : 'open';
  if (!isBlank(text.charCodeAt(end))) return undefined;
  return wordValue(text, end, { name: text.slice(at + 2, end), final });
};

/** `password value`, as in a .netrc file. */
export const passwordWord: Rule = (text, at, final) =>
  wordValue(text, at + 'password'.length, { name: 'password', final });

function wordValue(
  text: SourceText,
  from: number,
  { name, final }: { readonly name: string; readonly final: boolean },
): Verdict {
  const kind = nameKind(name);
  if (kind !== 'secret' && kind !== 'weak') return undefined;
  const assigned = describe({ text: name, kind, isQuoted: false }, { separator: ' ' });
  return judgeValue(text, skipBlanks(text, from), { assigned, final });
}

interface NameBefore {
  readonly text: string;
  readonly kind: NameKind;
  readonly isQuoted: boolean;
}

/** The secret name that ends before the separator at `at`. */
function nameBefore(text: SourceText, at: number): NameBefore | undefined {
  let last = skipBlanksBack(text, at - 1);
  // `config["password"] =` and `password?:`.
  const mark = text.charCodeAt(last);
  if (mark === 93 || (mark === 63 && text.charCodeAt(at) === 58)) last--;
  const isQuoted = isQuote(text.charCodeAt(last));
  if (isQuoted) last = skipBackslashesBack(text, last - 1);
  const name = readNameBack(text, last, isQuoted);
  return name === undefined && !isQuoted ? typedNameBefore(text, last) : name;
}

function readNameBack(text: SourceText, last: number, isQuoted: boolean): NameBefore | undefined {
  if (last < 1 || !mayEndSecretName(text, last)) return undefined;
  let first = last;
  const lowest = Math.max(0, last - LONGEST_NAME);
  while (first > lowest && isIn(NAME, text.charCodeAt(first - 1))) first--;
  // The kind in `[REDACTED:api-key:…]` is no name, and what follows it no secret.
  if (text.charCodeAt(first - 1) === 58 && text.slice(first - 10, first) === '[REDACTED:') {
    return undefined;
  }
  const isEscape = text.charCodeAt(first - 1) === 92 && isEscapeLetter(text.charCodeAt(first));
  const word = text.slice(isEscape ? first + 1 : first, last + 1);
  const name = COLOUR.test(word) ? word.replace(COLOUR, '') : word;
  const kind = nameKind(name);
  return kind === 'plain' || kind === 'exempt' ? undefined : { text: name, kind, isQuoted };
}

/** The end of an escape that colours what follows. */
const COLOUR = /^\d{1,3}m/;

/** `apiKey: string = …`, `api_key: &str = …`, `var apiKey string = …`. */
function typedNameBefore(text: SourceText, last: number): NameBefore | undefined {
  if (!mayEndType(text, last)) return undefined;
  const before = text.slice(Math.max(0, last - 16), last + 1);
  const type = /\??\s?(?::\s?|\s)&?(?:[sS]tring|str)$/.exec(before)?.[0];
  if (type === undefined) return undefined;
  return readNameBack(text, last - type.length, false);
}

/** Whether `string` or `str` may end at `last`. */
function mayEndType(text: SourceText, last: number): boolean {
  const code = text.charCodeAt(last);
  if (code !== 103 && code !== 114) return false;
  return text.charCodeAt(last - 1) === (code === 103 ? 110 : 116);
}

function describe(
  name: NameBefore,
  how: Pick<Assignment, 'separator'> & { readonly isEnvironment?: boolean },
): Assignment {
  return {
    name: name.text,
    isStrongName: name.kind !== 'weak',
    isNameQuoted: name.isQuoted,
    isEnvironment: how.isEnvironment ?? false,
    separator: how.separator,
  };
}

interface Judged {
  readonly assigned: Assignment;
  readonly final: boolean;
}

function judgeValue(text: SourceText, valueAt: number, judged: Judged): Verdict {
  if (valueAt >= text.length) return judged.final ? undefined : 'open';
  const quote = openingQuote(text, valueAt);
  if (quote === 'open') return judged.final ? undefined : 'open';
  if (quote !== undefined) return judgeQuoted(text, quote, judged);
  const code = text.charCodeAt(valueAt);
  if (code === 91 && judged.assigned.isNameQuoted) return listOf(text, valueAt + 1, judged);
  return code === 92 ? undefined : judgeBare(text, valueAt, judged);
}

interface OpeningQuote {
  /** The first character of the value. */
  readonly start: number;
  readonly quote: number;
  readonly depth: number;
}

function openingQuote(text: SourceText, at: number): OpeningQuote | 'open' | undefined {
  let quoteAt = at;
  while (quoteAt - at < MAX_BACKSLASHES && text.charCodeAt(quoteAt) === 92) quoteAt++;
  if (quoteAt === text.length) return 'open';
  const quote = text.charCodeAt(quoteAt);
  return isQuote(quote) ? { start: quoteAt + 1, quote, depth: quoteAt - at } : undefined;
}

function judgeQuoted(
  text: SourceText,
  { start, quote, depth }: OpeningQuote,
  { assigned, final }: Judged,
): Verdict {
  const end = quoted(quote, depth);
  const seen = beginningOf(text, start, { end, limit: QUOTED_SAMPLE_LENGTH, final });
  if (seen === undefined) return 'open';
  // The quote closed a text such as 'password: ' that code goes on to put together.
  if (!assigned.isNameQuoted && CODE_GOES_ON.test(seen.value + seen.next)) return undefined;
  if (!isQuotedSecret(seen.value, assigned)) return undefined;
  return { start, kind: KIND, end: quoted(quote, depth) };
}

const CODE_GOES_ON = /^\s*(?:[,;)\]}+]|\\?[\r\n]|\\n|$)/;

/** `"tokens": ["…", "…"]`. */
function listOf(text: SourceText, from: number, judged: Judged): Verdict {
  let at = from;
  while (at - from < MAX_BACKSLASHES && isListSpace(text, at)) at++;
  if (at === text.length) return judged.final ? undefined : 'open';
  const quote = openingQuote(text, at);
  if (quote === 'open') return judged.final ? undefined : 'open';
  const verdict = quote && judgeQuoted(text, quote, judged);
  if (typeof verdict !== 'object') return verdict;
  return { ...verdict, next: nextOfList(judged.assigned) } satisfies SecretStart;
}

function nextOfList(assigned: Assignment): Rule {
  return (text, at, final) => {
    let after = at;
    while (after - at < MAX_BACKSLASHES && text.charCodeAt(after) === 92) after++;
    if (after + 1 >= text.length) return final ? undefined : 'open';
    if (!isQuote(text.charCodeAt(after)) || text.charCodeAt(after + 1) !== 44) return undefined;
    return listOf(text, after + 2, { assigned, final });
  };
}

function isListSpace(text: SourceText, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 32) return true;
  const next = text.charCodeAt(at + 1);
  return code === 92
    ? next === 92 || isEscapeLetter(next)
    : isEscapeLetter(code) && text.charCodeAt(at - 1) === 92;
}

function judgeBare(text: SourceText, start: number, { assigned, final }: Judged): Verdict {
  const stops = assigned.isEnvironment ? endsWord : endsBareValue;
  const seen = beginningOf(text, start, { end: until(stops), limit: LOOK_AT_BARE, final });
  if (seen === undefined) return 'open';
  if (!isBareSecret(seen.value, seen.next, assigned)) return undefined;
  return { start, kind: KIND, end: until(stops) };
}

/** White space, quotes, backslashes, `;` and `|`. */
function endsWord(code: number): boolean {
  return code <= 32 || isQuote(code) || code === 92 || code === 59 || code === 124;
}

/** As `endsWord`, and `, & < > ( ) { } [ ]`. */
function endsBareValue(code: number): boolean {
  if (endsWord(code)) return true;
  return code < 128 && BARE_STOPS[code] === 1;
}

const BARE_STOPS = Uint8Array.from({ length: 128 }, (_, code) =>
  ',&<>(){}[]'.includes(String.fromCharCode(code)) ? 1 : 0,
);

function skipBlanks(text: SourceText, from: number): number {
  let at = from;
  while (at - from < MAX_BLANKS && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function skipBlanksBack(text: SourceText, from: number): number {
  let at = from;
  while (from - at < MAX_BLANKS && isBlank(text.charCodeAt(at))) at--;
  return at;
}

function skipBackslashesBack(text: SourceText, from: number): number {
  let at = from;
  while (from - at < MAX_BACKSLASHES && text.charCodeAt(at) === 92) at--;
  return at;
}
