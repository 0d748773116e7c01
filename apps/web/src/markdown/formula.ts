import type { TokenizerExtensionFunction, TokenizerStartFunction } from 'marked';

/** Formulas as the lexer takes them: before it reads `\,`, `_` or `#` in them as Markdown. */
const BLOCK = /^(?:\$\$|\\\[)[ \t]*\n/;
/** A formula on lines of its own ends with its closing sign; a blank line shows that it was none. */
const BLOCK_END = /\n[ \t]*(?:\$\$|\\\])[ \t]*(?:\n|$)|\n[ \t]*\n/;

const block: TokenizerExtensionFunction = (source) => {
  const opening = BLOCK.exec(source)?.[0];
  if (opening === undefined) return undefined;
  const end = BLOCK_END.exec(source.slice(opening.length - 1));
  // While it grows it is one token already, so that what stands in it is never read as anything else.
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

/** Prices are no formulas: a sign of mathematics stands in it, and no space at its ends. */
function isMath(text: string): boolean {
  return LOOKS_LIKE_MATH.test(text) && text.trim() === text;
}

/** Where a formula would end a paragraph; only the paragraph is looked through, not all that follows. */
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

/** Markdown as it is read everywhere here. */
export const READING = {
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
