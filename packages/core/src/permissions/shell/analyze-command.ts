import {
  type Command,
  forEachChild,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { memoize } from '../memoize.ts';
import { evaluatingBuiltin } from './evaluating-builtins.ts';
import { evaluatingSyntax, PROGRAM_VARIABLE } from './evaluating-syntax.ts';
import { expandWord, type VariableValues } from './expand-word.ts';
import { hiddenCode } from './hidden-code.ts';
import { programOf } from './program-name.ts';
import type { ShellAnalysis, ShellPart, ShellRedirect, ShellWord } from './shell-word.ts';
import { unwrap } from './unwrap.ts';
import { collectVariables } from './variable-values.ts';
import { SHELLS } from './wrappers.ts';

/** Splits a command line into every program it starts; cached for the most recent commands. */
export const analyzeCommand = memoize(512, (command: string): ShellAnalysis => {
  try {
    return analyze(command, 0);
  } catch (error) {
    // Stack overflow on deep nesting.
    if (error instanceof RangeError)
      return { parts: [], unparsable: 'commands are nested too deeply' };
    throw error;
  }
});

/** Cached: a command is parsed once for its rules and for the grammar. */
export const parseCommand = memoize(256, (command: string) => parse(command));

const MAX_DEPTH = 12;
const MAX_LENGTH = 100_000;

function analyze(command: string, depth: number): ShellAnalysis {
  if (depth > MAX_DEPTH) return { parts: [], unparsable: 'commands are nested too deeply' };
  if (command.length > MAX_LENGTH) return { parts: [], unparsable: 'the command is too long' };
  if (command.includes('\0')) return { parts: [], unparsable: 'the command holds a NUL character' };
  const script = parseCommand(command);
  const variables = collectVariables(script);
  const walk: Walk = { depth, variables, parts: [], problems: [], hazards: [] };
  visit(script, walk, command);
  const [unparsable] = walk.problems;
  const [hazard] = walk.hazards;
  return {
    parts: walk.parts,
    ...(unparsable === undefined ? {} : { unparsable }),
    ...(hazard === undefined ? {} : { hazard }),
  };
}

interface Walk {
  readonly depth: number;
  readonly variables: VariableValues;
  readonly parts: ShellPart[];
  readonly problems: string[];
  readonly hazards: string[];
}

/** `source` is the text that positions refer to; an escaped backtick script has its own. */
function visit(node: SyntaxNode, walk: Walk, source: string): void {
  const text = node.type === 'Script' ? (node.source ?? source) : source;
  if (node.type === 'Script' && node.errors !== undefined) {
    walk.problems.push(...node.errors.map((error) => error.message));
  }
  if (node.type === 'Command') addCommand(node, walk, text);
  if (node.type === 'For' || node.type === 'Select') addLoopVariable(node.name.text, walk);
  if (node.type === 'Redirected') addRedirects(node.redirects, walk, text);
  const problem = hiddenCode(node);
  if (problem !== undefined) walk.problems.push(problem);
  const hazard = evaluatingSyntax(node);
  if (hazard !== undefined) walk.hazards.push(hazard);
  forEachChild(node, (child) => visit(child, walk, text));
}

function addCommand(node: Command, walk: Walk, source: string): void {
  const assignments = node.prefix.flatMap((each) =>
    each.type === 'Assignment' ? [{ name: each.name, raw: each.text }] : [],
  );
  const named = node.name === undefined ? [] : [node.name];
  const words = [...named, ...node.args].flatMap((arg) =>
    arg.type === 'Word'
      ? expandWord(arg, walk.variables)
      : [assignmentWord(arg.text, arg.value.type === 'Word' ? arg.value : undefined, walk)],
  );
  const part = makePart(words, source.slice(node.pos, node.end), walk.depth);
  const redirects = node.redirects.flatMap((each) => readRedirect(each, walk.variables));
  const fed = shellInput(node, part, walk.depth);
  walk.parts.push({ ...part, ...fed, assignments, redirects });
  walk.parts.push(...programsInVariables(node, walk.depth));
}

function programsInVariables(node: Command, depth: number): readonly ShellPart[] {
  const assigned = [...node.prefix, ...node.args].filter((each) => each.type === 'Assignment');
  const scripts = assigned
    .filter((each) => PROGRAM_VARIABLE.test(each.name))
    .flatMap((each) => (each.value.type === 'Word' ? [each.value.value] : []));
  return scripts.flatMap((script) => analyze(script, depth + 1).parts);
}

/** `export A=b` counts as a word of the command. */
function assignmentWord(raw: string, value: Word | undefined, walk: Walk): ShellWord {
  const known = value === undefined ? undefined : expandWord(value, walk.variables)[0]?.value;
  const name = raw.slice(0, raw.indexOf('=') + 1);
  return { raw, value: known === undefined ? undefined : name + known };
}

/** A loop sets its variable like an assignment. */
function addLoopVariable(name: string, walk: Walk): void {
  const assignments = [{ name, raw: `${name}=…` }];
  walk.parts.push({ source: `for ${name}`, words: [], assignments, redirects: [] });
}

/** A redirect on a group is a part of its own. */
function addRedirects(redirections: readonly Redirection[], walk: Walk, source: string): void {
  const redirects = redirections.flatMap((each) => readRedirect(each, walk.variables));
  const [first] = redirections;
  if (redirects.length === 0 || first === undefined) return;
  const end = redirections.at(-1)?.end ?? first.end;
  walk.parts.push({ source: source.slice(first.pos, end), words: [], assignments: [], redirects });
}

function readRedirect(node: Redirection, variables: VariableValues): readonly ShellRedirect[] {
  if (node.type !== 'Redirect' || node.target === undefined) return [];
  const duplicates = /^(?:\d+-?|-)$/.test(node.target.text) && node.operator.endsWith('&');
  if (duplicates) return [];
  const words = expandWord(node.target, variables);
  return words.flatMap((word): readonly ShellRedirect[] => {
    if (node.operator === '<' || node.operator === '<&') return [{ kind: 'read', word }];
    const write = { kind: 'write', word } as const;
    return node.operator === '<>' ? [{ kind: 'read', word }, write] : [write];
  });
}

/** Unwraps wrappers down to the program that runs. */
function makePart(words: readonly ShellWord[], source: string, depth: number): ShellPart {
  const part = { source, words, assignments: [], redirects: [] };
  const [first, ...args] = words;
  if (first === undefined) return part;
  if (
    first.value === undefined ||
    first.glob === true ||
    first.choice === true ||
    depth > MAX_DEPTH
  ) {
    return { ...part, opaque: 'its name is known only at run time' };
  }
  const name = programOf(first.value);
  const unwrapped = unwrap(name, args);
  if (unwrapped === undefined) {
    const evaluates = evaluatingBuiltin(name, args);
    return evaluates === undefined ? part : { ...part, opaque: evaluates };
  }
  const analyses = unwrapped.scripts.map((script) => analyze(script, depth + 1));
  const inner = [
    ...unwrapped.commands.map((command) => makePart(command, rawText(command), depth + 1)),
    ...analyses.flatMap((analysis) => analysis.parts),
  ];
  const opaque =
    unwrapped.opaque ??
    analyses.map((each) => each.unparsable ?? each.hazard).find((each) => each !== undefined);
  return { ...part, role: unwrapped.role, inner, ...(opaque === undefined ? {} : { opaque }) };
}

function rawText(words: readonly ShellWord[]): string {
  return words.map((word) => word.raw).join(' ');
}

/** A shell with a here-document or here-string runs that text. */
function shellInput(node: Command, part: ShellPart, depth: number): Partial<ShellPart> {
  if (part.opaque === undefined || !SHELLS.has(programOf(part.words[0]?.value ?? ''))) return {};
  const texts = node.redirects.flatMap((each) => {
    if (each.type === 'HereString')
      return [
        each.target?.parts === undefined || !/[$`]/.test(each.target.text)
          ? each.target?.value
          : undefined,
      ];
    if (each.type === 'HereDoc')
      return [
        each.delimiter?.quoted === true || !/[$`]/.test(each.body.text)
          ? each.body.text
          : undefined,
      ];
    return [];
  });
  const analyses = texts.flatMap((text) => (text === undefined ? [] : [analyze(text, depth + 1)]));
  if (analyses.length === 0) return {};
  return { inner: analyses.flatMap((each) => each.parts), role: 'covering', opaque: part.opaque };
}
