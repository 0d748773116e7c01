/** The kind of a file, judged by its first bytes. */
export type FileKind =
  | { readonly kind: 'text'; readonly encoding: TextEncoding }
  | { readonly kind: 'image'; readonly mimeType: string }
  | { readonly kind: 'binary' };

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Bytes inspected to distinguish text from other content. */
export const SNIFF_BYTES = 8_192;

export function sniffKind(bytes: Uint8Array): FileKind {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFF_BYTES));
  const mimeType = imageType(start);
  if (mimeType !== undefined) return { kind: 'image', mimeType };
  const encoding = encodingOf(start);
  if (encoding === 'utf-8' && start.includes(0)) return { kind: 'binary' };
  return { kind: 'text', encoding };
}

export function encodingOf(start: Buffer): TextEncoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function imageType(start: Buffer): string | undefined {
  const ascii = start.toString('latin1', 0, 12);
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (ascii.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'image/gif';
  return ascii.startsWith('RIFF') && ascii.endsWith('WEBP') ? 'image/webp' : undefined;
}
