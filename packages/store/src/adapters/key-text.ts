import { createHash } from 'node:crypto';

/** Marks text that a database could not index as it is; a private-use character that ids do not begin with. */
const ESCAPED = '\u{F8FF}';
/** Indexes hold a few kilobytes at most; longer text is known by its hash. */
const LONGEST = 512;
const UNSTORABLE = new RegExp(`^${ESCAPED}|\\p{Surrogate}|\\0`, 'u');

/** Any string as a key; different strings stay different. */
export function keyText(text: string): string {
  if (text.length > LONGEST) return `${ESCAPED}sha256:${sha256(text)}`;
  if (!UNSTORABLE.test(text)) return text;
  return `${ESCAPED}${JSON.stringify(text)}`;
}

/** Over UTF-16 units, because UTF-8 would make all lone surrogates equal. */
function sha256(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex');
}
