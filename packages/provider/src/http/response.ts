import type { IncomingMessage } from 'node:http';

/** As much of a web `Response` as the provider packages read, over a Node response. */
export function toWebResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const headers = toHeaders(message);
  const response = {
    status,
    statusText: message.statusMessage ?? '',
    ok: status >= 200 && status < 300,
    headers,
    body: toBody(message),
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

function toBody(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      message.destroy();
    },
  });
}
