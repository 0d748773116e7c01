/** Replies of the terminal to our queries. */
export type TerminalReply =
  /** Reply to a status request: everything written before the request has been drawn. */
  | { readonly kind: 'drawn' }
  /** The background colour, each component from 0 to 1. */
  | {
      readonly kind: 'background';
      readonly red: number;
      readonly green: number;
      readonly blue: number;
    };

/** Requests a reply once everything so far has been drawn; the reply arrives in order with the keys. */
export const ASK_DRAWN = '\u001b[5n';
export const ASK_BACKGROUND = '\u001b]11;?\u0007';

/** `ESC [ 0 n`, or 3 from a terminal that reports a malfunction. */
const DRAWN = /^[03]n$/;
const HEX = '([0-9a-f]+)';
const BACKGROUND = new RegExp(`^11;rgba?:${HEX}/${HEX}/${HEX}`, 'i');

/** A control sequence without its introducer, as a reply to a query of ours. */
export function replyInSequence(sequence: string): TerminalReply | undefined {
  return DRAWN.test(sequence) ? { kind: 'drawn' } : undefined;
}

/** The text of an operating system command, as a reply to a query of ours. */
export function replyInCommand(command: string): TerminalReply | undefined {
  const [whole, red = '', green = '', blue = ''] = BACKGROUND.exec(command) ?? [];
  if (whole === undefined) return undefined;
  return { kind: 'background', red: share(red), green: share(green), blue: share(blue) };
}

/** `1e1e` of `ffff`, or `1e` of `ff`. */
function share(hexadecimal: string): number {
  return Number.parseInt(hexadecimal, 16) / (16 ** hexadecimal.length - 1);
}
