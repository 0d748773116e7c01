import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reply of Anthropic's Messages API with `deltas` pieces of text, as bytes. */
export function anthropicStream(deltas: number): Uint8Array<ArrayBuffer> {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = {
    id: 'msg',
    type: 'message',
    role: 'assistant',
    model: 'claude-bench',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...Array.from({ length: deltas }, () => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'Some words of a reply. ' },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: deltas },
    },
    { type: 'message_stop' },
  ];
  const wire = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return new TextEncoder().encode(wire.join(''));
}

/** A `fetch` that answers at once, so that only processing is measured. */
export function fetchOf(bytes: Uint8Array<ArrayBuffer>): typeof fetch {
  return () =>
    Promise.resolve(new Response(bytes, { headers: { 'content-type': 'text/event-stream' } }));
}

/** A server on loopback that answers every post with `bytes`. */
export async function serve(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
