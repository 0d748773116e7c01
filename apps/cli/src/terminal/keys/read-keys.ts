import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import type { ReadStream } from 'node:tty';
import type { KeyPress } from './key.ts';

const BRACKETED_PASTE_ON = '\u001b[?2004h';
const BRACKETED_PASTE_OFF = '\u001b[?2004l';

/** How long an Escape waits for the rest of a key's sequence: short for people, long enough for ssh. */
const ESCAPE_MS = 80;

/** Puts the terminal into raw mode and reports presses until the returned function is called. */
export function readKeys(
  input: ReadStream,
  output: NodeJS.WritableStream,
  onPress: (press: KeyPress) => void,
): () => void {
  const collector = new PasteCollector(onPress);
  const listener = (text: string | undefined, key: Key) => collector.take(text, key);
  // Of an interface, only the time to wait behind a lone Escape is looked at.
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  input.setRawMode?.(true);
  input.on('keypress', listener);
  input.resume();
  output.write(BRACKETED_PASTE_ON);
  return () => {
    output.write(BRACKETED_PASTE_OFF);
    input.off('keypress', listener);
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
      const press = toPress(text, key);
      if (press) this.#onPress(press);
    }
  }
}

/** Control characters are keys; everything else that arrives is text, whatever its script. */
function toPress(text: string | undefined, key: Key): KeyPress | undefined {
  const isPrintable = text !== undefined && text !== '' && !/^\p{Cc}/u.test(text);
  if (isPrintable && !key.ctrl && !key.meta) return { kind: 'text', text };
  if (key.name === undefined) return undefined;
  const modifiers = [key.ctrl && 'ctrl', key.meta && 'meta', key.shift && 'shift'].filter(Boolean);
  return { kind: 'key', name: [...modifiers, key.name].join('+') };
}
