import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../usage-error.ts';

type FlagTable = NonNullable<ParseArgsConfig['options']>;

/** The result type of `parseArgs` for a table of flags, written out so that it can be exported. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]?: Table[Name] extends { readonly multiple: true }
    ? readonly FlagValue<Table[Name]>[]
    : FlagValue<Table[Name]>;
};

type FlagValue<Flag> = Flag extends { readonly type: 'boolean' } ? boolean : string;

/** `parseArgs` with helpful errors and with `-r` allowed without a value. */
export function readFlags<Table extends FlagTable>(
  args: readonly string[],
  options: Table,
): { values: FlagValues<Table>; positionals: readonly string[] } {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    // parseArgs infers the same shape; its own type cannot be named outside node:util.
    return parsed as { values: FlagValues<Table>; positionals: string[] };
  } catch (error) {
    throw new UsageError(explain(error, options), { cause: error });
  }
}

/** Adds an empty value to flags of `names` without one, so that `-r` alone opens the picker. */
export function fillEmptyValues(args: readonly string[], names: readonly string[]): string[] {
  return args.flatMap((argument, index) => {
    const next = args[index + 1];
    const isBare = names.includes(argument) && (next === undefined || next.startsWith('-'));
    return isBare ? [argument, ''] : [argument];
  });
}

function explain(error: unknown, options: FlagTable): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /Unknown option '(-{1,2}[^']+)'/.exec(message)?.[1];
  if (unknown)
    return `Unknown option "${unknown}".${suggestion(unknown, options)} Run robota --help.`;
  const missing = /Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec(message)?.[1];
  if (missing) return `${missing} needs a value. Run robota --help.`;
  const unexpected = /Option '(?:-\w, )?(--[\w-]+)' does not take an argument/.exec(message)?.[1];
  if (unexpected) return `${unexpected} takes no value. Run robota --help.`;
  const ambiguous = /Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument is ambiguous/.exec(
    message,
  )?.[1];
  if (ambiguous)
    return `${ambiguous} needs a value; to give one that begins with "-" write ${ambiguous}=VALUE.`;
  return `${message} Run robota --help.`;
}

function suggestion(unknown: string, options: FlagTable): string {
  const nearest = nearestWord(unknown.replace(/^-+/, ''), Object.keys(options));
  return nearest === undefined ? '' : ` Did you mean --${nearest}?`;
}

/** The name closest to a mistyped word; undefined if none is close. */
export function nearestWord(word: string, names: readonly string[]): string | undefined {
  const nearest = names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .sort((left, right) => left.distance - right.distance)[0];
  const isNear = nearest && nearest.distance <= 2 && nearest.distance * 2 < word.length;
  return isNear ? nearest.name : undefined;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, character] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const substitute = (previous[column] ?? 0) + (character === other ? 0 : 1);
      current.push(
        Math.min(substitute, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1),
      );
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** The value of a count flag: a positive integer. */
export function readCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`Invalid ${flag} "${text}". Must be a positive integer.`);
  }
  return Number(text);
}
