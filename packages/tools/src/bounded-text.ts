/** Characters of output a model gets from one call of a tool that has no paging of its own. */
export const OUTPUT_LIMIT = 30_000;

/** Keeps the beginning and the end of a text that is too long, and says what is missing between them. */
export function boundText(text: string, limit = OUTPUT_LIMIT): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${sliceWhole(text, 0, half)}${truncationNote(text.length, half, 'chars')}${sliceWhole(text, text.length - half, text.length)}`;
}

export function truncationNote(total: number, kept: number, unit: 'chars' | 'bytes'): string {
  return `\n\n[... output truncated: ${total} ${unit} total, showing first and last ${kept.toLocaleString('en-US')} ${unit} ...]\n\n`;
}

/** Keeps the beginning of one long line, and says how long it was. */
export function boundLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  return `${sliceWhole(line, 0, limit)} [... line truncated: ${line.length} chars ...]`;
}

/** A slice that never leaves half a surrogate pair at either edge. */
function sliceWhole(text: string, from: number, to: number): string {
  const start = isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
  const end = to < text.length && isLowSurrogate(text.charCodeAt(to)) ? to - 1 : to;
  return text.slice(start, end);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
