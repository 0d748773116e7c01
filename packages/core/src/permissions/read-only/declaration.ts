/** The arguments with which a program is read-only; parsed from a line of the table. */
export interface ProgramDeclaration {
  readonly name: string;
  /** One-letter options without a value. */
  readonly flags: ReadonlySet<string>;
  /** One-letter options with a value. */
  readonly letters: ReadonlyMap<string, OptionValue>;
  /** Long options by their full name; null where they take no value. */
  readonly longs: ReadonlyMap<string, OptionValue | null>;
  /** `-20` is an option. */
  readonly number: boolean;
  readonly positionals: readonly Positional[];
  /** The name of a check written in code. */
  readonly rule?: string | undefined;
  /** The program starts another after this many words of its own. */
  readonly wraps?: number | undefined;
  /** Exactly one word is required. */
  readonly one: boolean;
  /** Options may follow other words in every implementation of the program. */
  readonly permutes: boolean;
  /** One-letter options cannot be combined in one word. */
  readonly single: boolean;
}

export interface OptionValue {
  readonly kind: string;
  /** The value must be attached to the option. */
  readonly joined: boolean;
  /** The value must be the next word. */
  readonly apart: boolean;
}

export interface Positional {
  readonly kind: string;
  readonly least: 0 | 1;
  readonly most: number;
  /** Options that replace this word. */
  readonly unless: readonly string[];
}

export type DeclarationTable = ReadonlyMap<string, ProgramDeclaration>;

/** Parses a table: `NAME options :: words`, `NAME = OTHER`, and `MACRO := options` for later lines. */
export function readDeclarations(table: string): DeclarationTable {
  const declarations = new Map<string, ProgramDeclaration>();
  const macros = new Map<string, string>();
  const lines = table.split('\n').map((each) => each.trim());
  for (const line of lines.filter((each) => each !== '')) {
    const [, macro, options = ''] = /^([A-Z]+) := (.*)$/.exec(line) ?? [];
    const [, name, other = ''] = /^(\S+) += +(\S+)$/.exec(line) ?? [];
    if (macro !== undefined) macros.set(macro, options);
    else if (name === undefined) add(declarations, readLine(line, macros));
    else add(declarations, { ...(declarations.get(other) ?? fail(line)), name });
  }
  return declarations;
}

function add(declarations: Map<string, ProgramDeclaration>, declared: ProgramDeclaration): void {
  declarations.set(declared.name, declared);
}

function fail(text: string): never {
  throw new Error(`Cannot read the declaration “${text}”`);
}

function readLine(line: string, macros: ReadonlyMap<string, string>): ProgramDeclaration {
  const [before = '', after = ''] = ` ${line} `.split(' :: ');
  const [name = '', ...words] = before.trim().split(/\s+/);
  const options = words.flatMap((word) => (macros.get(word) ?? word).split(/\s+/));
  const read = options.filter((option) => !MARKS.has(option)).map(readOption);
  return {
    name,
    flags: new Set(read.flatMap((each) => (each.kind === 'flags' ? [...each.text] : []))),
    letters: new Map(
      read.flatMap((each) => (each.kind === 'letter' ? [[each.text, each.value]] : [])),
    ),
    longs: new Map(read.flatMap((each) => (each.kind === 'long' ? [[each.text, each.value]] : []))),
    number: options.includes('-NUM'),
    permutes: options.includes('PERMUTES'),
    one: options.includes('ONE'),
    single: options.includes('SINGLE'),
    ...readWords(after.trim().split(/\s+/).filter(Boolean)),
  };
}

type ReadOption =
  | { readonly kind: 'flags'; readonly text: string }
  | { readonly kind: 'letter'; readonly text: string; readonly value: OptionValue }
  | { readonly kind: 'long'; readonly text: string; readonly value: OptionValue | null };

function readOption(option: string): ReadOption {
  const [, dashes = fail(option), text = '', place, kind] =
    /^(--?)([^=?+]+)([?+])?(?:=(\w+))?$/.exec(option) ?? [];
  const value = kind === undefined ? null : { kind, joined: place === '?', apart: place === '+' };
  if (dashes === '--') return { kind: 'long', text, value };
  return value === null ? { kind: 'flags', text } : { kind: 'letter', text, value };
}

const MARKS = new Set(['-NUM', 'PERMUTES', 'ONE', 'SINGLE']);

function readWords(words: readonly string[]) {
  const [first = ''] = words;
  if (first.startsWith('@')) return { positionals: [], rule: first.slice(1) };
  const wraps = words.indexOf('COMMAND');
  const own = wraps === -1 ? words : words.slice(0, wraps);
  return { positionals: joinUnless(own).map(readPositional), ...(wraps === -1 ? {} : { wraps }) };
}

/** `pat(-e --regexp)` contains a space. */
function joinUnless(words: readonly string[]): readonly string[] {
  return words.join(' ').match(/\S+?\([^)]*\)\S*|\S+/g) ?? [];
}

function readPositional(text: string): Positional {
  const [, kind = '', unless = '', repeat = ''] =
    /^(\w+)(?:\(([^)]*)\))?([*?+]?)$/.exec(text) ?? [];
  if (kind === '') fail(text);
  return {
    kind,
    least: repeat === '*' || repeat === '?' ? 0 : 1,
    most: repeat === '*' || repeat === '+' ? Number.POSITIVE_INFINITY : 1,
    unless: unless.split(' ').filter(Boolean),
  };
}
