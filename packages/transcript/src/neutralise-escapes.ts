/**
 * Text of a transcript as it may be shown: what would steer a terminal, a browser or the reader's eye becomes visible and harmless.
 * Line ends and tabs stay; `\r\n` becomes `\n`, so that no line is drawn over another.
 */
export function neutraliseEscapes(text: string): string {
  // Most texts hold nothing of the kind; `replace` would copy them.
  if (!UNSAFE.test(text)) return text;
  return text.replace(ALL_UNSAFE, visible);
}

/** As `neutraliseEscapes`, for a place that has one line: a title, a file name. */
export function neutraliseLine(text: string): string {
  const clean = neutraliseEscapes(text);
  return /[\n\t\u2028\u2029]/.test(clean) ? clean.replace(/[\n\t\u2028\u2029]+/g, ' ') : clean;
}

/**
 * C0 without tab and line feed, DEL and C1; marks that change the direction of what follows; the marks and joiners without width that hide
 * in words, except between characters that need them; invisible operators, tags, and code units that are half a character.
 */
const UNSAFE_SOURCE = [
  '\\r\\n',
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]',
  '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]',
  '[\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2060-\\u2064\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
  '(?<![\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])[\\u200c\\u200d]',
  '(?<=[\\u0000-\\u007f\\u115f\\u1160\\u200c\\u200d\\u3164\\uffa0])[\\u200c\\u200d]',
  '[\\u{e0000}-\\u{e007f}](?<!\\u{1f3f4}[\\u{e0000}-\\u{e007f}]{1,10})',
  '\\p{Surrogate}',
].join('|');
const UNSAFE = new RegExp(UNSAFE_SOURCE, 'u');
const ALL_UNSAFE = new RegExp(UNSAFE_SOURCE, 'gu');

function visible(unsafe: string): string {
  if (unsafe === '\r\n') return '\n';
  const code = unsafe.codePointAt(0) ?? 0;
  // The Unicode pictures of control characters: ESC becomes ␛.
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\\u{${code.toString(16)}}`;
}
