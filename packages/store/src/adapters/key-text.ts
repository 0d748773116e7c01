import { createHash } from 'node:crypto';

/** Marks escaped text; a private-use character that ids do not begin with. */
const ESCAPED = '\u{F8FF}';
/** Index entries are limited to a few kilobytes, so longer text is replaced by its hash. */
const MAX_LENGTH = 512;
const UNSTORABLE = new RegExp(`^${ESCAPED}|\\p{Surrogate}|\\0`, 'u');

/** Converts any string to an indexable key; different strings give different keys. */
export function keyText(text: string): string {
  if (text.length > MAX_LENGTH) return `${ESCAPED}sha256:${sha256(text)}`;
  if (!UNSTORABLE.test(text)) return text;
  return `${ESCAPED}${JSON.stringify(text)}`;
}

/** Over UTF-16 units, because UTF-8 would make all lone surrogates equal. */
function sha256(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex');
}
