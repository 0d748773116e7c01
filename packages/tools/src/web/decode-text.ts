/** Decodes a page in the charset named by its header, byte order mark or markup. */
export function decodeText(body: Buffer, contentType: string): string {
  const charset = markedCharset(body) ?? charsetIn(contentType) ?? charsetInPage(body) ?? 'utf-8';
  return decoderFor(charset).decode(body);
}

function markedCharset(body: Buffer): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : undefined;
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];
}

/** `<meta charset>` belongs in the first 1024 bytes, but some pages have it later. */
function charsetInPage(body: Buffer): string | undefined {
  const [tag = ''] = /<meta[^>]+charset[^>]*>/i.exec(body.toString('latin1', 0, 4096)) ?? [];
  return charsetIn(tag);
}

function decoderFor(charset: string) {
  try {
    return new TextDecoder(charset);
  } catch {
    // Servers invent names; UTF-8 is the best guess.
    return new TextDecoder('utf-8');
  }
}
