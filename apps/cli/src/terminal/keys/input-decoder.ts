import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import type { KeyPress } from './key.ts';
import {
  pressInApplicationMode,
  pressInSequence,
  pressOfControl,
  pressWithAlt,
  withAlt,
} from './key-sequences.ts';
import { replyInCommand, replyInSequence, type TerminalReply } from './terminal-replies.ts';

export type InputEvent =
  | { readonly kind: 'press'; readonly press: KeyPress }
  | { readonly kind: 'reply'; readonly reply: TerminalReply };

/** How long an Escape waits for the rest of a sequence: imperceptible, but long enough for ssh. */
const ESCAPE_MS = 80;
/** How long a sequence waits once it cannot have been typed any more. */
const SEQUENCE_MS = 1_000;

const ESCAPE = '\u001b';
const CTRL_C = '\u0003';
const PASTE_START = '200~';
const PASTE_END = `${ESCAPE}[201~`;
/** A longer run of text that arrives at once was not typed key by key. */
const MAX_TYPED = 32;

/** Parameters, intermediate bytes and final byte of a control sequence; `ESC [ 7 $` is a key of rxvt. */
const SEQUENCE = /^(?:\[.|\d+\$|[0-?]*[ -/]*[@-~])/;
const UNFINISHED_SEQUENCE = /^(?:\[?|[0-?]*[ -/]*)$/;
/** Mouse reports of the oldest kind: three bytes follow the final one. */
const MOUSE_BYTES = 3;
/** Introduce texts that end with BEL or `ESC \`: replies of the terminal, never keys. */
const TEXT_INTRODUCERS = ']P_^X';
const TEXT_ENDS = ['\u0007', `${ESCAPE}\\`];
/** What the texts of terminals begin with; alt and such a character, then typing, must not look like one. */
const TEXT_START = /^(?:[0-9]|[>=?!$+|G])/;

/** A sequence at the start of the input: its length, and what it means if anything. */
interface Decoded {
  readonly length: number;
  readonly event?: InputEvent | undefined;
  readonly startsPaste?: boolean;
}

/** Reads what a terminal sends: keys, pastes and replies, in their order. Reports that nobody asked for are dropped. */
export class InputDecoder {
  readonly #decoder = new StringDecoder('utf8');
  /** The beginning of a sequence whose rest has not arrived. */
  #held = '';
  /** When it began to be held, in milliseconds since 1970. */
  #heldSince = 0;
  /** Parts of a paste whose end has not arrived. */
  #pasted: string[] | undefined;
  /** Whether the terminal was seen to mark a paste; what it does not mark is then typed. */
  #marksPastes = false;
  /** Until when text belongs to a paste without marks, in milliseconds since 1970. */
  #burstUntil = 0;

  /** `at` is the time of arrival in milliseconds since 1970. */
  take(chunk: Buffer, at: number): InputEvent[] {
    const text = this.#decoder.write(chunk);
    if (this.#isBreakingOff(text)) return this.#endPaste();
    if (this.#isUnmarkedPaste(text, at)) return pasteOf(text);
    const before = this.#held;
    const input = before + text;
    const events = this.#decode(input);
    const isSame = before !== '' && this.#held === input;
    if (!isSame) this.#heldSince = at;
    return events;
  }

  /** When to call `release` unless more arrives; undefined when nothing is held. */
  get releaseAt(): number | undefined {
    if (this.#pasted || this.#held === '') return undefined;
    return this.#heldSince + (this.#held.length <= 2 ? ESCAPE_MS : SEQUENCE_MS);
  }

  /** Nothing followed: what is held was an Escape or a key with alt, or it is the remains of a report. */
  release(): InputEvent[] {
    const held = this.#held;
    this.#held = '';
    if (held === ESCAPE) return [ESCAPE_PRESS];
    return held.length === 2 ? toPress(pressWithAlt(held.charAt(1))) : [];
  }

  #decode(input: string): InputEvent[] {
    const events: InputEvent[] = [];
    let rest = input;
    this.#held = '';
    while (rest !== '') {
      if (this.#pasted) {
        const end = rest.indexOf(PASTE_END);
        if (end === -1) {
          this.#keepPasted(rest);
          break;
        }
        this.#pasted.push(rest.slice(0, end));
        events.push(...this.#endPaste());
        rest = rest.slice(end + PASTE_END.length);
        continue;
      }
      const decoded = rest.startsWith(ESCAPE) ? decodeEscape(rest) : decodePlain(rest);
      if (!decoded) {
        this.#held = rest;
        break;
      }
      if (decoded.event) events.push(decoded.event);
      if (decoded.startsPaste) {
        this.#pasted = [];
        this.#marksPastes = true;
      }
      rest = rest.slice(decoded.length);
    }
    return events;
  }

  /** The end of a paste may be cut in two. */
  #keepPasted(text: string): void {
    const place = text.lastIndexOf(ESCAPE);
    const isCut = place !== -1 && PASTE_END.startsWith(text.slice(place));
    this.#pasted?.push(isCut ? text.slice(0, place) : text);
    this.#held = isCut ? text.slice(place) : '';
  }

  /** A key by itself ends a paste whose end was lost; otherwise nothing could. */
  #isBreakingOff(text: string): boolean {
    return this.#pasted !== undefined && this.#held === '' && text === CTRL_C;
  }

  #endPaste(): InputEvent[] {
    const text = (this.#pasted ?? []).join('');
    this.#pasted = undefined;
    return pasteOf(text);
  }

  /** Some terminals and multiplexers do not mark pastes; each line would be submitted. */
  #isUnmarkedPaste(text: string, at: number): boolean {
    const isPossible = !this.#marksPastes && this.#held === '' && !this.#pasted;
    const goesOn = at < this.#burstUntil && text.length > 1;
    const isPaste = isPossible && PLAIN_LINES.test(text) && (goesOn || isBurst(text));
    this.#burstUntil = isPaste ? at + BURST_MS : 0;
    return isPaste;
  }
}

/** How soon the next part of a paste follows the one before; a single character is a key. */
const BURST_MS = 200;
const PLAIN_LINES = /^[\P{Cc}\r\n\t]+$/u;

/** Whole lines that may be prompts given ahead, by a person or by a program that drives this one. */
const MAX_PROMPTS_AHEAD = 3;

/** Behind the end of a line there is more than somebody types ahead. */
function isBurst(text: string): boolean {
  const end = /[^\r\n][\r\n]+(?=[^\r\n])/.exec(text);
  if (end === null || text.trimEnd().length - (end.index + end[0].length) <= MAX_TYPED)
    return false;
  return !/[\r\n]$/.test(text) || (text.match(/[^\r\n]+/g) ?? []).length > MAX_PROMPTS_AHEAD;
}

function pasteOf(given: string): InputEvent[] {
  const text = pastedText(given);
  return text === '' ? [] : [{ kind: 'press', press: { kind: 'paste', text } }];
}

const ESCAPE_PRESS: InputEvent = { kind: 'press', press: { kind: 'key', name: 'escape' } };

/** Terminals send line ends of a paste as carriage returns. */
function pastedText(text: string): string {
  return stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n')).replaceAll(
    /[^\n\t\P{Cc}]/gu,
    '',
  );
}

/** Text up to the next control character, or one control character. */
function decodePlain(input: string): Decoded {
  const [run = ''] = /^\P{Cc}+/u.exec(input) ?? [];
  if (run.length > MAX_TYPED) return typed(run);
  const [character = ''] = input;
  if (run !== '') return typed(character);
  return { length: 1, event: toPress(pressOfControl(character))[0] };
}

function typed(text: string): Decoded {
  return { length: text.length, event: { kind: 'press', press: { kind: 'text', text } } };
}

/** Undefined when the input ends inside a sequence. */
function decodeEscape(input: string): Decoded | undefined {
  const [, second = '', third = ''] = input;
  if (second === '') return undefined;
  if (second === '[') return decodeSequence(input.slice(2));
  if (second === 'O') return decodeApplicationKey(input.slice(2));
  if (TEXT_INTRODUCERS.includes(second)) return decodeText(input, second);
  if (second === ESCAPE) {
    if (third !== '[' && third !== 'O') return { length: 1, event: ESCAPE_PRESS };
    return escapeBefore(decodeEscape(input.slice(1)));
  }
  return decodeAlt([...input][1] ?? second);
}

function decodeSequence(input: string): Decoded | undefined {
  const [sequence = ''] = SEQUENCE.exec(input) ?? [];
  if (sequence === '') {
    // A character that cannot be part of it ends a broken sequence.
    const [broken = ''] = /^[0-?]*[ -/]*/.exec(input) ?? [];
    return UNFINISHED_SEQUENCE.test(input) ? undefined : { length: 2 + broken.length };
  }
  const length = 2 + sequence.length;
  if (sequence === PASTE_START) return { length, startsPaste: true };
  if (sequence === 'M') {
    return input.length < 1 + MOUSE_BYTES ? undefined : { length: length + MOUSE_BYTES };
  }
  const reply = replyInSequence(sequence);
  if (reply) return { length, event: { kind: 'reply', reply } };
  return { length, event: toPress(pressInSequence(sequence))[0] };
}

function decodeApplicationKey(input: string): Decoded | undefined {
  const [sequence = ''] = /^\d?\P{Cc}/u.exec(input) ?? [];
  if (sequence === '') return /^\d?$/.test(input) ? undefined : { length: 2 };
  return { length: 2 + sequence.length, event: toPress(pressInApplicationMode(sequence))[0] };
}

function decodeText(input: string, introducer: string): Decoded | undefined {
  const text = input.slice(2);
  if (text === '') return undefined;
  if (!TEXT_START.test(text)) return decodeAlt(introducer);
  const stop = text.search(/\p{Cc}/u);
  const after = text.slice(stop);
  if (stop === -1 || after === ESCAPE) return undefined;
  const end = TEXT_ENDS.find((each) => after.startsWith(each));
  // Any other control character is a key: the text was broken off.
  if (end === undefined) return { length: 2 + stop };
  const reply = introducer === ']' ? replyInCommand(text.slice(0, stop)) : undefined;
  const length = 2 + stop + end.length;
  return { length, event: reply && { kind: 'reply', reply } };
}

/** Escape and a control key may arrive together, as over a slow connection; only some keys exist with alt. */
function decodeAlt(character: string): Decoded {
  if (!/^\p{Cc}/u.test(character)) {
    return { length: 1 + character.length, event: toPress(pressWithAlt(character))[0] };
  }
  const press = pressOfControl(character);
  const isOfCtrl = press === undefined || (press.kind === 'key' && press.name.startsWith('ctrl+'));
  if (isOfCtrl) return { length: 1, event: ESCAPE_PRESS };
  return { length: 2, event: toPress(withAlt(press))[0] };
}

/** With alt, some terminals send an Escape before the sequence of a key; before anything else it is a key by itself. */
function escapeBefore(decoded: Decoded | undefined): Decoded | undefined {
  if (!decoded) return undefined;
  const { event, length } = decoded;
  if (event?.kind !== 'press') return { length: 1, event: ESCAPE_PRESS };
  const press = withAlt(event.press);
  return { ...decoded, length: length + 1, event: press ? { kind: 'press', press } : event };
}

function toPress(press: KeyPress | undefined): InputEvent[] {
  return press ? [{ kind: 'press', press }] : [];
}
