import type { KeyPress } from './key.ts';

/** Final bytes of keys that terminals send as `ESC [ A` or `ESC O A`. */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  Z: 'tab',
};

/** Keys of the numeric keypad in application mode, as `ESC O j`. */
const KEYPAD: Readonly<Record<string, string>> = {
  M: '\r',
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  ...Object.fromEntries([...'pqrstuvwxy'].map((letter, digit) => [letter, String(digit)])),
};

/** Keys sent as `ESC [ 3 ~`. */
const NUMBERS: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};

/** Code points of keys without a character, in the encodings that name keys by code point. */
const CODES: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'return',
  27: 'escape',
  127: 'backspace',
  57414: 'return',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
};
const KEYPAD_ZERO = 57_399;
/** Code points that stand for keys: locks, media keys and modifiers that have no name here. */
const FIRST_KEY_CODE = 57_344;
const LAST_KEY_CODE = 63_743;

interface Modifiers {
  readonly shift: boolean;
  readonly meta: boolean;
  readonly ctrl: boolean;
  /** Super or hyper: combinations that belong to the window system. */
  readonly other: boolean;
}

const NO_MODIFIERS: Modifiers = { shift: false, meta: false, ctrl: false, other: false };

/** Terminals send one more than the sum of the modifier bits. */
function modifiersOf(parameter: string | undefined): Modifiers {
  const bits = Math.max(0, Number.parseInt(parameter || '1', 10) - 1);
  const has = (bit: number) => (bits & bit) !== 0;
  return { shift: has(1), meta: has(2) || has(32), ctrl: has(4), other: has(8) || has(16) };
}

/** The kind of event that terminals report when a key is let go. */
const RELEASE = '3';

/** The press that a control sequence stands for, given without `ESC [`; undefined for a report or an unknown key. */
export function pressInSequence(sequence: string): KeyPress | undefined {
  const [, parameters = '', final = ''] = /^([\d;:]*)([@-~]|\$)$/.exec(sequence) ?? [];
  const [first = '', second, third] = parameters.split(';');
  if (second?.split(':')[1] === RELEASE) return undefined;
  switch (final) {
    case '':
      return undefined;
    case '~':
      return first === '27'
        ? characterPress({ code: third ?? '', modifiers: second })
        : named(NUMBERS[Number(first)], modifiersOf(second));
    case 'u':
      return characterPress({ code: first, modifiers: second, text: third });
    case '^':
      return named(NUMBERS[Number(first)], { ...NO_MODIFIERS, ctrl: true });
    case '$':
      return named(NUMBERS[Number(first)], { ...NO_MODIFIERS, shift: true });
    case 'Z':
      return named('tab', { ...modifiersOf(second), shift: true });
    default:
      return letterPress(final, second);
  }
}

/** Lower-case arrows are sent with shift; a function key or a report has no name here. */
function letterPress(final: string, modifiers: string | undefined): KeyPress | undefined {
  const isShifted = /[a-d]/.test(final);
  const held = modifiersOf(modifiers);
  return named(LETTERS[final.toUpperCase()], isShifted ? { ...held, shift: true } : held);
}

/** The press of `ESC O` and a character: a key in application mode. */
export function pressInApplicationMode(sequence: string): KeyPress | undefined {
  const [, modifiers = '', final = ''] = /^(\d?)(.)$/.exec(sequence) ?? [];
  const typed = KEYPAD[final];
  if (typed === '\r') return named('return', NO_MODIFIERS);
  if (typed !== undefined) return { kind: 'text', text: typed };
  if (/[a-d]/.test(final))
    return named(LETTERS[final.toUpperCase()], { ...NO_MODIFIERS, ctrl: true });
  return named(LETTERS[final], modifiersOf(modifiers));
}

interface EncodedCharacter {
  /** The code point, then the one with shift, separated by colons. */
  readonly code: string;
  /** The modifiers, then the kind of event. */
  readonly modifiers: string | undefined;
  readonly text?: string | undefined;
}

/** A key named by its code point: `CSI 97;5u` of kitty, `CSI 27;5;97~` of xterm. */
function characterPress({ code, modifiers, text }: EncodedCharacter): KeyPress | undefined {
  const [plain = '', shifted = ''] = code.split(':');
  const point = Number.parseInt(plain, 10);
  const keys = modifiersOf(modifiers);
  if (keys.other || !isCodePoint(point)) return undefined;
  const name = CODES[point];
  if (name !== undefined) return named(name, keys);
  if (point >= KEYPAD_ZERO && point < KEYPAD_ZERO + 10)
    return { kind: 'text', text: String(point - KEYPAD_ZERO) };
  if (point >= FIRST_KEY_CODE && point <= LAST_KEY_CODE) return undefined;
  if (keys.ctrl || keys.meta) return pressOfCharacter(String.fromCodePoint(point), keys);
  const typed = typedText(text) ?? shiftedText(point, shifted, keys);
  return /^\p{Cc}/u.test(typed) ? undefined : { kind: 'text', text: typed };
}

function isCodePoint(point: number): boolean {
  return Number.isInteger(point) && point >= 0 && point <= 0x10_ff_ff;
}

function typedText(codes: string | undefined): string | undefined {
  const points = (codes ?? '').split(':').filter(Boolean).map(Number);
  return points.length > 0 && points.every(isCodePoint)
    ? String.fromCodePoint(...points)
    : undefined;
}

function shiftedText(point: number, shifted: string, { shift }: Modifiers): string {
  const other = Number.parseInt(shifted, 10);
  if (shift && isCodePoint(other)) return String.fromCodePoint(other);
  const text = String.fromCodePoint(point);
  return shift ? text.toUpperCase() : text;
}

/** Control characters that are keys of their own, by the letter they share with ctrl. */
const CONTROL_NAMES: Readonly<Record<string, string>> = {
  h: 'backspace',
  i: 'tab',
  j: 'enter',
  m: 'return',
  '[': 'escape',
};

/** A character with ctrl or alt. */
function pressOfCharacter(character: string, keys: Modifiers): KeyPress | undefined {
  const letter = character.toLowerCase();
  const shift = keys.shift || letter !== character;
  const control = keys.ctrl && !shift ? CONTROL_NAMES[letter] : undefined;
  if (control !== undefined) return named(control, { ...keys, ctrl: false });
  return named(letter, { ...keys, shift });
}

/** Alt and a printable character, sent as Escape and the character. */
export function pressWithAlt(character: string): KeyPress | undefined {
  return pressOfCharacter(character, { ...NO_MODIFIERS, meta: true });
}

/** The press of a single control character; undefined for one that is no key of ours. */
export function pressOfControl(character: string): KeyPress | undefined {
  const code = character.charCodeAt(0);
  if (code === 0x7f) return named('backspace', NO_MODIFIERS);
  if (code < 1 || code > 0x1a) return undefined;
  return pressOfCharacter(String.fromCharCode(code + 0x60), { ...NO_MODIFIERS, ctrl: true });
}

/** The same press with alt held. */
export function withAlt(press: KeyPress | undefined): KeyPress | undefined {
  if (press?.kind !== 'key') return press;
  const [, ctrl = '', rest = ''] = /^(ctrl\+)?(?:meta\+)?(.+)$/.exec(press.name) ?? [];
  return { kind: 'key', name: `${ctrl}meta+${rest}` };
}

function named(
  name: string | undefined,
  { ctrl, meta, shift, other }: Modifiers,
): KeyPress | undefined {
  if (name === undefined || other) return undefined;
  const held = [ctrl && 'ctrl', meta && 'meta', shift && 'shift'].filter(Boolean);
  return { kind: 'key', name: [...held, name].join('+') };
}
