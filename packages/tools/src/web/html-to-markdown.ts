/// <reference path="./turndown-plugin-gfm.d.ts" />
/** Maximum characters of markup; a million take about a second to convert. */
const HTML_LIMIT = 500_000;

/** The visible content of a page, as Markdown with tables. */
export async function htmlToMarkdown(html: string): Promise<string> {
  const [{ default: TurndownService }, { gfm }] = await Promise.all([
    import('turndown'),
    import('@joplin/turndown-plugin-gfm'),
  ]);
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.use(gfm);
  service.remove(['title', 'script', 'style', 'noscript', 'iframe', 'template']);
  return service.turndown(withoutInvisible(html).slice(0, HTML_LIMIT)).trim();
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
