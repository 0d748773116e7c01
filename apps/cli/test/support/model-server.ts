import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One scripted answer of a model that speaks Anthropic's Messages protocol. */
export type ScriptedReply =
  | { readonly kind: 'text'; readonly pieces: readonly string[]; readonly stopReason?: string }
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly name: string;
      readonly input: object;
      /** Words before the call. */
      readonly text?: string;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly type: string;
      readonly message: string;
    }
  /** Streams the pieces, then stays silent until the client hangs up. */
  | { readonly kind: 'hang'; readonly pieces: readonly string[] }
  | { readonly kind: 'drop' };

export const says = (...pieces: string[]): ScriptedReply => ({ kind: 'text', pieces });
/** An answer that ends for another reason than that everything was said. */
export const stopsFor = (stopReason: string, ...pieces: string[]): ScriptedReply => ({
  kind: 'text',
  pieces,
  stopReason,
});
export const callsTool = (id: string, name: string, input: object): ScriptedReply => ({
  kind: 'tool',
  id,
  name,
  input,
});
export const saysAndCalls = (text: string, name: string, input: object): ScriptedReply => ({
  kind: 'tool',
  id: 'call_1',
  name,
  input,
  text,
});
export const hangsAfter = (...pieces: string[]): ScriptedReply => ({ kind: 'hang', pieces });
export const answersStatus = (status: number, type: string, message: string): ScriptedReply => ({
  kind: 'status',
  status,
  type,
  message,
});

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** Bodies of the requests so far, in order. */
  readonly requests: readonly {
    readonly messages: readonly unknown[];
    readonly [key: string]: unknown;
  }[];
  /** Resolves when that many requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Streams more pieces of the last answer, which hangs. */
  goOn(...pieces: readonly string[]): void;
  close(): Promise<void>;
}

/** A model server on loopback that gives the scripted replies in order and repeats the last one. */
export async function startModelServer(...script: readonly ScriptedReply[]): Promise<ModelServer> {
  const requests: { messages: readonly unknown[] }[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let last: ServerResponse | undefined;
  const server = createServer((request, response) => {
    last = response;
    void readBody(request).then((body) => {
      requests.push(JSON.parse(body));
      for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
      const reply = script[Math.min(requests.length, script.length) - 1];
      if (reply) answer(response, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => stop(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    arrived: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    goOn: (...pieces) => {
      if (last) sendPieces(last, pieces);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function answer(response: ServerResponse, reply: ScriptedReply): void {
  if (reply.kind === 'drop') {
    response.destroy();
    return;
  }
  if (reply.kind === 'status') {
    response.writeHead(reply.status, {
      'content-type': 'application/json',
      'request-id': 'req_test',
    });
    response.end(
      JSON.stringify({ type: 'error', error: { type: reply.type, message: reply.message } }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_test' });
  for (const event of opening()) send(response, event);
  if (reply.kind === 'tool') sendTool(response, reply);
  else sendText(response, reply.pieces);
  if (reply.kind === 'hang') return;
  const index = reply.kind === 'tool' && reply.text !== undefined ? 1 : 0;
  send(response, { type: 'content_block_stop', index });
  const stopReason = reply.kind === 'tool' ? 'tool_use' : (reply.stopReason ?? 'end_turn');
  send(response, {
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 7 },
  });
  send(response, { type: 'message_stop' });
  response.end();
}

function opening() {
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_test',
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 11, output_tokens: 1 },
      },
    },
  ];
}

function sendText(response: ServerResponse, pieces: readonly string[]): void {
  send(response, {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'text', text: '' },
  });
  sendPieces(response, pieces);
}

function sendPieces(response: ServerResponse, pieces: readonly string[]): void {
  for (const text of pieces) {
    send(response, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  }
}

function sendTool(response: ServerResponse, reply: Extract<ScriptedReply, { kind: 'tool' }>): void {
  const index = reply.text === undefined ? 0 : 1;
  if (reply.text !== undefined) {
    sendText(response, [reply.text]);
    send(response, { type: 'content_block_stop', index: 0 });
  }
  const block = { type: 'tool_use', id: reply.id, name: reply.name, input: {} };
  send(response, { type: 'content_block_start', index, content_block: block });
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) };
  send(response, { type: 'content_block_delta', index, delta });
}

function send(
  response: ServerResponse,
  event: { readonly type: string; readonly [field: string]: unknown },
): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
