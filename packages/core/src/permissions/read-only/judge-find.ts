import { refuse } from './refusal.ts';
import type { JudgedWord, JudgementScope } from './scope.ts';
import { quoteWord } from './shell-quote.ts';
import { checkValue } from './value-kinds.ts';

export interface FindContext {
  readonly scope: JudgementScope;
  /** Checks a program that gets names of regular files after these words. */
  readonly judgeInner: (name: string, words: readonly JudgedWord[]) => string;
}

/** Tests and actions without an operand. */
const PLAIN = new Set(
  '-print -print0 -ls -prune -not ! ( ) -o -or -a -and , -empty -depth -xdev -mount -true -false -executable -readable -writable -daystart -noleaf -nouser -nogroup'.split(
    ' ',
  ),
);

/** Tests with one operand, by its kind. */
const WITH_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    glob: '-name -iname -path -ipath -wholename -lname',
    pat: '-regex -iregex',
    word: '-regextype -type -perm -user -group',
    fnum: '-size -mtime -mmin -atime -ctime -cmin -amin -links',
    num: '-maxdepth -mindepth',
    path: '-newer -samefile',
    text: '-newermt -printf',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
);

/** Renders a `find` that prints, or passes regular files of the project to a read-only program. */
export function judgeFind(
  name: string,
  words: readonly JudgedWord[],
  context: FindContext,
): string {
  const at = startPaths(words, context.scope);
  const texts = at === 0 ? ['.'] : words.slice(0, at).map((word) => word.text);
  const expression = words.slice(at);
  for (let index = 0; index < expression.length; index++) {
    const test = soleValue(expression[index]);
    if (PLAIN.has(test)) {
      texts.push(quoteWord(test));
      continue;
    }
    if (test === '-exec') {
      const end = execEnd(expression, index);
      texts.push(
        judgeExec(expression.slice(0, index), expression.slice(index + 1, end + 1), context),
      );
      index = end;
      continue;
    }
    const kind = WITH_WORD.get(test) ?? refuse(`find ${test} is not declared`);
    const operand = expression[++index];
    if (operand?.values === undefined || operand.glob === true)
      return refuse(`the word of find ${test} is known only at run time`);
    for (const value of operand.values) {
      if (!checkValue(kind, value, context.scope)) refuse(`find ${test} ${value}`);
    }
    texts.push(test, operand.text);
  }
  return `${quoteWord(name)} ${texts.join(' ')}`;
}

/** How many words are starting paths. */
function startPaths(words: readonly JudgedWord[], scope: JudgementScope): number {
  let at = 0;
  for (; at < words.length; at++) {
    const values = words[at]?.values ?? refuse('a word of find is known only at run time');
    if (values.some((value) => /^-|^[!(),]$/.test(value))) break;
    for (const value of values) checkValue('path', value, scope);
  }
  return at;
}

function soleValue(word: JudgedWord | undefined): string {
  const [value, ...others] = word?.values ?? [];
  if (value === undefined || others.length > 0 || word?.glob === true)
    return refuse('a word of find is known only at run time');
  return value;
}

function execEnd(words: readonly JudgedWord[], from: number): number {
  const end = words.findIndex(
    (word, at) =>
      at > from &&
      (word.values?.[0] === ';' ||
        (word.values?.[0] === '+' && words[at - 1]?.values?.[0] === '{}')),
  );
  return end === -1 ? refuse('find -exec has no end') : end;
}

function judgeExec(
  before: readonly JudgedWord[],
  words: readonly JudgedWord[],
  { judgeInner }: FindContext,
): string {
  if (!findsOnlyFiles(before)) refuse('find -exec without -type f before it');
  const values = words.map(soleValue);
  const [name = '', end = ''] = [values[0], values.at(-1)];
  const places = values.filter((value) => value.includes('{}'));
  if (places.length !== 1 || values.at(-2) !== '{}' || values.length < 3)
    refuse('find -exec gives the names elsewhere than at the end');
  return `-exec ${judgeInner(name, words.slice(1, -2))} '{}' ${quoteWord(end)}`;
}

/** Whether every printed name is a regular file: `-print0` comes once, at the end, after all tests. */
export function printsOnlyFiles(words: readonly JudgedWord[]): boolean {
  const values = words.map((word) => word.values?.[0] ?? '');
  const others = values
    .slice(0, -1)
    .filter((value) => /^-(?:print|fprint|ls|fls|exec|ok)/.test(value));
  return values.at(-1) === '-print0' && others.length === 0 && findsOnlyFiles(words);
}

/** Whether only regular files are found, no links: no operator may undo the test. */
function findsOnlyFiles(words: readonly JudgedWord[]): boolean {
  const values = words.map((word) => word.values?.[0] ?? '');
  const typed = values.some((value, at) => value === '-type' && values[at + 1] === 'f');
  return typed && !values.some((value) => /^(?:-o|-or|,|!|-not|\(|\))$/.test(value));
}
