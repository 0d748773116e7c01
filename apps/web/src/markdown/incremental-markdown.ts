import { lexer, type Token } from 'marked';
import { LEXER_OPTIONS } from './formula.ts';

/** The blocks of a streaming text: those that can no longer change, and the rest. */
export interface GrowingMarkdown {
  /** Append-only; the same array on every call. */
  readonly final: readonly Token[];
  readonly open: readonly Token[];
}

/**
 * Parses Markdown that grows at its end. Only the last two top-level blocks can still change (`1` after a list is a
 * paragraph until it becomes `1. item` of that list), so each call lexes from there; everything before is final.
 */
export class IncrementalMarkdown {
  #final: Token[] = [];
  #openFrom = 0;
  #openText = '';

  /** Continues from the open part; a text that does not continue it is parsed from the beginning. */
  read(text: string): GrowingMarkdown {
    if (!text.startsWith(this.#openText, this.#openFrom)) {
      this.#final = [];
      this.#openFrom = 0;
    }
    const tokens = lexer(text.slice(this.#openFrom), LEXER_OPTIONS);
    const open = firstOpen(tokens);
    for (const token of tokens.slice(0, open)) {
      if (token.type !== 'space') this.#final.push(token);
      this.#openFrom += token.raw.length;
    }
    this.#openText = text.slice(this.#openFrom);
    return { final: this.#final, open: tokens.slice(open).filter(isShown) };
  }
}

/** The blocks of a complete text, in which definitions at the end affect text before them. */
export function readMarkdown(text: string): readonly Token[] {
  return lexer(text, LEXER_OPTIONS).filter(isShown);
}

/** Index of the second-last visible token. */
function firstOpen(tokens: readonly Token[]): number {
  const last = tokens.findLastIndex(isShown);
  const before = tokens.slice(0, Math.max(last, 0)).findLastIndex(isShown);
  return Math.max(before, 0);
}

function isShown({ type }: Token): boolean {
  return type !== 'space';
}
