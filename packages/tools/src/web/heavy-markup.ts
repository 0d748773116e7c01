/** More than pages have, and more than the converter handles in about a second. */
const MAX_TAGS = 30_000;
const MAX_DEPTH = 256;
const MAX_ATTRIBUTES = 1000;
const MAX_CELLS_IN_ROW = 1000;

/** Elements whose end tag may be missing, or that have none: they do not nest by themselves. */
const NOT_NESTED = new Set(
  'p li dt dd td th tr thead tbody tfoot option optgroup colgroup br hr img input meta link area base col embed source track wbr'.split(
    ' ',
  ),
);

/** Whether a page was made, or happens, to take the converter very long or to overflow its stack. Linear. */
export function isHeavyMarkup(html: string): boolean {
  const tags = /<(\/?)([a-z][a-z0-9]*)/gi;
  const weight = new MarkupWeight();
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    weight.add((tag[2] ?? '').toLowerCase(), tag[1] === '/');
    const end = endOfTag(html, tags.lastIndex);
    if (weight.isTooMuch || hasManyAttributes(html.slice(tags.lastIndex, end))) return true;
    tags.lastIndex = end;
  }
  return false;
}

class MarkupWeight {
  #tags = 0;
  #depth = 0;
  #cells = 0;

  get isTooMuch(): boolean {
    return this.#tags > MAX_TAGS || this.#depth > MAX_DEPTH || this.#cells > MAX_CELLS_IN_ROW;
  }

  add(name: string, isEnd: boolean): void {
    this.#tags += 1;
    if (name === 'tr') this.#cells = 0;
    if (name === 'td' || name === 'th') this.#cells += isEnd ? 0 : 1;
    if (!NOT_NESTED.has(name)) this.#depth = Math.max(0, this.#depth + (isEnd ? -1 : 1));
  }
}

/** Where a tag ends: at the first `>` outside of quotes. */
function endOfTag(html: string, from: number): number {
  const rest = /(?:[^>"']|"[^"]*"|'[^']*')*>/y;
  rest.lastIndex = from;
  if (rest.test(html)) return rest.lastIndex;
  const end = html.indexOf('>', from);
  return end === -1 ? html.length : end;
}

/** Counted by the white space in the tag. */
function hasManyAttributes(tag: string): boolean {
  return tag.length > MAX_ATTRIBUTES && (tag.match(/\s\S/g)?.length ?? 0) > MAX_ATTRIBUTES;
}

const BLOCKS =
  /^\/?(?:p|div|br|hr|li|ul|ol|dl|dt|dd|tr|table|h[1-6]|pre|section|article|header|footer|blockquote|option)$/i;
const CELLS = /^(?:td|th)$/i;

/** The text of a page without its markup, a line for each block, cells divided by `|`. Linear. */
export function textOfMarkup(html: string): string {
  const pieces: string[] = [];
  let from = 0;
  while (from < html.length) {
    const start = html.indexOf('<', from);
    const end = start === -1 ? -1 : html.indexOf('>', start);
    if (end === -1) break;
    pieces.push(html.slice(from, start), separatorFor(html.slice(start + 1, start + 1 + 12)));
    from = end + 1;
  }
  pieces.push(html.slice(from));
  return decodeEntities(pieces.join(''))
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function separatorFor(tag: string): string {
  const name = /^\/?[a-z][a-z0-9]*/i.exec(tag)?.[0] ?? '';
  if (BLOCKS.test(name)) return '\n';
  return CELLS.test(name) ? ' | ' : '';
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  amp: '&',
};

function decodeEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|nbsp|amp|#39);/g, (_, name: string) =>
    name === '#39' ? "'" : (ENTITIES[name] ?? ''),
  );
}
