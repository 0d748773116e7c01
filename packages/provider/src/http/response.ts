import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';

/** The part of a web `Response` that the provider packages use, over a Node response. */
export function toWebResponse(message: IncomingMessage, signal?: AbortSignal | null): Response {
  const status = message.statusCode ?? 0;
  const headers = toHeaders(message);
  const response = {
    status,
    statusText: message.statusMessage ?? '',
    ok: status >= 200 && status < 300,
    headers,
    body: toBody(message, signal),
  };
  // The provider packages use only these five members.
  return response as unknown as Response;
}

/** A Map has `get` and iterates pairs like `Headers`, without loading the web implementation. */
function toHeaders(message: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

function toBody(
  message: IncomingMessage,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const chunks = decoded(message)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next().catch((error: unknown) => {
        // Node reports an aborted connection as a reset; the abort reason is more useful.
        throw signal?.aborted ? signal.reason : error;
      });
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      message.destroy();
    },
  });
}

/** We ask for no compression, but gateways compress nevertheless. */
function decoded(message: IncomingMessage): Readable {
  const decoder = decoderFor(message.headers['content-encoding']?.trim().toLowerCase());
  if (decoder === undefined) return message;
  // A failure of either one ends the other; whoever reads the decoder is told.
  return pipeline(message, decoder, () => undefined);
}

/** Loaded when needed: hardly any response is compressed. */
function decoderFor(encoding: string | undefined): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return process.getBuiltinModule('node:zlib').createGunzip();
    case 'deflate':
      return process.getBuiltinModule('node:zlib').createInflate();
    case 'br':
      return process.getBuiltinModule('node:zlib').createBrotliDecompress();
    default:
      return undefined;
  }
}
