import type { RedactStream } from './redact/redact-stream.ts';
import type { Redactor } from './redact/redactor.ts';

/** Fields in which vendors stream a text in pieces. */
const PIECE_FIELDS: ReadonlySet<string> = new Set([
  'arguments',
  'content',
  'delta',
  'input',
  'output',
  'partial_json',
  'reasoning',
  'reasoning_content',
  'refusal',
  'summary',
  'text',
  'thinking',
]);
/** Fields that tell which of several texts a piece belongs to. */
const INDEX_FIELDS = ['index', 'output_index', 'content_index', 'summary_index'] as const;
/** Deeper than any vendor's chunk. */
const MAX_DEPTH = 12;

type Path = readonly (string | number)[];

/** One piece of a streamed text inside a payload, with its redacted form. */
interface TextPiece {
  readonly payload: number;
  readonly path: Path;
  readonly raw: string;
  clean: string;
}

/** Buffers the streamed payloads of a line: their texts are redacted across pieces, all other values separately. */
export class PayloadTexts {
  readonly #redactor: Redactor;
  readonly #streams = new Map<string, RedactStream>();
  #pieces = new Map<string, TextPiece[]>();
  #count = 0;
  /** Path of the value being visited. */
  readonly #path: (string | number)[] = [];

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** True when no text is held back as a possible start of a secret. */
  get isClear(): boolean {
    for (const stream of this.#streams.values()) if (stream.held > 0) return false;
    return true;
  }

  add(payload: unknown): void {
    this.#collect(payload, '');
    this.#count += 1;
  }

  /** The redacted payloads of the line; `isFinal` when no more pieces of their texts follow. */
  take(payloads: readonly unknown[], { isFinal }: { readonly isFinal: boolean }): unknown[] {
    const clean = [...payloads];
    for (const [key, pieces] of this.#pieces) {
      const last = pieces.at(-1);
      if (isFinal && last) last.clean += this.#streams.get(key)?.flush() ?? '';
      if (joined(pieces, 'clean') === joined(pieces, 'raw')) continue;
      for (const { payload, path, clean: text } of pieces) {
        clean[payload] = withText(clean[payload], path, text);
      }
    }
    this.#pieces = new Map();
    this.#count = 0;
    if (isFinal) this.#streams.clear();
    return clean.map((payload) => this.#redactor.redactValue(payload));
  }

  #collect(value: unknown, place: string): void {
    if (typeof value !== 'object' || value === null || this.#path.length > MAX_DEPTH) return;
    const fields = value as Readonly<Record<string, unknown>>;
    const isList = Array.isArray(value);
    const key = isList ? place : place + indexesOf(fields);
    for (const name in fields) {
      const child = fields[name];
      const isText = typeof child === 'string';
      if (isText ? isList || !PIECE_FIELDS.has(name) : typeof child !== 'object') continue;
      this.#path.push(isList ? Number(name) : name);
      if (isText) this.#push(child, `${key}/${name}`);
      else this.#collect(child, `${key}/${name}`);
      this.#path.pop();
    }
  }

  #push(raw: string, key: string): void {
    let stream = this.#streams.get(key);
    if (!stream) {
      stream = this.#redactor.createStream();
      this.#streams.set(key, stream);
    }
    const path = [...this.#path];
    const piece = { payload: this.#count, path, raw, clean: stream.push(raw) };
    const pieces = this.#pieces.get(key);
    if (pieces) pieces.push(piece);
    else this.#pieces.set(key, [piece]);
  }
}

function indexesOf(fields: Readonly<Record<string, unknown>>): string {
  let indexes = '';
  for (const name of INDEX_FIELDS) {
    if (typeof fields[name] === 'number') indexes += `#${fields[name]}`;
  }
  return indexes;
}

function joined(pieces: readonly TextPiece[], side: 'raw' | 'clean'): string {
  let text = '';
  for (const piece of pieces) text += piece[side];
  return text;
}

function withText(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[step] = withText(copy[step], rest, text);
  return copy;
}
