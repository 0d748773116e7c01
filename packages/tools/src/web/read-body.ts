import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A response's decompressed body; null as soon as it exceeds `maxBytes`. */
export async function readBody(
  response: IncomingMessage,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Buffer | null> {
  const stop = () => response.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) return null;
    return await collect(decompressed(response), maxBytes);
  } finally {
    signal.removeEventListener('abort', stop);
    response.destroy();
    signal.throwIfAborted();
  }
}

async function collect(body: Readable, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decompressed(response: IncomingMessage): Readable {
  const decoder = decoderFor(response.headers['content-encoding'] ?? '');
  if (decoder === null) return response;
  // A failure surfaces as an error of the decoder.
  return pipeline(response, decoder, () => undefined);
}

function decoderFor(encoding: string): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}
