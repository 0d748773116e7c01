/// <reference path="./turndown-plugin-gfm.d.ts" />
import { isHeavyMarkup, textOfMarkup } from './heavy-markup.ts';

/** Maximum characters of markup; a million take about a second to convert. */
const HTML_LIMIT = 500_000;

/** The visible content of a page, as Markdown with tables; of a page that would take too long, its text. */
export async function htmlToMarkdown(html: string): Promise<string> {
  const visible = withoutInvisible(html).slice(0, HTML_LIMIT);
  if (isHeavyMarkup(visible)) return textOfMarkup(visible);
  const [{ default: TurndownService }, { gfm }] = await Promise.all([
    import('turndown'),
    import('@joplin/turndown-plugin-gfm'),
  ]);
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.use(gfm);
  service.remove(['title', 'script', 'style', 'noscript', 'iframe', 'template']);
  service.addRule('rows', { filter: fixRows, replacement: (content) => content });
  return service.turndown(visible).trim();
}

/**
 * The rules for tables ask for the rows of a table again for each cell, and each time the parser looks through the whole
 * table. This rule is asked first, applies to nothing, and keeps the rows of each table as a list.
 */
function fixRows(node: MarkupNode): boolean {
  if (node.nodeName !== 'TD' && node.nodeName !== 'TH') return false;
  let table: MarkupNode | null = node;
  while (table !== null && table.nodeName !== 'TABLE') table = table.parentNode;
  if (table?.rows !== undefined && !Object.hasOwn(table, 'rows')) {
    Object.defineProperty(table, 'rows', { value: Array.from(table.rows) });
  }
  return false;
}

/** What is used here of a node of the parser. */
interface MarkupNode {
  readonly nodeName: string;
  readonly parentNode: MarkupNode | null;
  readonly rows?: ArrayLike<unknown>;
}

/** Drops invisible elements before parsing: scripts and drawings are most of many pages. */
function withoutInvisible(html: string): string {
  let rest = html;
  for (const tag of ['script', 'style', 'svg', 'noscript', 'template']) {
    rest = withoutElements(rest, tag);
  }
  return withoutComments(rest);
}

/** Linear in the length for any markup. */
function withoutElements(html: string, tag: string): string {
  const open = new RegExp(`<${tag}(?=[\\s/>])`, 'gi');
  const close = new RegExp(`</${tag}\\s*>`, 'gi');
  let kept = '';
  let from = 0;
  for (let match = open.exec(html); match; match = open.exec(html)) {
    kept += html.slice(from, match.index);
    close.lastIndex = match.index;
    const end = close.exec(html);
    from = end ? close.lastIndex : html.length;
    open.lastIndex = from;
  }
  return kept + html.slice(from);
}

function withoutComments(html: string): string {
  let kept = '';
  let from = 0;
  for (let start = html.indexOf('<!--'); start !== -1; start = html.indexOf('<!--', from)) {
    kept += html.slice(from, start);
    const end = html.indexOf('-->', start);
    from = end === -1 ? html.length : end + 3;
  }
  return kept + html.slice(from);
}
