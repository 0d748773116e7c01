import {
  forEachChild,
  type ParsedScript,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { expandWord, type VariableValues } from './expand-word.ts';

/**
 * The values that a script gives to names, for names that are certainly set before they are first read: by an
 * assignment or a loop that stands at the top, unconditionally. Every other name may hold anything, because it
 * may be unset, come from outside or be set in a way that cannot be followed.
 */
export function collectVariables(script: ParsedScript): VariableValues {
  const collected: Collected = { values: new Map(), lost: new Set(), firstUse: new Map() };
  const settled = new Map<string, number>();
  for (const statement of script.commands) {
    for (const name of settledBy(statement)) {
      if (!settled.has(name)) settled.set(name, statement.pos);
    }
  }
  visit(script, collected);
  if (collected.values.has('IFS') || collected.lost.has('IFS')) return new Map();
  return new Map(
    [...collected.values].filter(
      ([name]) =>
        !collected.lost.has(name) &&
        (settled.get(name) ?? Number.POSITIVE_INFINITY) < (collected.firstUse.get(name) ?? -1),
    ),
  );
}

interface Collected {
  readonly values: Map<string, string[]>;
  readonly lost: Set<string>;
  readonly firstUse: Map<string, number>;
}

/** Names that hold a value once this statement has begun its work. */
function settledBy(statement: Statement): readonly string[] {
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
/** Commands that set variables in ways of their own. */
const SETTERS = new Set(
  'read mapfile readarray getopts printf unset let eval source . alias'.split(' '),
);

function visit(node: SyntaxNode, collected: Collected): void {
  switch (node.type) {
    case 'Script':
      // Positions in a text of its own cannot be compared: everything read there counts as read at once.
      if (node.source !== undefined) loseAllUses(node, collected);
      break;
    case 'Command':
      readCommand(node, collected);
      break;
    case 'For':
    case 'Select':
      if (node.wordlist === undefined || node.type === 'Select') collected.lost.add(node.name.text);
      else add(node.name.text, node.wordlist, collected);
      break;
    case 'SimpleExpansion':
      use(node.text.slice(1), node.pos, collected);
      break;
    case 'ParameterExpansion':
      use(node.parameter, node.pos, collected);
      if (node.operation?.type === 'Default') collected.lost.add(node.parameter);
      break;
    case 'ArithmeticCommand':
    case 'ArithmeticExpansion':
    case 'ArithmeticFor':
      loseNamesIn(node, collected);
      break;
    default:
      break;
  }
  forEachChild(node, (child) => visit(child, collected));
}

type CommandNode = Extract<SyntaxNode, { type: 'Command' }>;

/** Only an assignment without a command lasts; before a command it holds for that command alone. */
function readCommand(node: CommandNode, collected: Collected): void {
  for (const each of node.prefix) {
    if (each.type !== 'Assignment') continue;
    const plain = each.append !== true && each.index === undefined && node.name === undefined;
    if (plain && each.value.type === 'Word') add(each.name, [each.value], collected);
    else collected.lost.add(each.name);
  }
  const setter = SETTERS.has(node.name?.value ?? '');
  for (const arg of node.args) {
    if (arg.type === 'Assignment') collected.lost.add(arg.name);
    else if (setter) loseName(arg.value, collected);
  }
}

function add(name: string, words: readonly Word[], collected: Collected): void {
  const expanded = words.flatMap((word) => expandWord(word, NONE));
  const values = expanded.map((word) => (word.glob === true ? undefined : word.value));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) collected.lost.add(name);
  collected.values.set(name, [...(collected.values.get(name) ?? []), ...known]);
}

function use(name: string, position: number, collected: Collected): void {
  collected.firstUse.set(name, Math.min(position, collected.firstUse.get(name) ?? position));
}

function loseAllUses(script: SyntaxNode, collected: Collected): void {
  forEachChild(script, function lose(node: SyntaxNode) {
    if (node.type === 'SimpleExpansion') collected.lost.add(node.text.slice(1));
    if (node.type === 'ParameterExpansion') collected.lost.add(node.parameter);
    forEachChild(node, lose);
  });
}

/** Arithmetic sets variables too. */
function loseNamesIn(node: SyntaxNode, collected: Collected): void {
  forEachChild(node, (child) => {
    if (child.type === 'ArithmeticWord') loseName(child.value, collected);
    loseNamesIn(child, collected);
  });
}

function loseName(text: string, collected: Collected): void {
  const name = /^-?[A-Za-z_]\w*/.exec(text)?.[0];
  if (name !== undefined) collected.lost.add(name.replace(/^-/, ''));
}
