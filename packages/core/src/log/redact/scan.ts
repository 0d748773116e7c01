import type { SourceText } from './characters.ts';
import type { SecretEnd } from './secret-end.ts';

/** A secret begins at `start`. */
export interface SecretStart {
  readonly start: number;
  readonly kind: string;
  /** Where `end` begins to read, if not at `start`. */
  readonly readFrom?: number | undefined;
  readonly end: SecretEnd;
  /** Asked where the secret ended, for secrets that come in lists. */
  readonly next?: Rule | undefined;
}

/** No secret, a secret, or `open`: more text is needed to decide. */
export type Verdict = SecretStart | 'open' | undefined;

/**
 * Looks at a place of the text where a secret may begin. It reads at most `LOOK_BEHIND` characters before `at` and a bounded number
 * after it, and answers `open` when it would read past the end of a text that is not whole (`final`).
 */
export type Rule = (text: SourceText, at: number, final: boolean) => Verdict;

/** Maximum characters that rules read backwards. */
export const LOOK_BEHIND = 160;

/** A longer secret is replaced in pieces, so that a stream never buffers more of it. */
const PIECE_LENGTH = 3_968;

export interface ScanRules {
  /**
   * For two characters, the number of the set of third ones with which something can begin; 0 when nothing can. 0 as
   * the second character stands for one that is not there yet.
   */
  readonly mayBegin: Uint8Array;
  /** The sets, 128 bytes each. */
  readonly thirds: Uint8Array;
  find(text: SourceText, at: number, final: boolean): Verdict;
}

interface OpenSecret {
  readonly secret: SecretStart;
  /** Where the piece begins that is not written yet. */
  start: number;
  /** How far `secret.end` has read. */
  read: number;
}

export interface ScanResult {
  /** The clean text up to `position`; undefined when it is the text itself, unchanged. */
  readonly clean: string | undefined;
  /** Text after it cannot be decided yet. */
  readonly position: number;
}

/** Scans a text once, from left to right; can continue when more text arrives. */
export class Scanner {
  readonly #rules: ScanRules;
  readonly #replace: (kind: string, value: string) => string;
  #open: OpenSecret | undefined;
  #next: Rule | undefined;

  constructor(rules: ScanRules, replace: (kind: string, value: string) => string) {
    this.#rules = rules;
    this.#replace = replace;
  }

  /** Positions in a later call count from the beginning of that call's text, which has lost its first `cut` characters. */
  shift(cut: number): void {
    if (this.#open === undefined) return;
    this.#open.start -= cut;
    this.#open.read -= cut;
  }

  /** Whether the text ends inside a certain secret. */
  get isInside(): boolean {
    return this.#open !== undefined;
  }

  /** Number of characters a scan of a text of this length would read. */
  unread(length: number, from: number): number {
    return length - (this.#open?.read ?? from);
  }

  scan(text: SourceText, from: number, final: boolean): ScanResult {
    let clean: string | undefined;
    let done = from;
    let at = from;
    const search = new CandidateSearch(text, this.#rules);
    while (at < text.length || this.#open !== undefined) {
      if (this.#open === undefined) {
        const found = this.#findNext(search, at, final);
        at = found.at;
        if (found.secret === undefined) break;
        clean = (clean ?? '') + text.slice(done, found.secret.start);
        done = found.secret.start;
        const { start, readFrom = start } = found.secret;
        this.#open = { secret: found.secret, start, read: readFrom };
      }
      const end = this.#readSecret(this.#open, text, final);
      clean = (clean ?? '') + end.placeholders;
      done = end.at;
      at = end.at;
      if (this.#open !== undefined) break;
    }
    const position = this.#open?.start ?? at;
    return {
      clean: clean === undefined ? undefined : clean + text.slice(done, position),
      position,
    };
  }

  #findNext(
    search: CandidateSearch,
    from: number,
    final: boolean,
  ): { readonly at: number; readonly secret?: SecretStart | undefined } {
    const { text } = search;
    if (this.#next !== undefined) {
      const verdict = this.#next(text, from, final);
      if (verdict === 'open') return { at: from };
      this.#next = undefined;
      if (verdict !== undefined) return { at: from, secret: verdict };
    }
    const rules = this.#rules;
    for (let at = search.next(from); at < text.length; at = search.next(at + 1)) {
      const verdict = rules.find(text, at, final);
      if (verdict === 'open') return { at };
      if (verdict !== undefined) return { at, secret: verdict };
    }
    return { at: text.length };
  }

  /** Writes every complete piece. */
  #readSecret(
    open: OpenSecret,
    text: SourceText,
    final: boolean,
  ): { readonly placeholders: string; readonly at: number } {
    const { kind, end, next } = open.secret;
    const found = end.feed(text, open.read);
    open.read = text.length;
    const isOver = found !== -1 || final;
    const known = found === -1 ? text.length - end.unsure : found;
    let placeholders = '';
    while (known - open.start > PIECE_LENGTH) {
      placeholders += this.#replace(kind, text.slice(open.start, open.start + PIECE_LENGTH));
      open.start += PIECE_LENGTH;
    }
    if (!isOver) return { placeholders, at: open.start };
    if (known > open.start) placeholders += this.#replace(kind, text.slice(open.start, known));
    this.#open = undefined;
    this.#next = next;
    return { placeholders, at: known };
  }
}

/** Shorter texts, and the ends of longer ones, are read character by character. */
const SHORT_TEXT = 96;
/** Bytes that are looked at together: few at first, because a secret may be near. */
const FIRST_WINDOW = 1024;
const LARGEST_WINDOW = 8 * 1024;
/** Shared by all searches; whoever finds that another one has read into it reads again. */
const windowBytes = new Uint8Array(LARGEST_WINDOW);
let windowsRead = 0;
const encoder = new TextEncoder();

/**
 * Finds the places of a text where something can begin. ASCII is read as bytes, a window at a time, because each
 * character of a string costs more than twice as much; other text is read by its characters.
 */
class CandidateSearch {
  readonly text: SourceText;
  readonly #rules: ScanRules;
  #isAscii: boolean;
  /** The number of the window that this search has read. */
  #window = 0;
  #start = 0;
  #end = 0;
  #size = FIRST_WINDOW;

  constructor(text: SourceText, rules: ScanRules) {
    this.text = text;
    this.#rules = rules;
    this.#isAscii = typeof text === 'string';
  }

  /** The first place from here on where something can begin, or the text's end. Places are asked for in their order. */
  next(from: number): number {
    const { text } = this;
    let at = from;
    while (this.#isAscii && text.length - at > SHORT_TEXT) {
      // A place is judged by three characters, so that the last two of a window belong to the next one.
      if ((at >= this.#end - 2 || this.#window !== windowsRead) && !this.#read(at)) break;
      const last = this.#end - 2;
      at = this.#start + candidateInBytes(at - this.#start, last - this.#start, this.#rules);
      if (at < last) return at;
    }
    return candidateInCharacters(text, at, this.#rules);
  }

  /** Reads a window from here on; false where it is not ASCII. */
  #read(from: number): boolean {
    const window = this.text.slice(from, from + this.#size);
    this.#window = ++windowsRead;
    this.#isAscii = looksAscii(window) && fillWindow(window);
    this.#start = from;
    this.#end = from + window.length;
    this.#size = LARGEST_WINDOW;
    return this.#isAscii;
  }
}

/** Whether each character became one byte. Other characters may fill the window as well, but not all of them fit. */
function fillWindow(window: string): boolean {
  const { read, written } = encoder.encodeInto(window, windowBytes);
  return read === window.length && written === window.length;
}

/** A few characters tell most other scripts from ASCII, for less than turning a window into bytes costs. */
function looksAscii(window: string): boolean {
  const step = (window.length >> 3) + 1;
  for (let at = 0; at < window.length; at += step) if (window.charCodeAt(at) > 127) return false;
  return true;
}

function candidateInBytes(from: number, last: number, { mayBegin, thirds }: ScanRules): number {
  const bytes = windowBytes;
  let first = bytes[from] ?? 0;
  for (let at = from; at < last; at++) {
    const second = bytes[at + 1] ?? 0;
    const set = mayBegin[(first << 7) | second] ?? 0;
    if (set !== 0 && thirds[(set << 7) | (bytes[at + 2] ?? 0)] === 1) return at;
    first = second;
  }
  return last;
}

/** The next place where something can begin, or the text's end. */
function candidateInCharacters(
  text: SourceText,
  from: number,
  { mayBegin, thirds }: ScanRules,
): number {
  const last = text.length - 1;
  if (from > last) return text.length;
  let first = text.charCodeAt(from) & 127;
  if (from < last) {
    let second = text.charCodeAt(from + 1) & 127;
    for (let at = from; at + 1 < last; at++) {
      const third = text.charCodeAt(at + 2) & 127;
      // Of the set of nothing, no character is one.
      const set = mayBegin[(first << 7) | second] ?? 0;
      if (thirds[(set << 7) | third] === 1) return at;
      first = second;
      second = third;
    }
    if (mayBegin[(first << 7) | second] !== 0) return last - 1;
    first = second;
  }
  // Behind the last character is the column of a text that may go on.
  return mayBegin[first << 7] === 0 ? text.length : last;
}
