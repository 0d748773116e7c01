import { lexer, type Token, type Tokens } from 'marked';
import { escapeHtml } from './escape-html.ts';

/** Markdown as safe HTML: raw HTML stays text, images and addresses of other kinds load nothing. */
export function markdownToHtml(markdown: string): string {
  return blocks(lexer(markdown));
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map(block).join('\n');
}

function block(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'heading':
      // The page's own headings stand above those of an answer.
      return element(`h${Math.min(6, (token as Tokens.Heading).depth + 2)}`, words(token));
    case 'paragraph':
      return element('p', words(token));
    case 'code':
      return element('pre', escapeHtml((token as Tokens.Code).text));
    case 'blockquote':
      return element('blockquote', blocks(token.tokens ?? []));
    case 'list':
      return list(token as Tokens.List);
    case 'table':
      return table(token as Tokens.Table);
    case 'hr':
      return '<hr>';
    default:
      return 'tokens' in token && token.tokens ? words(token) : escapeHtml(token.raw);
  }
}

function list({ ordered, start, items }: Tokens.List): string {
  const rows = items.map(({ tokens, task, checked }) => {
    const box = task ? `${checked ? '☑' : '☐'} ` : '';
    const inner = tokens.filter(({ type }) => type !== 'checkbox');
    return element(
      'li',
      box + inner.map((token) => (token.type === 'text' ? words(token) : block(token))).join(''),
    );
  });
  if (!ordered) return element('ul', rows.join(''));
  return `<ol start="${Number(start) || 1}">${rows.join('')}</ol>`;
}

function table({ header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], name: 'th' | 'td') =>
    element('tr', cells.map((cell) => element(name, inline(cell.tokens))).join(''));
  return element('table', row(header, 'th') + rows.map((cells) => row(cells, 'td')).join(''));
}

function words(token: Token): string {
  return 'tokens' in token && token.tokens
    ? inline(token.tokens)
    : escapeHtml('text' in token ? String(token.text) : token.raw);
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(inlineToken).join('');
}

function inlineToken(token: Token): string {
  switch (token.type) {
    case 'strong':
      return element('strong', words(token));
    case 'em':
      return element('em', words(token));
    case 'del':
      return element('s', words(token));
    case 'codespan':
      return element('code', escapeHtml((token as Tokens.Codespan).text));
    case 'br':
      return '<br>';
    case 'link':
      return link(token as Tokens.Link);
    case 'image':
      return escapeHtml(`[image: ${(token as Tokens.Image).text || (token as Tokens.Image).href}]`);
    default:
      return token.type === 'text'
        ? words(token)
        : escapeHtml('text' in token ? String(token.text) : token.raw);
  }
}

function link({ href, tokens }: Tokens.Link): string {
  if (!/^(?:https?:|mailto:)/i.test(href)) return inline(tokens);
  return `<a href="${escapeHtml(href)}" rel="noreferrer noopener">${inline(tokens)}</a>`;
}

function element(name: string, inner: string): string {
  return `<${name}>${inner}</${name}>`;
}
