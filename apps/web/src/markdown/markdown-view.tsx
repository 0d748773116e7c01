import { Check } from 'lucide-react';
import type { Token, Tokens } from 'marked';
import { memo, type ReactNode, useMemo } from 'react';
import { byPosition } from '../by-position.ts';
import { CodeBlock } from './code-block.tsx';
import { readMarkdown } from './incremental-markdown.ts';
import { InlineMarkdown } from './inline-markdown.tsx';

/** Renders complete Markdown as elements. Raw HTML is shown as text. */
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
  /** Still streaming: code is highlighted once it is complete. */
  readonly isOpen?: boolean | undefined;
}

/** One top-level block; rendered again only when its source changes. */
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

/** Renders every token type of the lexer; unknown ones are shown as source. */
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
 * All headings get one level below the page title: answers start at any level, and skipped levels mislead screen
 * readers. The size still shows the original level.
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
