const MAX_CHARACTERS = 30_000;
const KEPT_EACH_SIDE = 15_000;

export interface TruncatedOutput {
  readonly data: unknown;
  readonly truncated: boolean;
  /** Length of the original output. */
  readonly characters: number;
}

/** Shortens tool output; JSON stays JSON, with long texts cut in the middle. */
export function truncateOutput(data: unknown): TruncatedOutput {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  const characters = text.length;
  if (characters <= MAX_CHARACTERS) return { data, truncated: false, characters };
  const value = typeof data === 'string' ? parseContainer(data) : data;
  if (value === undefined) return { data: cutMiddle(text), truncated: true, characters };
  const shorter = shrinkJson(value, text);
  return {
    data: typeof data === 'string' ? JSON.stringify(shorter) : shorter,
    truncated: true,
    characters,
  };
}

function parseContainer(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Text that only starts like JSON is cut as text.
    return undefined;
  }
}

function shrinkJson(value: unknown, text: string): unknown {
  for (let limit = MAX_CHARACTERS; limit >= 500; limit = Math.floor(limit / 2)) {
    const shorter = limitStrings(value, limit);
    if (JSON.stringify(shorter).length <= MAX_CHARACTERS + 500) return shorter;
  }
  // Many small values: the JSON is cut as text inside a small object.
  return { truncated: true, output: cutMiddle(text, KEPT_EACH_SIDE / 2) };
}

function limitStrings(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return value.length > limit ? cutMiddle(value, limit / 2) : value;
  if (Array.isArray(value)) return value.map((item) => limitStrings(item, limit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, limitStrings(item, limit)]),
  );
}

function cutMiddle(text: string, kept = KEPT_EACH_SIDE): string {
  const side = Math.floor(kept);
  const head = withoutBrokenPair(text.slice(0, side), 'end');
  const tail = withoutBrokenPair(text.slice(-side), 'start');
  const shown = side.toLocaleString('en-US');
  return `${head}\n\n[... output truncated: ${text.length} chars total, showing first and last ${shown} chars ...]\n\n${tail}`;
}

/** A cut through a surrogate pair would leave half a character. */
function withoutBrokenPair(text: string, at: 'start' | 'end'): string {
  if (at === 'end') return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;
}
