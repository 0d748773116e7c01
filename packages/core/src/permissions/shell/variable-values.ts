import {
  forEachChild,
  type ParsedScript,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { expandWord, type VariableValues } from './expand-word.ts';

/**
 * The values that a script assigns, for variables that are certainly set before their first use: by an unconditional
 * assignment or loop at the top level. Every other variable may have any value, because it may be unset, inherited, or
 * set in a way that is not tracked.
 */
export function collectVariables(script: ParsedScript): VariableValues {
  const collected: Collected = { values: new Map(), unknown: new Set(), firstUse: new Map() };
  const assignedAt = new Map<string, number>();
  for (const statement of script.commands) {
    for (const name of assignedBy(statement)) {
      if (!assignedAt.has(name)) assignedAt.set(name, statement.pos);
    }
  }
  visit(script, collected);
  if (collected.values.has('IFS') || collected.unknown.has('IFS')) return new Map();
  return new Map(
    [...collected.values].filter(
      ([name]) =>
        !collected.unknown.has(name) &&
        (assignedAt.get(name) ?? Number.POSITIVE_INFINITY) < (collected.firstUse.get(name) ?? -1),
    ),
  );
}

interface Collected {
  readonly values: Map<string, string[]>;
  readonly unknown: Set<string>;
  readonly firstUse: Map<string, number>;
}

/** Variables that have a value once this statement has started. */
function assignedBy(statement: Statement): readonly string[] {
  if (statement.background === true) return [];
  const command =
    statement.command.type === 'AndOr' ? statement.command.commands[0] : statement.command;
  if (command?.type === 'For') {
    return command.wordlist !== undefined && command.wordlist.length > 0 ? [command.name.text] : [];
  }
  if (command?.type !== 'Command' || command.name !== undefined) return [];
  return command.prefix.flatMap((each) => (each.type === 'Assignment' ? [each.name] : []));
}

const NONE: VariableValues = new Map();
/** Commands that set variables by name. */
const SETTERS = new Set(
  'read mapfile readarray getopts printf unset let eval source . alias'.split(' '),
);

function visit(node: SyntaxNode, collected: Collected): void {
  switch (node.type) {
    case 'Script':
      // Positions in a separate text are not comparable: everything used there counts as unknown.
      if (node.source !== undefined) markUsesUnknown(node, collected);
      break;
    case 'Command':
      readCommand(node, collected);
      break;
    case 'For':
    case 'Select':
      if (node.wordlist === undefined || node.type === 'Select')
        collected.unknown.add(node.name.text);
      else add(node.name.text, node.wordlist, collected);
      break;
    case 'SimpleExpansion':
      use(node.text.slice(1), node.pos, collected);
      break;
    case 'ParameterExpansion':
      use(node.parameter, node.pos, collected);
      if (node.operation?.type === 'Default') collected.unknown.add(node.parameter);
      break;
    case 'ArithmeticCommand':
    case 'ArithmeticExpansion':
    case 'ArithmeticFor':
      markNamesUnknown(node, collected);
      break;
    default:
      break;
  }
  forEachChild(node, (child) => visit(child, collected));
}

type CommandNode = Extract<SyntaxNode, { type: 'Command' }>;

/** Only an assignment without a command persists; before a command it applies to that command alone. */
function readCommand(node: CommandNode, collected: Collected): void {
  for (const each of node.prefix) {
    if (each.type !== 'Assignment') continue;
    const plain = each.append !== true && each.index === undefined && node.name === undefined;
    if (plain && each.value.type === 'Word') add(each.name, [each.value], collected);
    else collected.unknown.add(each.name);
  }
  const setter = SETTERS.has(node.name?.value ?? '');
  for (const arg of node.args) {
    if (arg.type === 'Assignment') collected.unknown.add(arg.name);
    else if (setter) markUnknown(arg.value, collected);
  }
}

function add(name: string, words: readonly Word[], collected: Collected): void {
  const expanded = words.flatMap((word) => expandWord(word, NONE));
  const values = expanded.map((word) => (word.glob === true ? undefined : word.value));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) collected.unknown.add(name);
  collected.values.set(name, [...(collected.values.get(name) ?? []), ...known]);
}

function use(name: string, position: number, collected: Collected): void {
  collected.firstUse.set(name, Math.min(position, collected.firstUse.get(name) ?? position));
}

function markUsesUnknown(script: SyntaxNode, collected: Collected): void {
  forEachChild(script, function mark(node: SyntaxNode) {
    if (node.type === 'SimpleExpansion') collected.unknown.add(node.text.slice(1));
    if (node.type === 'ParameterExpansion') collected.unknown.add(node.parameter);
    forEachChild(node, mark);
  });
}

/** Arithmetic sets variables too. */
function markNamesUnknown(node: SyntaxNode, collected: Collected): void {
  forEachChild(node, (child) => {
    if (child.type === 'ArithmeticWord') markUnknown(child.value, collected);
    markNamesUnknown(child, collected);
  });
}

function markUnknown(text: string, collected: Collected): void {
  const name = /^-?[A-Za-z_]\w*/.exec(text)?.[0];
  if (name !== undefined) collected.unknown.add(name.replace(/^-/, ''));
}
