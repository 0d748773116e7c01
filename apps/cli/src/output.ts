import { Writable } from 'node:stream';

/** Results go to `out` (stdout), messages for people to `notes` (stderr). */
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

/** Discards everything: for work behind a screen that something else draws. */
export function silentOutput(): Output {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  return createOutput(discard, discard);
}

/** `NO_COLOR` (any value) turns colour off, as does output that is not a terminal. */
function hasColors(stream: Writable, environment: NodeJS.ProcessEnv): boolean {
  const noColor = environment.NO_COLOR;
  if (noColor !== undefined && noColor !== '') return false;
  if (environment.TERM === 'dumb') return false;
  return 'isTTY' in stream && stream.isTTY === true;
}

/** Characters that JSON does not escape but that affect a terminal or mislead a reader: DEL, C1, separators, bidi marks. */
const CONTROL_CHARACTERS = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Equivalent JSON that is safe to print on a terminal. */
export function jsonText(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replace(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Columns of the terminal on `out`; undefined when it is not a terminal. */
export function terminalWidth({ out }: Output): number | undefined {
  if (!('isTTY' in out) || out.isTTY !== true) return undefined;
  return 'columns' in out && typeof out.columns === 'number' ? out.columns : 80;
}
