import { type Assignment, type Command, forEachChild, type SyntaxNode } from 'unbash';
import { leadsToDirectory } from '../paths/file-status.ts';
import { trustedProgramOf } from '../shell/program-name.ts';
import { GIT_GUARD_VARIABLES } from './git-guard.ts';
import { judgeProgram } from './judge-program.ts';
import { judgeRedirects } from './judge-redirects.ts';
import { judgeWord, singleValue, type WordContext } from './judge-word.ts';
import { programDeclarations } from './program-table.ts';
import { ReadOnlyRefusal, refuse } from './refusal.ts';
import type { JudgedWord, NodePlace } from './scope.ts';
import { quoteWord } from './shell-quote.ts';
import { steersPrograms } from './steering-variables.ts';
import { readablePaths } from './walk-path.ts';

export interface CommandContext extends WordContext {
  readonly place: NodePlace;
  /** Checks text for a separate shell. */
  readonly judgeText: (text: string) => string;
}

/** Renders one program with its words, or assignments alone; a rule may cover what the grammar does not. */
export function judgeSimpleCommand(node: Command, context: CommandContext): string {
  const source = context.scope.source.slice(node.pos, node.end);
  const name = node.name?.value ?? '';
  // Only a rule can allow an undeclared program.
  if (name !== 'cd' && name !== '' && !mayBeDeclared(name) && context.scope.policy.covers(source))
    return judgeCovered(node, source, context);
  try {
    return judgeByGrammar(node, context);
  } catch (error) {
    if (!(error instanceof ReadOnlyRefusal) || !context.scope.policy.covers(source)) throw error;
    return judgeCovered(node, source, context);
  }
}

function mayBeDeclared(name: string): boolean {
  // Programs declared only for `--version` are nearly always run with other arguments.
  return programDeclarations().get(trustedProgramOf(name))?.one === false || SHELL_NAME.test(name);
}

const SHELL_NAME = /(?:^|\/)(?:ba)?sh$/;

function judgeByGrammar(node: Command, context: CommandContext): string {
  const { scope } = context;
  const assignments = node.prefix.filter((each) => each.type === 'Assignment');
  if (node.name === undefined) return judgeAssignments(node, assignments, context);
  const name = nameOf(judgeWord(node.name, context));
  const redirects = judgeRedirects(node.redirects, context);
  const words = node.args.flatMap((arg) =>
    arg.type === 'Word' ? judgeWord(arg, context) : [assignmentWord(arg, context)],
  );
  if (name === 'cd') return judgeCd(words, context) + redirects;
  const before = assignments.map((each) => `${outputVariable(each, context)} `).join('');
  scope.startsGit = false;
  const program = judgeProgram(name, words, context);
  const guard = scope.startsGit ? GIT_GUARD_VARIABLES : '';
  const text = before + guard + program + redirects;
  // `set -f`: the output of a substitution is split, but not expanded as globs.
  return words.some((word) => word.splits === true) ? `( set -f\n${text}\n)` : text;
}

function nameOf(words: readonly JudgedWord[]): string {
  const [first] = words;
  const plain = first?.glob !== true && first?.variable !== true && first?.values?.length === 1;
  if (words.length !== 1 || !plain) return refuse('its name is known only at run time');
  return first.values[0] ?? '';
}

/** `name=value` as an argument of a program. */
function assignmentWord(assignment: Assignment, context: CommandContext): JudgedWord {
  const { value } = assignment;
  if (value.type !== 'Word' || assignment.index !== undefined || assignment.append === true)
    return refuse('an array is given to a program');
  if (/^~|:~/.test(value.text)) refuse('a tilde may mean another home');
  const text = `${assignment.name}=${value.text === '' ? '' : singleValue(value, context)}`;
  return { values: [text], text: quoteWord(text) };
}

/** Variables of the command itself; their values are inlined where they are used. */
function judgeAssignments(
  node: Command,
  assignments: readonly Assignment[],
  context: CommandContext,
): string {
  if (context.place !== 'top') refuse('a variable is set where it may or may not happen');
  if (node.redirects.length > 0) refuse('it opens a file and runs nothing');
  return assignments
    .map((each) => judgeAssignment(each, context))
    .filter((text) => text !== '')
    .join('\n');
}

function judgeAssignment(assignment: Assignment, context: CommandContext): string {
  const { name, value, append, index } = assignment;
  const { variables } = context.scope;
  if (append === true || index !== undefined || value.type !== 'Word')
    return refuse(`${name} is an array or is added to`);
  if (steersPrograms(name, context.scope.policy.environment))
    refuse(`it sets ${name}, which programs read`);
  if (/^~|:~/.test(value.text)) refuse('a tilde may mean another home');
  if (value.text === '') {
    variables.set(name, { values: [''] });
    return '';
  }
  const [word] = judgeWord(value, { ...context, single: true });
  if (word?.values === undefined) {
    const renamed = context.scope.freshName();
    variables.set(name, { renamed });
    return `${renamed}=${word?.text ?? "''"}`;
  }
  if (word.values.length !== 1) refuse(`${name} has several values`);
  variables.set(name, { values: word.values });
  return '';
}

/** Variables that change the appearance of output, and their safe values. */
const OUTPUT_VARIABLES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:GIT_)?PAGER$/, /^(?:cat)?$/],
  [/^TZ$/, /^[A-Za-z_]+(?:[/+-][A-Za-z0-9_]+)*$/],
  [
    /^(?:LC_[A-Z]+|LANG|LANGUAGE|NO_COLOR|CLICOLOR|FORCE_COLOR|COLUMNS|LINES|TERM|NODE_ENV|CI|DEBUG|RUST_BACKTRACE|PYTHONUNBUFFERED)$/,
    /^[\w.@:+-]*$/,
  ],
];

function outputVariable(assignment: Assignment, context: CommandContext): string {
  const { name, value, append, index } = assignment;
  const allowed = OUTPUT_VARIABLES.find(([names]) => names.test(name))?.[1];
  if (allowed === undefined || append === true || index !== undefined || value.type !== 'Word')
    return refuse(`${name} is set for a program`);
  const text = value.text === '' ? '' : singleValue(value, context);
  return allowed.test(text) ? `${name}=${quoteWord(text)}` : refuse(`${name} is set to ${text}`);
}

/** Enters an existing directory; if an unconditional `cd` still fails at run time, the command ends. */
function judgeCd(words: readonly JudgedWord[], { scope, place }: CommandContext): string {
  if (place === 'inside') refuse('the directory is changed where it may or may not happen');
  const [target] = words[0]?.values ?? [];
  const one = words.length === 1 && words[0]?.values?.length === 1;
  if (!one || target === undefined || target.startsWith('-'))
    return refuse('cd goes somewhere unknown');
  const walked = readablePaths(target, scope);
  const linked = scope.enteredByLink || walked.some((each) => each.passedLink);
  if (linked && target.split('/').includes('..')) refuse('cd goes back through a link');
  if (!walked.every((each) => leadsToDirectory(each.real))) refuse(`${target} is no directory`);
  scope.directories = [...new Set(walked.map((each) => each.real))];
  scope.enteredByLink = linked;
  const step = `cd ${quoteWord(target.startsWith('/') ? target : `./${target}`)}`;
  return place === 'top' ? `{ ${step} || exit 1; }` : step;
}

/** Builtins that change the shell for later parts. */
const CHANGES_SHELL =
  /^(?:cd|pushd|popd|export|declare|typeset|local|readonly|unset|set|shopt|alias|unalias|source|\.|eval|exec|trap|hash|enable|builtin|command|read|mapfile|readarray|getopts|bind|complete|let|umask|ulimit|return|exit)$/;

/** Text allowed by a rule runs as written, next to parts allowed by the grammar. */
function judgeCovered(node: Command, source: string, context: CommandContext): string {
  const { scope } = context;
  if (CHANGES_SHELL.test(node.name?.value ?? '.')) refuse('it changes the shell for what follows');
  if (node.redirects.some((each) => each.type === 'HereDoc'))
    refuse('text follows the command on lines of its own');
  const used = scope.variables.size === 0 ? undefined : namesUsed(source);
  if ([...scope.variables.keys()].some((name) => used?.has(name) === true))
    refuse('it uses a variable of the command');
  const substitutions = substitutionsIn(node);
  scope.totals.covered = true;
  return substitutions.reduceRight((text, part) => {
    const [start, end] = [part.pos - node.pos, part.end - node.pos];
    return `${text.slice(0, start)}$(${context.judgeSubstitution(part, scope)}\n)${text.slice(end)}`;
  }, source);
}

type Substitution = Extract<SyntaxNode, { type: 'CommandExpansion' }>;

/** Substitutions inside the words of a program, which a rule for the program does not cover. */
function substitutionsIn(node: Command): readonly Substitution[] {
  const found: Substitution[] = [];
  forEachChild(node, function visit(child: SyntaxNode) {
    if (child.type === 'CommandExpansion') found.push(child);
    else if (/^(?:Process|Arithmetic|Assignment$)/.test(child.type) || evaluates(child))
      refuse('text in its words may be run');
    else forEachChild(child, visit);
  });
  return found;
}

function evaluates(node: SyntaxNode): boolean {
  return (
    node.type === 'ParameterExpansion' &&
    (node.prefix ?? node.index ?? node.operation) !== undefined
  );
}

function namesUsed(source: string): ReadonlySet<string> {
  return new Set([...source.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name));
}

/** Whether a node starts the program `name`. */
export function isProgram(node: SyntaxNode | undefined, name: string): node is Command {
  return node?.type === 'Command' && node.name?.value === name;
}
