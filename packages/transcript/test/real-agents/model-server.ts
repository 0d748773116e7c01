import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One reply of the model: text, tool calls, or an error. `hold` keeps the stream open. */
export interface ScriptedReply {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly {
    readonly name: string;
    readonly input: object;
    readonly namespace?: string;
  }[];
  readonly status?: number;
  readonly hold?: boolean;
}

/** Chooses the reply by the prompt; `step` counts the model's replies since the last user message. */
export type Script = (prompt: string, step: number) => ScriptedReply;

export interface ModelServer {
  readonly url: string;
  close(): Promise<void>;
}

export type Speak = (body: string, request: IncomingMessage, script: Script) => Spoken;

/** A stream of events, or a plain response. */
export interface Spoken {
  readonly status: number;
  readonly contentType: string;
  readonly chunks: readonly string[];
  readonly hold: boolean;
}

/** Serves a vendor's API on loopback, as encoded by `speak`. */
export async function startModelServer(speak: Speak, script: Script): Promise<ModelServer> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => answer(response, speak(body, request, script)));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

function answer(response: ServerResponse, { status, contentType, chunks, hold }: Spoken): void {
  response.writeHead(status, { 'content-type': contentType });
  for (const chunk of chunks) response.write(chunk);
  if (!hold) response.end();
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export function sse(events: readonly object[], named: boolean): string[] {
  return events.map((event) => {
    const name = named && 'type' in event ? `event: ${String(event.type)}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
}
