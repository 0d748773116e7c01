import { Check } from 'lucide-react';
import type { Token, Tokens } from 'marked';
import { memo, type ReactNode, useMemo } from 'react';
import { byPosition } from '../by-position.ts';
import { CodeBlock } from './code-block.tsx';
import { readMarkdown } from './incremental-markdown.ts';
import { InlineMarkdown } from './inline-markdown.tsx';

/** Complete Markdown as elements. Raw HTML in it is shown as the text it is. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => readMarkdown(text), [text]);
  return (
    <div className="md" dir="auto">
      <Blocks tokens={tokens} />
    </div>
  );
});

interface MarkdownBlockProps {
  readonly token: Token;
  /** Still growing: code in it is coloured once it is complete. */
  readonly isOpen?: boolean | undefined;
}

/** One top-level block; drawn again only when its source changes. */
export const MarkdownBlock = memo(
  function MarkdownBlock({ token, isOpen = false }: MarkdownBlockProps) {
    return <BlockToken token={token} isOpen={isOpen} />;
  },
  (before, after) =>
    before.token.raw === after.token.raw &&
    before.token.type === after.token.type &&
    before.isOpen === after.isOpen,
);

function Blocks({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return byPosition(tokens, (token, position) => <MarkdownBlock key={position} token={token} />);
}

/** Every kind the lexer knows; anything else is shown as its source. */
function BlockToken({ token, isOpen = false }: MarkdownBlockProps): ReactNode {
  const known = token as Tokens.Generic;
  switch (token.type) {
    case 'heading':
      return <Heading token={known as Tokens.Heading} />;
    case 'paragraph':
      return (
        <p dir="auto">
          <InlineMarkdown tokens={known.tokens} />
        </p>
      );
    case 'text':
      return <InlineMarkdown tokens={known.tokens ?? [token]} />;
    case 'code':
      return <CodeBlock text={known.text} language={known.lang} isOpen={isOpen} />;
    case 'blockquote':
      return (
        <blockquote dir="auto">
          <Blocks tokens={known.tokens ?? []} />
        </blockquote>
      );
    case 'list':
      return <List token={known as Tokens.List} />;
    case 'table':
      return <Table token={known as Tokens.Table} />;
    case 'formula':
      return (
        <code className="md-formula" dir="ltr">
          {known.text}
        </code>
      );
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    default:
      return <p dir="auto">{token.raw}</p>;
  }
}

/**
 * All of one level below the title of the page: each answer begins its headings where it likes, and a level that is
 * left out misleads those who listen. The size still says which is which.
 */
function Heading({ token }: { readonly token: Tokens.Heading }) {
  return (
    <h2 className={`md-h${Math.min(token.depth, 4)}`} dir="auto">
      <InlineMarkdown tokens={token.tokens} />
    </h2>
  );
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = byPosition(token.items, (item, position) => (
    <li key={position} dir="auto" className={item.task ? 'md-task' : undefined}>
      {item.task && <TaskBox isDone={item.checked === true} />}
      <div>
        <Blocks tokens={item.tokens} />
      </div>
    </li>
  ));
  if (!token.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" start={token.start === '' ? undefined : token.start}>
      {items}
    </ol>
  );
}

function TaskBox({ isDone }: { readonly isDone: boolean }) {
  return (
    <span
      className={isDone ? 'md-box md-box-done' : 'md-box'}
      role="img"
      aria-label={isDone ? 'Done' : 'Open'}
    >
      {isDone && <Check aria-hidden="true" />}
    </span>
  );
}

function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard too.
    <figure className="md-table" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {byPosition(token.header, (cell, position) => (
              <Cell key={position} cell={cell} as="th" />
            ))}
          </tr>
        </thead>
        <tbody>
          {byPosition(token.rows, (row, position) => (
            <tr key={position}>
              {byPosition(row, (cell, column) => (
                <Cell key={column} cell={cell} as="td" />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function Cell({ cell, as: Tag }: { readonly cell: Tokens.TableCell; readonly as: 'th' | 'td' }) {
  const align = cell.align ?? 'start';
  return (
    <Tag dir="auto" className={`md-align-${align}`}>
      <InlineMarkdown tokens={cell.tokens} />
    </Tag>
  );
}
