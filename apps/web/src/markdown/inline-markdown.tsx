import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';
import { byPosition } from '../by-position.ts';
import { decodeEntities } from './decode-entities.ts';
import { safeLink } from './safe-link.ts';

/** Inline content. Images are named, never fetched; links go only to http(s) and mailto. */
export function InlineMarkdown({ tokens }: { readonly tokens: readonly Token[] | undefined }) {
  return byPosition(tokens ?? [], (token, position) => <Inline key={position} token={token} />);
}

function Inline({ token }: { readonly token: Token }): ReactNode {
  const known = token as Tokens.Generic;
  switch (token.type) {
    case 'strong':
      return (
        <strong>
          <InlineMarkdown tokens={known.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <InlineMarkdown tokens={known.tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <InlineMarkdown tokens={known.tokens} />
        </del>
      );
    case 'codespan':
      return <code dir="ltr">{decodeEntities(known.text)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link token={known as Tokens.Link} />;
    case 'image':
      return <span className="md-image">[image: {decodeEntities(known.text || known.href)}]</span>;
    case 'text':
      return known.tokens ? <InlineMarkdown tokens={known.tokens} /> : decodeEntities(known.text);
    // Shown as written; not rendered by a math engine.
    case 'math':
      return (
        <span className="md-math" dir="ltr">
          {token.raw}
        </span>
      );
    case 'escape':
      return decodeEntities(known.text);
    case 'checkbox':
      return null;
    default:
      return token.raw;
  }
}

function Link({ token }: { readonly token: Tokens.Link }) {
  const address = safeLink(decodeEntities(token.href));
  const label = <InlineMarkdown tokens={token.tokens} />;
  if (address === undefined) return <span title={token.href}>{label}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
      {label}
    </a>
  );
}
