import { lexer, type Token, type Tokens } from 'marked';
import { renderInline } from './render-inline.ts';
import { renderTable } from './render-table.ts';
import { plainText, type StyledLine, span, splitLines } from './styled-text.ts';

/** Highlights code; a plain one is used until the real one is loaded. */
export type Highlighter = (code: string, language: string) => StyledLine[];

export const plainHighlighter: Highlighter = (code) => splitLines([span(code, 'code')]);

/** Markdown as lines of styled text; only tables are fitted to the width. Never throws: unknown syntax is shown as written. */
export function renderMarkdown(text: string, page: Partial<MarkdownPage> = {}): StyledLine[] {
  if (ENDLESS_MARK.test(text)) return splitLines([span(text)]);
  try {
    return renderBlocks(lexer(text), { highlight: plainHighlighter, columns: 80, ...page });
  } catch (error) {
    // Blocks that are nested thousands of times exhaust the stack.
    if (error instanceof RangeError) return splitLines([span(text)]);
    throw error;
  }
}

/** A model that repeats itself; the parser takes quadratic time for it. */
const ENDLESS_MARK = /([*_~])\1{199}/;

export interface MarkdownPage {
  readonly highlight: Highlighter;
  /** Maximum width of tables. */
  readonly columns: number;
}

function renderBlocks(tokens: readonly Token[], page: MarkdownPage): StyledLine[] {
  const blocks = tokens
    .filter((token) => token.type !== 'space' && token.type !== 'def')
    .map((token) => renderBlock(token, page));
  return blocks.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]));
}

function renderBlock(token: Token, page: MarkdownPage): StyledLine[] {
  switch (token.type) {
    case 'heading':
      return splitLines(renderInline((token as Tokens.Heading).tokens, 'heading'));
    case 'paragraph':
      return splitLines(renderInline((token as Tokens.Paragraph).tokens));
    case 'code':
      return indent(
        page.highlight((token as Tokens.Code).text, (token as Tokens.Code).lang ?? ''),
        '  ',
      );
    case 'blockquote':
      return prefix(renderBlocks((token as Tokens.Blockquote).tokens, narrowed(page, 2)), '│ ');
    case 'list':
      return renderList(token as Tokens.List, page);
    case 'table':
      return renderTable(token as Tokens.Table, page.columns);
    case 'hr':
      return [[span('─'.repeat(24), 'dim')]];
    default:
      return 'tokens' in token && token.tokens
        ? splitLines(renderInline(token.tokens))
        : splitLines([span(token.raw.trimEnd())]);
  }
}

function renderList(list: Tokens.List, page: MarkdownPage): StyledLine[] {
  const first = typeof list.start === 'number' ? list.start : 1;
  return list.items.flatMap((item, index) => {
    const bullet = list.ordered ? `${first + index}. ` : '• ';
    const box = item.checked ? '☑ ' : '☐ ';
    const marker = item.task ? box : bullet;
    const lines = renderItem(item, narrowed(page, marker.length));
    const rest = ' '.repeat(marker.length);
    return lines.map((line, row) => [span(row === 0 ? marker : rest, 'dim'), ...line]);
  });
}

/** Blocks of one item have no gaps between them, except in loose lists. */
function renderItem(item: Tokens.ListItem, page: MarkdownPage): StyledLine[] {
  const lines = item.tokens
    .filter((token) => token.type !== 'space' && token.type !== 'checkbox')
    .flatMap((token) => renderBlock(token, page));
  return lines.length > 0 && plainText(lines) !== '' ? lines : [[]];
}

function indent(lines: readonly StyledLine[], by: string): StyledLine[] {
  return lines.map((line) => [span(by), ...line]);
}

function prefix(lines: readonly StyledLine[], mark: string): StyledLine[] {
  return lines.map((line) => [span(mark, 'quote'), ...line]);
}

function narrowed(page: MarkdownPage, by: number): MarkdownPage {
  return { ...page, columns: page.columns - by };
}
