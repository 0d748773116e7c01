import { Writable } from 'node:stream';

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

/** For work behind a screen that belongs to somebody else: nothing is written. */
export function silentOutput(): Output {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return createOutput(nowhere, nowhere);
}

/** `NO_COLOR` (any value) turns colour off, as does output that is no terminal. */
function hasColors(stream: Writable, environment: NodeJS.ProcessEnv): boolean {
  const noColor = environment.NO_COLOR;
  if (noColor !== undefined && noColor !== '') return false;
  if (environment.TERM === 'dumb') return false;
  return 'isTTY' in stream && stream.isTTY === true;
}

/** What JSON leaves as it is and a terminal or an eye may obey: DEL, C1, separators, marks of direction. */
const STEERING = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** JSON that says the same and is harmless on a screen. */
export function jsonText(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replace(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** How many cells a line has where answers go; undefined where that is no terminal. */
export function terminalWidth({ out }: Output): number | undefined {
  if (!('isTTY' in out) || out.isTTY !== true) return undefined;
  return 'columns' in out && typeof out.columns === 'number' ? out.columns : 80;
}
