import type { TokenizerExtensionFunction, TokenizerStartFunction } from 'marked';

/** Formulas are tokenized before Markdown, so that `\,`, `_` or `#` in them are not parsed. */
const BLOCK = /^(?:\$\$|\\\[)[ \t]*\n/;
/** A block formula ends with its closing delimiter; a blank line means it is not a formula. */
const BLOCK_END = /\n[ \t]*(?:\$\$|\\\])[ \t]*(?:\n|$)|\n[ \t]*\n/;

const block: TokenizerExtensionFunction = (source) => {
  const opening = BLOCK.exec(source)?.[0];
  if (opening === undefined) return undefined;
  const end = BLOCK_END.exec(source.slice(opening.length - 1));
  // An unfinished formula is one token already, so that its content is never parsed as Markdown.
  if (!end) return { type: 'formula', raw: source, text: source.trim() };
  if (end[0].trim() === '') return undefined;
  const raw = source.slice(0, opening.length - 1 + end.index + end[0].length);
  return { type: 'formula', raw, text: raw.trim() };
};

const INLINE = /^(?:\$\$([^$\n]{1,2000})\$\$|\\\(([^\n]{1,2000}?)\\\)|\$([^$\n]{1,2000})\$(?!\d))/;
const LOOKS_LIKE_MATH = /[\\^_{}=]/;

const inline: TokenizerExtensionFunction = (source) => {
  const [raw, display, round, single] = INLINE.exec(source) ?? [];
  if (raw === undefined) return undefined;
  const isOne = single === undefined ? (display ?? round) !== undefined : isMath(single);
  return isOne ? { type: 'math', raw, text: raw } : undefined;
};

/** Tells formulas from prices: a formula contains a math character and no space at its ends. */
function isMath(text: string): boolean {
  return LOOKS_LIKE_MATH.test(text) && text.trim() === text;
}

/** Where a formula would end a paragraph; only the current paragraph is searched. */
const startBlock: TokenizerStartFunction = (source) => {
  const end = source.indexOf('\n\n');
  const paragraph = end === -1 ? source : source.slice(0, end + 1);
  const at = paragraph.search(/(?:^|\n)(?:\$\$|\\\[)[ \t]*\n/);
  return at === -1 ? undefined : at + (paragraph[at] === '\n' ? 1 : 0);
};

const startInline: TokenizerStartFunction = (source) => {
  const at = source.search(/\$|\\\(/);
  return at === -1 ? undefined : at;
};

/** Lexer options used everywhere. */
export const LEXER_OPTIONS = {
  gfm: true,
  extensions: {
    renderers: {},
    childTokens: {},
    block: [block],
    inline: [inline],
    startBlock: [startBlock],
    startInline: [startInline],
  },
};
