/**
 * Makes control sequences and invisible or direction-changing characters in transcript text visible and harmless.
 * Newlines and tabs stay; `\r\n` becomes `\n`, so that no line overwrites another.
 */
export function neutraliseEscapes(text: string): string {
  // Most texts are plain, and the tables of the other expressions take a millisecond to build.
  if (PLAIN.test(text)) return text;
  expressions ??= { unsafe: new RegExp(UNSAFE, 'u'), allUnsafe: new RegExp(UNSAFE, 'gu') };
  // Many of the rest are clean, and `replace` would copy them.
  return expressions.unsafe.test(text) ? text.replace(expressions.allUnsafe, visible) : text;
}

/** As `neutraliseEscapes`, for single-line text such as a title or a file name. */
export function neutraliseLine(text: string): string {
  const clean = neutraliseEscapes(text);
  return /[\n\t\u2028\u2029]/.test(clean) ? clean.replace(/[\n\t\u2028\u2029]+/g, ' ') : clean;
}

const PLAIN = /^[\t\n\u0020-\u007e]*$/;
let expressions: { readonly unsafe: RegExp; readonly allUnsafe: RegExp } | undefined;

/**
 * C0 except tab and line feed, DEL and C1; direction marks; zero-width characters and joiners, except between characters that
 * need them; invisible operators, tags, and lone surrogates.
 */
const UNSAFE = [
  '\\r\\n',
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]',
  '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]',
  '[\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2060-\\u2064\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
  '(?<![\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])[\\u200c\\u200d]',
  '(?<=[\\u0000-\\u007f\\u115f\\u1160\\u200c\\u200d\\u3164\\uffa0])[\\u200c\\u200d]',
  '[\\u{e0000}-\\u{e007f}](?<!\\u{1f3f4}[\\u{e0000}-\\u{e007f}]{1,10})',
  '\\p{Surrogate}',
].join('|');

function visible(unsafe: string): string {
  if (unsafe === '\r\n') return '\n';
  const code = unsafe.codePointAt(0) ?? 0;
  // Unicode control pictures: ESC becomes ␛.
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\\u{${code.toString(16)}}`;
}
