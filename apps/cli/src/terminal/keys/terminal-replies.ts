/** What a terminal answers when it is asked. */
export type TerminalReply =
  /** The answer to a status request: everything written before the request has been drawn. */
  | { readonly kind: 'drawn' }
  /** The background colour, each part from 0 to 1. */
  | {
      readonly kind: 'background';
      readonly red: number;
      readonly green: number;
      readonly blue: number;
    };

/** Asks the terminal for a sign that it has drawn everything so far; it is answered in the order of the keys. */
export const ASK_DRAWN = '\u001b[5n';
export const ASK_BACKGROUND = '\u001b]11;?\u0007';

const ESCAPE = '\u001b';
const DRAWN = `${ESCAPE}[0n`;
const BACKGROUND = new RegExp(
  `${ESCAPE}\\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)[^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)`,
);
const REPLY = new RegExp(`${ESCAPE}\\[0n|${BACKGROUND.source}`);
/** The end of a chunk that may be the beginning of a reply. */
const UNFINISHED = new RegExp(`${ESCAPE}(?:\\[0?|\\][^\\u0007]*)?$`);

export type InputPart =
  | { readonly kind: 'keys'; readonly bytes: Buffer }
  | { readonly kind: 'reply'; readonly reply: TerminalReply };

/** Tells the terminal's answers from what a person types, in the order in which both arrive. */
export class ReplyFilter {
  #held = '';

  /** Bytes that may still become a reply are kept back until the next call. */
  take(chunk: Buffer): InputPart[] {
    let rest = this.#held + chunk.toString('latin1');
    this.#held = '';
    const parts: InputPart[] = [];
    for (let match = REPLY.exec(rest); match; match = REPLY.exec(rest)) {
      parts.push(...keysPart(rest.slice(0, match.index)), toReply(match[0]));
      rest = rest.slice(match.index + match[0].length);
    }
    const unfinished = UNFINISHED.exec(rest);
    if (unfinished) this.#held = unfinished[0];
    return [...parts, ...keysPart(rest.slice(0, rest.length - this.#held.length))];
  }

  /** What is kept back, once it is clear that nothing follows. */
  release(): InputPart[] {
    const held = this.#held;
    this.#held = '';
    return keysPart(held);
  }

  get isHolding(): boolean {
    return this.#held !== '';
  }
}

function keysPart(text: string): InputPart[] {
  return text === '' ? [] : [{ kind: 'keys', bytes: Buffer.from(text, 'latin1') }];
}

function toReply(text: string): InputPart {
  if (text === DRAWN) return { kind: 'reply', reply: { kind: 'drawn' } };
  const [, red = '', green = '', blue = ''] = BACKGROUND.exec(text) ?? [];
  return {
    kind: 'reply',
    reply: { kind: 'background', red: share(red), green: share(green), blue: share(blue) },
  };
}

/** `1e1e` of `ffff`, or `1e` of `ff`. */
function share(hexadecimal: string): number {
  return Number.parseInt(hexadecimal, 16) / (16 ** hexadecimal.length - 1);
}
