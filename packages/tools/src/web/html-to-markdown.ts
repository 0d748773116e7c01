/// <reference path="./turndown-plugin-gfm.d.ts" />
/** Characters of markup that are converted; conversion takes about a second for a million. */
const HTML_LIMIT = 500_000;

/** What a reader would see of a page, as Markdown with tables. */
export async function htmlToMarkdown(html: string): Promise<string> {
  const [{ default: TurndownService }, { gfm }] = await Promise.all([
    import('turndown'),
    import('@joplin/turndown-plugin-gfm'),
  ]);
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.use(gfm);
  service.remove(['title', 'script', 'style', 'noscript', 'iframe', 'template']);
  return service.turndown(withoutUnseen(html).slice(0, HTML_LIMIT)).trim();
}

/** Drops what is never shown before parsing: scripts and drawings are most of many pages. */
function withoutUnseen(html: string): string {
  let rest = html;
  for (const tag of ['script', 'style', 'svg', 'noscript', 'template']) {
    rest = withoutElements(rest, tag);
  }
  return withoutComments(rest);
}

/** Linear in the length, whatever the markup looks like. */
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
