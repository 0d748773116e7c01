import { UsageError } from '../usage-error.ts';

export interface TakenFlags {
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly rest: readonly string[];
}

/** Extracts flags with a value (`--port 8080`, `--port=8080`) and returns the remaining arguments. */
export function takeFlags(args: readonly string[], names: readonly string[]): TakenFlags {
  const values: Record<string, string[]> = {};
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    const [flag = '', ...given] = argument.split('=');
    const name = flag.replace(/^--/, '');
    if (!flag.startsWith('--') || !names.includes(name)) {
      rest.push(argument);
      continue;
    }
    const value = given.length > 0 ? given.join('=') : args[++index];
    if (value === undefined) throw new UsageError(`--${name} needs a value. Run robota --help.`);
    values[name] = [...(values[name] ?? []), value];
  }
  return { values, rest };
}

/** A port number; undefined if the flag is absent. */
export function portOf(values: TakenFlags['values']): number | undefined {
  const text = values.port?.at(-1);
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`Invalid --port "${text}". Must be a number from 0 to 65535.`);
}
