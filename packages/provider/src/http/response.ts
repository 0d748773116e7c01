import type { IncomingMessage } from 'node:http';

/** As much of a web `Response` as the provider packages read, over a Node response. */
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
  // The provider packages read nothing but these five members.
  return response as unknown as Response;
}

/** A Map answers `get` and iterates pairs, as `Headers` does, without loading the web implementation. */
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
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next().catch((error: unknown) => {
        // Node reports a connection we gave up ourselves as a reset; the reason for giving up says more.
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
