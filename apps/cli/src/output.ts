import type { Writable } from 'node:stream';

/** Where the program speaks: answers on `out`, everything for people on `notes`. */
export interface Output {
  readonly out: Writable;
  readonly notes: Writable;
  readonly colors: boolean;
  writeLine(text: string): void;
  note(text: string): void;
}

export function createOutput(
  out: Writable = process.stdout,
  notes: Writable = process.stderr,
  environment: NodeJS.ProcessEnv = process.env,
): Output {
  return {
    out,
    notes,
    colors: hasColors(notes, environment),
    writeLine: (text) => void out.write(`${text}\n`),
    note: (text) => void notes.write(`${text}\n`),
  };
}

/** `NO_COLOR` (any value) turns colour off, as does output that is no terminal. */
function hasColors(stream: Writable, environment: NodeJS.ProcessEnv): boolean {
  const noColor = environment.NO_COLOR;
  if (noColor !== undefined && noColor !== '') return false;
  if (environment.TERM === 'dumb') return false;
  return 'isTTY' in stream && stream.isTTY === true;
}
