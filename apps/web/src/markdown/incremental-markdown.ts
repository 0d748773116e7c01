import { Lexer, type Token } from 'marked';

/**
 * Reads Markdown that grows at its end. Only the last two top-level blocks can still change (`1` after a list is a
 * paragraph until it becomes `1. item` of that list), so each call lexes from there; everything before is final.
 */
export class IncrementalMarkdown {
  readonly #final: Token[] = [];
  #open: readonly Token[] = [];
  #text = '';
  #openFrom = 0;

  /** The blocks of `text`; text that does not continue the earlier one is read from its beginning. */
  read(text: string): readonly Token[] {
    if (!text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    const tokens = Lexer.lex(text.slice(this.#openFrom));
    const open = firstOpen(tokens);
    for (const token of tokens.slice(0, open)) {
      this.#final.push(token);
      this.#openFrom += token.raw.length;
    }
    this.#open = tokens.slice(open);
    return this.#shown();
  }

  #shown(): readonly Token[] {
    return [...this.#final, ...this.#open].filter(({ type }) => type !== 'space');
  }

  #restart(): void {
    this.#final.length = 0;
    this.#open = [];
    this.#openFrom = 0;
  }
}

/** Where the last two blocks begin among tokens that may have space between them. */
function firstOpen(tokens: readonly Token[]): number {
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const before = tokens.slice(0, Math.max(last, 0)).findLastIndex(({ type }) => type !== 'space');
  return Math.max(before, 0);
}

/** The blocks of text that is complete; definitions at its end change text before them. */
export function readMarkdown(text: string): readonly Token[] {
  return Lexer.lex(text).filter(({ type }) => type !== 'space');
}
