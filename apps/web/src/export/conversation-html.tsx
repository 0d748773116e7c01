import type { ConversationState } from '@robota-sdk/agent-transcript';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ProjectFolder } from '../blocks/project-folder.ts';
import { StaticRendering } from '../blocks/static-rendering.ts';
import { loadedBlocks } from '../conversation/loaded-blocks.ts';
import { branchesByPlace, rowAt } from '../conversation/row-plan.ts';
import { RowView } from '../conversation/row-view.tsx';

export interface ConversationHtmlOptions {
  readonly title: string;
  /** Facts under the title, such as agent, project and date. */
  readonly facts?: readonly string[] | undefined;
  /** The session's directory; paths are shown relative to it. */
  readonly cwd?: string | undefined;
  /** The text of `dist/page/export.css`. */
  readonly styles: string;
}

/**
 * A conversation as one self-contained HTML file without scripts or external requests. It is generated in chunks, so
 * it is never in memory as a whole.
 */
export function* conversationHtml(
  conversation: Pick<ConversationState, 'blocks' | 'subagents' | 'superseded'>,
  options: ConversationHtmlOptions,
): Generator<string> {
  yield head(options);
  yield* threadHtml(conversation, 'main', options.cwd);
  yield '</section>';
  for (const { id } of conversation.subagents) {
    yield markup(<ThreadTitle id={id} />);
    yield '<section class="export-thread">';
    yield* threadHtml(conversation, id, options.cwd);
    yield '</section>';
  }
  yield '</main></body></html>\n';
}

/** No scripts; images and fonts only from the file itself. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

function head({ title, facts = [], styles }: ConversationHtmlOptions): string {
  const inner = markup(
    <>
      <meta charSet="utf-8" />
      <meta httpEquiv="Content-Security-Policy" content={POLICY} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>{title}</title>
    </>,
  );
  const header = markup(
    <header className="export-head">
      <h1 dir="auto">{title}</h1>
      <p className="dim">{facts.join(' · ')}</p>
    </header>,
  );
  // `</` would end the style element; our styles never contain it.
  const safeStyles = styles.replaceAll('</', '<\\/');
  return `<!doctype html><html lang="en"><head>${inner}<style>${safeStyles}</style></head><body class="export">${header}<main><section class="export-thread">`;
}

function* threadHtml(
  conversation: Pick<ConversationState, 'blocks' | 'subagents' | 'superseded'>,
  thread: string,
  cwd: string | undefined,
): Generator<string> {
  const inFolder = (node: ReactNode) => markup(<ProjectFolder value={cwd}>{node}</ProjectFolder>);
  const blocks =
    thread === 'main'
      ? conversation.blocks
      : (conversation.subagents.find(({ id }) => id === thread)?.blocks ?? []);
  const reader = loadedBlocks(blocks);
  const branches = branchesByPlace(conversation.superseded, thread);
  const known = new Set(conversation.subagents.map(({ id }) => id));
  const href = (id: string) => (known.has(id) ? `#${threadAnchor(id)}` : '');
  for (const branch of branches.get(null) ?? []) {
    yield inFolder(<RowView row={{ kind: 'nothing' }} branches={[branch]} />);
  }
  for (const [ordinal, block] of blocks.entries()) {
    const row = rowAt(reader, ordinal);
    const aside = branches.get(block.id);
    if (row.kind === 'nothing' && !aside) continue;
    yield inFolder(<RowView row={row} branches={aside} threadHref={href} />);
  }
}

function ThreadTitle({ id }: { readonly id: string }) {
  return (
    <h2 className="export-thread-title" id={threadAnchor(id)}>
      Subagent {id}
    </h2>
  );
}

function threadAnchor(id: string): string {
  return `thread-${encodeURIComponent(id)}`;
}

function markup(node: ReactNode): string {
  return renderToStaticMarkup(<StaticRendering value={true}>{node}</StaticRendering>);
}
