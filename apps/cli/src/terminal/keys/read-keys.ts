import type { ReadStream } from 'node:tty';
import { InputDecoder, type InputEvent } from './input-decoder.ts';
import type { KeyPress } from './key.ts';
import type { TerminalReply } from './terminal-replies.ts';

const BRACKETED_PASTE_ON = '\u001b[?2004h';
const BRACKETED_PASTE_OFF = '\u001b[?2004l';

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
  const decoder = new InputDecoder();
  let release: NodeJS.Timeout | undefined;
  const report = (events: readonly InputEvent[]) => {
    for (const event of events) {
      if (event.kind === 'reply') onReply(event.reply);
      else onPress(event.press);
    }
  };
  const onData = (chunk: Buffer) => {
    clearTimeout(release);
    report(decoder.take(chunk, Date.now()));
    const { releaseAt } = decoder;
    if (releaseAt === undefined) return;
    release = setTimeout(() => report(decoder.release()), Math.max(0, releaseAt - Date.now()));
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
