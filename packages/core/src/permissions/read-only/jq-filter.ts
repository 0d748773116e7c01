const MAX_LENGTH = 4_000;

const WORDS = new Set(
  `if then else elif end as and or not try catch reduce foreach label break null true false empty error
  length utf8bytelength keys keys_unsorted values has in map map_values path del to_entries from_entries with_entries
  select recurse recurse_down add any all flatten range floor ceil round sqrt pow log tostring tonumber tojson
  fromjson type infinite nan isinfinite isnan isvalid sort sort_by group_by min max min_by max_by unique unique_by
  reverse contains inside startswith endswith ltrimstr rtrimstr trim ltrim rtrim explode implode split splits join
  ascii_downcase ascii_upcase while until repeat first last nth until input inputs test match capture scan sub gsub
  ascii arrays objects iterables booleans numbers normals finites strings nulls scalars indices index rindex
  combinations walk transpose bsearch tostream fromstream truncate_stream limit getpath setpath delpaths paths
  leaf_paths now date todate fromdate dateadd datesub mktime gmtime localtime strftime strptime strflocaltime
  todateiso8601 fromdateiso8601 abs toarray pick have_literal_numbers splits ascii implode tojson limit
  isempty IN INDEX GROUP_BY UNIQUE_BY`.split(/\s+/),
);

/** Whether a filter only computes: no modules, no environment, no files besides its arguments. */
export function isJqFilter(filter: string): boolean {
  if (filter.length > MAX_LENGTH || filter.startsWith('-')) return false;
  return isHarmlessText(filter);
}

/** Reads all tokens; text inside `\( )` of a string is read as part of the filter. */
function isHarmlessText(filter: string): boolean {
  let rest = filter;
  const open: OpenPart[] = [];
  while (rest !== '') {
    const token = (open.at(-1) === 'string' ? STRING_TOKEN : TOKEN).exec(rest)?.[0];
    if (token === undefined || !isHarmlessToken(token) || !nests(token, open)) return false;
    rest = rest.slice(token.length);
  }
  return open.length === 0;
}

type OpenPart = 'string' | 'parenthesis';

/** Tracks what a token opens or closes; false when it closes something that is not open. */
function nests(token: string, open: OpenPart[]): boolean {
  if (token === '"' && open.at(-1) === 'string') open.pop();
  else if (token === '"') open.push('string');
  else if (token === String.raw`\(` || token === '(') open.push('parenthesis');
  else if (token === ')') return open.pop() === 'parenthesis';
  return true;
}

const STRING_TOKEN = /^(?:"|\\\(|\\[^(\n]|[^"\\]+)/;
/**
 * Names right after a brace are object keys, whatever else they mean. A comment has no backslash, which would continue it
 * on the next line in newer versions.
 */
const TOKEN =
  /^(?:\s+|\{\s*[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*(?=\s*[,}:])|#[^\n\\]*(?=\n|$)|"|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.[A-Za-z_]\w*|\$[A-Za-z_]\w*|@[a-z]+\d*d?|[A-Za-z_]\w*|\?\/\/|\/\/=?|\.\.|[|=!<>+*/%-]=|[()[\]{}.,:;|?=<>+*/%-])/;

function isHarmlessToken(token: string): boolean {
  if (token.startsWith('$')) return !/^\$(?:ENV|__)/.test(token);
  return /^[A-Za-z_]\w*$/.test(token) ? WORDS.has(token) : true;
}
