import { neutraliseEscapes } from '@robota-sdk/agent-transcript';
import type { Token, Tokens } from 'marked';
import { type Span, span, type TextStyle } from './styled-text.ts';

/** Inline text with its emphasis. An inner style overrides an outer one. */
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
        : [span(decoded('text' in token ? String(token.text) : token.raw), style)];
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Characters that models write as entities of HTML. The parser has decoded numbers, which may be control characters. */
function decoded(text: string): string {
  const named = text.replaceAll(/&([a-z]+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
  return neutraliseEscapes(named);
}

/** The URL follows the link text unless it is the same. */
function renderLink(link: Tokens.Link, style: TextStyle): Span[] {
  const words = renderInline(link.tokens, 'link');
  const label = words.map(({ text }) => text).join('');
  return label === link.href || link.href === `mailto:${label}`
    ? words
    : [...words, span(` (${link.href})`, style === 'plain' ? 'dim' : style)];
}
