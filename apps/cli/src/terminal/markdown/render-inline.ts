import type { Token, Tokens } from 'marked';
import { type Span, span, type TextStyle } from './styled-text.ts';

/** The words of a paragraph with their emphasis. An inner style wins over an outer one. */
export function renderInline(tokens: readonly Token[], style: TextStyle = 'plain'): Span[] {
  return tokens.flatMap((token) => renderToken(token, style));
}

function renderToken(token: Token, style: TextStyle): Span[] {
  switch (token.type) {
    case 'strong':
      return renderInline(token.tokens ?? [], 'strong');
    case 'em':
      return renderInline(token.tokens ?? [], 'emphasis');
    case 'del':
      return renderInline(token.tokens ?? [], 'struck');
    case 'codespan':
      return [span((token as Tokens.Codespan).text, 'code')];
    case 'link':
      return renderLink(token as Tokens.Link, style);
    case 'image':
      return [
        span(`[image: ${(token as Tokens.Image).text || (token as Tokens.Image).href}]`, 'dim'),
      ];
    case 'br':
      return [span('\n', style)];
    case 'escape':
    case 'html':
      return [span('text' in token ? String(token.text) : token.raw, style)];
    default:
      return token.type === 'text' && 'tokens' in token && token.tokens
        ? renderInline(token.tokens, style)
        : [span('text' in token ? String(token.text) : token.raw, style)];
  }
}

/** The address follows the words unless it is the words. */
function renderLink(link: Tokens.Link, style: TextStyle): Span[] {
  const words = renderInline(link.tokens, 'link');
  const said = words.map(({ text }) => text).join('');
  return said === link.href || link.href === `mailto:${said}`
    ? words
    : [...words, span(` (${link.href})`, style === 'plain' ? 'dim' : style)];
}
