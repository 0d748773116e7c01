/** Maximum characters of output per call of a tool without paging. */
export const OUTPUT_LIMIT = 30_000;

/** Keeps the start and end of a long text, and says how much is missing between them. */
export function boundText(text: string, limit = OUTPUT_LIMIT): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${sliceCharacters(text, 0, half)}${truncationNote(text.length, half, 'chars')}${sliceCharacters(text, text.length - half, text.length)}`;
}

export function truncationNote(total: number, kept: number, unit: 'chars' | 'bytes'): string {
  return `\n\n[... output truncated: ${total} ${unit} total, showing first and last ${kept.toLocaleString('en-US')} ${unit} ...]\n\n`;
}

/** Keeps the start of a long line, and says how long it was. */
export function boundLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  return `${sliceCharacters(line, 0, limit)} [... line truncated: ${line.length} chars ...]`;
}

/** A slice that splits no surrogate pair at either end. */
function sliceCharacters(text: string, from: number, to: number): string {
  const start = isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
  const end = to < text.length && isLowSurrogate(text.charCodeAt(to)) ? to - 1 : to;
  return text.slice(start, end);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
