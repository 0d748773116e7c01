import { EventEmitter } from 'node:events';
import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import type { ReadStream } from 'node:tty';
import type { KeyPress } from './key.ts';
import { type InputPart, ReplyFilter, type TerminalReply } from './terminal-replies.ts';

const BRACKETED_PASTE_ON = '\u001b[?2004h';
const BRACKETED_PASTE_OFF = '\u001b[?2004l';

/** How long an Escape waits for the rest of a sequence: short for people, long enough for ssh. */
const ESCAPE_MS = 80;
/** An Escape that comes through has waited already. */
const NO_MORE_MS = 1;

export interface KeyListeners {
  readonly onPress: (press: KeyPress) => void;
  readonly onReply: (reply: TerminalReply) => void;
}

/** Puts the terminal into raw mode and reports presses and replies until the returned function is called. */
export function readKeys(
  input: ReadStream,
  output: NodeJS.WritableStream,
  { onPress, onReply }: KeyListeners,
): () => void {
  const collector = new PasteCollector(onPress);
  const keys = new EventEmitter() as unknown as NodeJS.ReadableStream & EventEmitter;
  // Of an interface, only the time to wait behind a lone Escape is looked at.
  emitKeypressEvents(keys, { escapeCodeTimeout: NO_MORE_MS } as unknown as Interface);
  keys.on('keypress', (text: string | undefined, key: Key) => collector.take(text, key));
  const filter = new ReplyFilter();
  let release: NodeJS.Timeout | undefined;
  const pass = (parts: readonly InputPart[]) => {
    for (const part of parts) {
      if (part.kind === 'reply') onReply(part.reply);
      else keys.emit('data', part.bytes);
    }
  };
  const onData = (chunk: Buffer) => {
    clearTimeout(release);
    pass(filter.take(chunk));
    if (filter.isHolding) release = setTimeout(() => pass(filter.release()), ESCAPE_MS);
  };
  input.setRawMode?.(true);
  input.on('data', onData);
  input.resume();
  output.write(BRACKETED_PASTE_ON);
  return () => {
    clearTimeout(release);
    output.write(BRACKETED_PASTE_OFF);
    input.off('data', onData);
    input.setRawMode?.(false);
    input.pause();
  };
}

/** Gathers what stands between the marks of a bracketed paste into one press. */
class PasteCollector {
  readonly #onPress: (press: KeyPress) => void;
  #pasted: string | undefined;

  constructor(onPress: (press: KeyPress) => void) {
    this.#onPress = onPress;
  }

  take(text: string | undefined, key: Key): void {
    if (key.name === 'paste-start') {
      this.#pasted = '';
    } else if (key.name === 'paste-end') {
      this.#onPress({ kind: 'paste', text: this.#pasted ?? '' });
      this.#pasted = undefined;
    } else if (this.#pasted !== undefined) {
      this.#pasted += key.sequence ?? text ?? '';
    } else {
      for (const press of toPresses(text, key)) this.#onPress(press);
    }
  }
}

const LAST_CONTROL = 0x1a;
/** From a control character to its letter. */
const CONTROL_TO_LETTER = 0x60;

/** Escape and a control key may arrive together, as over a slow line: alt with ctrl is no key of ours. */
function toPresses(text: string | undefined, key: Key): KeyPress[] {
  const { name, sequence = '' } = key;
  const code = sequence.charCodeAt(1);
  const isPair = name === undefined && sequence.length === 2 && sequence.startsWith('\u001b');
  if (isPair && code <= LAST_CONTROL) {
    const letter = String.fromCharCode(code + CONTROL_TO_LETTER);
    return [
      { kind: 'key', name: 'escape' },
      { kind: 'key', name: `ctrl+${letter}` },
    ];
  }
  const press = toPress(text, key);
  return press ? [press] : [];
}

/** Control characters are keys; everything else that arrives is text, whatever its script. */
function toPress(text: string | undefined, key: Key): KeyPress | undefined {
  const isPrintable = text !== undefined && text !== '' && !/^\p{Cc}/u.test(text);
  if (isPrintable && !key.ctrl && !key.meta) return { kind: 'text', text };
  if (key.name === undefined) return undefined;
  // A lone Escape is reported as one that changes another key.
  if (key.name === 'escape') return { kind: 'key', name: 'escape' };
  const modifiers = [key.ctrl && 'ctrl', key.meta && 'meta', key.shift && 'shift'].filter(Boolean);
  return { kind: 'key', name: [...modifiers, key.name].join('+') };
}
