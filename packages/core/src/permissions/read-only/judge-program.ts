import { trustedProgramOf } from '../shell/program-name.ts';
import type { ProgramDeclaration } from './declaration.ts';
import { judgeFind } from './judge-find.ts';
import { judgeGit } from './judge-git.ts';
import { FILE_TEST } from './judge-test-expression.ts';
import { plainValues } from './judge-word.ts';
import { matchArguments, skipOptions } from './match-arguments.ts';
import { programDeclarations } from './program-table.ts';
import { checkImplicitFiles, checkVersionFiles } from './project-files.ts';
import { refuse } from './refusal.ts';
import type { JudgedWord, JudgementScope } from './scope.ts';
import { quoteWord } from './shell-quote.ts';
import { readablePaths } from './walk-path.ts';

export interface ProgramContext {
  readonly scope: JudgementScope;
  /** Set where a shell may be started; a program started by another one cannot start one. */
  readonly judgeText?: ((text: string) => string) | undefined;
  /** Names of regular files are added to the words. */
  readonly fed?: boolean | undefined;
}

/** Renders a declared program whose words match its declaration. */
export function judgeProgram(
  name: string,
  words: readonly JudgedWord[],
  context: ProgramContext,
): string {
  if (SHELL.test(name)) return judgeShell(name, words, context);
  const declaration = programDeclarations().get(trustedProgramOf(name));
  if (declaration === undefined) return refuse(`${name} is not among the programs that only look`);
  if (declaration.wraps !== undefined)
    return judgeWrapper(name, words, { ...context, declaration });
  const rule = declaration.rule === undefined ? undefined : RULES[declaration.rule];
  if (rule !== undefined && context.fed === true)
    return refuse(`${name} would be given names of files`);
  if (declaration.rule !== undefined && rule === undefined) return refuse(`${name} has no rule`);
  if (rule !== undefined) return rule(name, words, context.scope);
  if (declaration.one) checkVersionFiles(declaration.name, context.scope);
  if (SEARCHES.has(declaration.name)) checkImplicitFiles(name, context.scope);
  matchArguments(declaration, words, context);
  return rendered(name, words);
}

function rendered(name: string, words: readonly JudgedWord[]): string {
  return [quoteWord(name), ...words.map((word) => word.text)].join(' ');
}

const SEARCHES = new Set(['rg', 'fd', 'tree']);

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba)?sh$/;

/** `bash -c 'text'`: the text is checked like a separate command and runs in a subshell. */
function judgeShell(
  name: string,
  words: readonly JudgedWord[],
  { judgeText, fed }: ProgramContext,
): string {
  if (judgeText === undefined || fed === true)
    return refuse(`${name} is started by another program`);
  const [option, text, ...others] = plainValues(name, words);
  if (option === undefined || text === undefined || others.length > 0 || !/^-l?c$/.test(option))
    return refuse(`${name} runs a script`);
  return `( ${judgeText(text)}\n)`;
}

function judgeWrapper(
  name: string,
  words: readonly JudgedWord[],
  { declaration, scope, fed }: ProgramContext & { readonly declaration: ProgramDeclaration },
): string {
  const at = skipOptions(declaration, words, { scope });
  const inner = words[at]?.values;
  const plain = words[at]?.glob !== true && words[at]?.variable !== true && inner?.length === 1;
  if (!plain || inner[0] === undefined) return refuse(`${name} starts something unknown`);
  const program = judgeProgram(inner[0], words.slice(at + 1), { scope, fed });
  return `${rendered(name, words.slice(0, at))} ${program}`;
}

type ProgramRule = (name: string, words: readonly JudgedWord[], scope: JudgementScope) => string;

const RULES: Readonly<Record<string, ProgramRule>> = {
  find: (name, words, scope) =>
    judgeFind(name, words, {
      scope,
      judgeInner: (inner, rest) => judgeProgram(inner, rest, { scope, fed: true }),
    }),
  git: judgeGit,
  printf: (name, words) => {
    const format = words[0]?.values;
    if (
      format === undefined ||
      words[0]?.glob === true ||
      format.some((each) => each.startsWith('-'))
    )
      return refuse('the format of printf is known only at run time');
    if (format.some((each) => SETS_VARIABLE.test(each))) return refuse('printf sets a variable');
    return rendered(name, words);
  },
  set: (name, words) => {
    const fine = /^[-+][eu]+$|^[-+][eu]*o$|^pipefail$/;
    if (words.length === 0 || !plainValues(name, words).every((value) => fine.test(value)))
      return refuse('set changes how the shell works');
    return rendered(name, words);
  },
  go: (name, words, scope) => {
    if (plainValues(name, words).join(' ') !== 'version') return refuse('go builds');
    checkVersionFiles('go', scope);
    // A project may select another toolchain, which would be downloaded.
    return `env GOTOOLCHAIN=local ${rendered(name, words)}`;
  },
  command: judgeCommandWord,
  test: judgeTest,
};

/** `%n` assigns to the variable that an argument names. */
const SETS_VARIABLE = /%[^%A-Za-z]*[hlLjzt]*n/;

/** `command -v name` looks a program up; `command name` starts it. */
function judgeCommandWord(
  name: string,
  words: readonly JudgedWord[],
  scope: JudgementScope,
): string {
  const [first = '', ...others] = plainValues(name, words.slice(0, 1)).concat(
    words.slice(1).map((word) => word.values?.[0] ?? ''),
  );
  if (/^-[vV]$/.test(first)) {
    const names = plainValues(name, words.slice(1));
    return names.length > 0 && names.every((each) => /^[\w.+][\w.+-]*$/.test(each))
      ? rendered(name, words)
      : refuse('command is given no names');
  }
  if (first.startsWith('-') || words[0]?.glob === true || words[0]?.variable === true)
    return refuse(`command ${first} ${others.join(' ')}`.trim());
  return `${name} ${judgeProgram(first, words.slice(1), { scope })}`;
}

/** Operators on text, files and numbers; `-v` and `-R` would evaluate a name. */
function judgeTest(name: string, words: readonly JudgedWord[], scope: JudgementScope): string {
  const operands = [...words];
  if (name === '[' && operands.pop()?.values?.[0] !== ']') refuse('[ is not closed');
  if (operands.length > 1 && only(operands[0]) === '!') operands.shift();
  if (operands.length === 2) judgeUnaryTest(operands, scope);
  else if (operands.length === 3) judgeBinaryTest(operands, scope);
  else if (operands.length !== 1) refuse('test combines several conditions');
  return rendered(name, words);
}

function judgeUnaryTest([first, second]: readonly JudgedWord[], scope: JudgementScope): void {
  const operator = only(first) ?? '';
  if (FILE_TEST.test(operator)) readEvery(second, scope);
  else if (!/^-[nz]$/.test(operator)) refuse(`test ${operator} may evaluate its word`);
}

function judgeBinaryTest(operands: readonly JudgedWord[], scope: JudgementScope): void {
  const [first, second, third] = operands;
  const operator = only(second) ?? '';
  if (/^(?:=|==|!=)$/.test(operator)) return;
  if (/^-(?:nt|ot|ef)$/.test(operator)) {
    readEvery(first, scope);
    readEvery(third, scope);
    return;
  }
  if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator)) refuse(`test ${operator} is not in the grammar`);
  if (![first, third].every(isNumber)) refuse('test compares something that may be no number');
}

function only(word: JudgedWord | undefined): string | undefined {
  return word?.values?.length === 1 ? word.values[0] : undefined;
}

function isNumber(word: JudgedWord | undefined): boolean {
  if (word?.status === true) return true;
  return word?.values?.every((value) => /^-?\d{1,15}$/.test(value)) === true;
}

function readEvery(word: JudgedWord | undefined, scope: JudgementScope): void {
  if (word?.values === undefined) refuse('a path is known only at run time');
  else for (const value of word.values) readablePaths(value, scope);
}
