import { BASE64, isEscapeLetter, isIn, type SourceText } from './characters.ts';
import type { Verdict } from './scan.ts';
import type { SecretEnd } from './secret-end.ts';

const HEADER = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const HEADER_BEGUN = /^-----BEGIN [A-Z0-9 ]{0,64}-{0,4}$/;
const LONGEST_HEADER = 80;
/** A key's first line appears within this many characters; a mention of a key in code has none. */
const MAX_PREAMBLE = 400;
const LONG_RUN = 20;

/** A private key in PEM or PGP armour, as text or inside JSON. */
export function privateKey(text: SourceText, at: number, final: boolean): Verdict {
  const top = text.slice(at, at + LONGEST_HEADER);
  const header = HEADER.exec(top)?.[0];
  if (header === undefined) {
    return top.length < LONGEST_HEADER && !final && HEADER_BEGUN.test(top) ? 'open' : undefined;
  }
  const bodyAt = at + header.length;
  const body = text.slice(bodyAt, bodyAt + MAX_PREAMBLE);
  const isWhole = body.length === MAX_PREAMBLE || final;
  // A line end, real or escaped, or a space: otherwise the header is only named.
  if (body === '' && !final) return 'open';
  if (!/^\s|^\\+(?:[nr\s]|$)/.test(body)) return undefined;
  const prefix = linePrefix(text, at);
  if (/-----END|[A-Za-z0-9+/=]{20}/.test(body)) return found(at, bodyAt, prefix);
  if (!isWhole) return 'open';
  return body.length < MAX_PREAMBLE && !isProse(body) ? found(at, bodyAt, prefix) : undefined;
}

const LONGEST_PREFIX = 120;
const LINE_START = /(?:[\r\n]|\\[nr])(?!.*(?:[\r\n]|\\[nr]))/;

/**
 * What stands before the header on its line: a number as tools show files, a path and a number from a search, a mark of a
 * difference or a quotation. The other lines of the key begin alike.
 */
function linePrefix(text: SourceText, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_PREFIX), at);
  const start = LINE_START.exec(before);
  if (start === null) return before.length < LONGEST_PREFIX ? before : '';
  return before.slice(start.index + start[0].length);
}

/** Two words on one line, and not a header such as `Proc-Type: 4,ENCRYPTED`. */
function isProse(body: string): boolean {
  return /[A-Za-z0-9+/=] +[A-Za-z]/.test(body) && !/(?:Type|Info|Version|Comment): /.test(body);
}

function found(at: number, bodyAt: number, prefix: string): Verdict {
  return { start: at, kind: 'private-key', readFrom: bodyAt, end: new ArmourEnd(prefix) };
}

/** Passes over what every line of a key begins with. Numbers may differ, and the spaces before them. */
class PrefixReader {
  readonly #prefix: string;
  /** How much of it this line has shown; all of it when nothing more is expected. */
  #at: number;

  constructor(prefix: string) {
    this.#prefix = prefix.trimStart().replace(/\d+/g, '0');
    this.#at = this.#prefix.length;
  }

  beginLine(): void {
    this.#at = 0;
  }

  /** Whether the character belongs to the beginning of its line. */
  reads(code: number): boolean {
    if (this.#at >= this.#prefix.length) return false;
    if (this.#at === 0 && code === 32) return true;
    if (isDigit(code)) {
      if (this.#prefix.charCodeAt(this.#at) === DIGIT) this.#at += 1;
      // A number goes on.
      else if (this.#at === 0 || this.#prefix.charCodeAt(this.#at - 1) !== DIGIT)
        return this.#stop();
      return true;
    }
    if (this.#prefix.charCodeAt(this.#at) !== code) return this.#stop();
    this.#at += 1;
    return true;
  }

  #stop(): false {
    this.#at = this.#prefix.length;
    return false;
  }
}

/** Represents any number in a prefix. */
const DIGIT = 48;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** After the last short line nothing but so many separators may come before the footer. */
const MAX_GAP = 48;
const LONGEST_FOOTER = 72;
/** Around the words of a header and of a footer. */
const DASHES = 5;
const LETTER_B = 66;

type ArmourState = 'preamble' | 'body' | 'tail' | 'footer';

/**
 * Reads lines of base64 until the footer. A key that was cut off has none, so it also ends behind a line that is shorter than
 * the others when more text follows.
 */
class ArmourEnd implements SecretEnd {
  #state: ArmourState = 'preamble';
  /** Characters since the state began. */
  #count = 0;
  #run = 0;
  #dashes = 0;
  #escaped = false;
  readonly #prefix: PrefixReader;

  constructor(prefix: string) {
    this.#prefix = new PrefixReader(prefix);
  }

  get unsure(): number {
    if (this.#state === 'tail') return this.#count;
    return this.#state === 'footer' && this.#count === 0 ? DASHES : this.#dashes;
  }

  feed(text: SourceText, from: number): number {
    for (let at = from; at < text.length; at++) {
      const end = this.#read(text.charCodeAt(at), at);
      if (end !== -1) return end;
    }
    return -1;
  }

  #read(code: number, at: number): number {
    this.#count++;
    this.#dashes = code === 45 ? this.#dashes + 1 : 0;
    if (this.#state === 'footer') return this.#readFooter(code, at);
    if (this.#dashes === DASHES) return this.#to('footer');
    const isEscape = this.#escaped && isEscapeLetter(code);
    this.#escaped = code === 92;
    if (this.#prefix.reads(code)) return this.#readSeparator(at, true);
    if (code === 10 || code === 13 || (isEscape && (code === 110 || code === 114))) {
      this.#prefix.beginLine();
    }
    // A plus sign that begins nothing puts two literals together.
    const isPlus = code === 43 && this.#run === 0;
    if (isIn(BASE64, code) && !isEscape && !isPlus) return this.#readRun(code, at);
    return this.#readSeparator(at, isSeparator(code) || isEscape);
  }

  #readSeparator(at: number, isAllowed: boolean): number {
    const run = this.#run;
    this.#run = 0;
    if (this.#state === 'preamble') return this.#count > MAX_PREAMBLE ? at : -1;
    if (!isAllowed) return this.#endOfBody(at);
    if (this.#state === 'body' && run > 0 && run < LONG_RUN) return this.#toTail();
    if (this.#state === 'tail' && this.#count > MAX_GAP) return this.#endOfBody(at);
    return -1;
  }

  /** After the last line of a PGP key comes a checksum, which begins with `=`. */
  #readRun(code: number, at: number): number {
    this.#run++;
    if (this.#state === 'tail') return code === 61 ? this.#to('body') : this.#endOfBody(at);
    if (this.#state === 'preamble' && this.#run === LONG_RUN) return this.#to('body');
    return -1;
  }

  /** The footer's name ends with five dashes again; one that reads `BEGIN` is the header of another key. */
  #readFooter(code: number, at: number): number {
    if (this.#count === 1 && code === LETTER_B) return at - DASHES;
    if (this.#dashes === DASHES && this.#count > DASHES) return at + 1;
    return this.#count > LONGEST_FOOTER ? at : -1;
  }

  /** The separator just read is the first that may not belong to the key. */
  #toTail(): number {
    this.#to('tail');
    this.#count = 1;
    return -1;
  }

  #to(state: ArmourState): number {
    this.#state = state;
    this.#count = 0;
    this.#dashes = 0;
    return -1;
  }

  #endOfBody(at: number): number {
    return at + 1 - (this.#state === 'tail' ? this.#count : 1);
  }
}

/** Line ends, the backslash of an escaped one, quotes and signs that put literals together, checksums of PGP. */
function isSeparator(code: number): boolean {
  return code <= 32 || '\\"\'`+,>|#*-.'.includes(String.fromCharCode(code));
}
