import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { createMcpTransport } from '@robota-sdk/agent-transport/mcp';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { describe, expect, it } from 'vitest';
import { type Place, TOKEN, usePlace } from './support/place.ts';
import { readSse } from './support/sse-client.ts';
import { WsClient } from './support/ws-client.ts';

/** What a client of any transport can do. */
interface SurfaceClient {
  /** Sends a prompt and returns the answer; `onText` gets it as it streams. */
  ask(prompt: string, onText?: (text: string) => void): Promise<string>;
  command(name: string, args: string): Promise<string>;
  cancel(): Promise<unknown>;
}

type Connect = (place: Place) => Promise<() => Promise<SurfaceClient>>;

const overHttp: Connect = async (place) => {
  const session = place.session();
  const transport = createHttpTransport({ port: 0, token: TOKEN });
  session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  const call = (path: string, body: object, accept = 'application/json') =>
    fetch(`${transport.getUrl()}/api/sessions/${session.sessionId}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, accept, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return async () => ({
    async ask(content, onText) {
      const response = await call('prompts', { content }, 'text/event-stream');
      let answer = '';
      for await (const { data } of readSse(response)) {
        if (data.type === 'stream_event' && data.event.type === 'text_delta') {
          onText?.(data.event.delta);
        }
        if (data.type === 'result') answer = data.result;
      }
      return answer;
    },
    async command(name, args) {
      const body = (await (await call(`commands/${name}`, { args })).json()) as {
        message?: string;
        error?: { message: string };
      };
      return body.message ?? body.error?.message ?? '';
    },
    cancel: () => call('abort', {}),
  });
};

const overWebSocket: Connect = async (place) => {
  const session = place.session();
  const transport = createWsTransport({ port: 0, token: TOKEN });
  session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  return async () => {
    const client = new WsClient(transport.getUrl());
    place.after(() => client.close());
    await client.until((message) => message.type === 'snapshot');
    let count = 0;
    const prefix = Math.random().toString(36).slice(2);
    return {
      async ask(prompt, onText) {
        client.socket.on('message', (data) => {
          const message = JSON.parse(String(data));
          if (message.event?.type === 'text_delta') onText?.(message.event.delta);
        });
        count += 1;
        return client.ask(prompt, `${prefix}-${count}`);
      },
      async command(name, args) {
        count += 1;
        client.send({ type: 'command', name, args, message_id: `${prefix}-${count}` });
        const reply = await client.until(
          (message) => 'message_id' in message && message.message_id === `${prefix}-${count}`,
        );
        return 'message' in reply ? String(reply.message) : '';
      },
      cancel: async () => client.send({ type: 'abort' }),
    };
  };
};

const overMcp: Connect = async (place) => {
  const session = place.session();
  const transport = createMcpTransport({ http: { port: 0, token: TOKEN } });
  session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  return async () => {
    const client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${TOKEN}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(transport.getUrl()), { requestInit: { headers } }),
    );
    place.after(() => client.close());
    const call = async (name: string, args: object, onText?: (text: string) => void) => {
      const result = await client.callTool(
        { name, arguments: { ...args } },
        { onprogress: ({ message }) => onText?.(message ?? '') },
      );
      const [first] = result.content as readonly { readonly text: string }[];
      return first?.text ?? '';
    };
    return {
      ask: (prompt, onText) => call('submit', { prompt }, onText),
      // A tool that does not exist is a protocol error in MCP.
      command: (name, args) =>
        call(`command_${name}`, { args }).catch((error: Error) => error.message),
      cancel: async () => session.abort(),
    };
  };
};

describe.each([
  ['http', overHttp],
  ['ws', overWebSocket],
  ['mcp', overMcp],
])('over %s', (_name, connect) => {
  const place = usePlace();

  it('answers a prompt and streams the answer', async () => {
    const client = await (await connect(place))();
    const pieces: string[] = [];

    const answer = await client.ask('hello', (text) => pieces.push(text));

    expect(answer).toBe('You said hello');
    expect(pieces.join('')).toBe('You said hello');
    expect(pieces.length).toBeGreaterThan(1);
  });

  it('gives each of two concurrent clients its own answer', async () => {
    const open = await connect(place);
    const [left, right] = [await open(), await open()];

    const answers = await Promise.all([left.ask('I am left'), right.ask('I am right')]);

    expect(answers).toEqual(['You said I am left', 'You said I am right']);
  });

  it('runs commands, and reports unknown ones', async () => {
    const client = await (await connect(place))();

    expect(await client.command('mode', 'plan')).toBe('Permission mode set to: plan');
    expect(await client.command('fly', '')).toContain('fly');
  });

  it('aborts a running turn and accepts the next prompt', async () => {
    const client = await (await connect(place))();
    const asked = client.ask('wait for me');
    await place.provider.waiting();

    await client.cancel();

    expect(await asked).toContain('You said');
    expect(await asked).not.toContain('wait for me');
    expect(await client.ask('again')).toBe('You said again');
  });
});

describe.each([
  ['http', () => createHttpTransport({ port: 0, token: TOKEN })],
  ['ws', () => createWsTransport({ port: 0, token: TOKEN })],
  ['mcp', () => createMcpTransport({ http: { port: 0, token: TOKEN } })],
] as const)('the %s transport', (name, create) => {
  const place = usePlace();

  it('has a name and cannot start without a session', async () => {
    const transport = create();

    expect(transport.name).toBe(name);
    expect(() => transport.getUrl()).toThrow('Transport not started. Call start() first.');
    await expect(transport.start()).rejects.toThrow('No session attached. Call attach() first.');
  });

  it('leaves its session running when it stops, and can be stopped twice', async () => {
    const session = place.session();
    const transport = create();
    session.attachTransport(transport);
    await transport.start();

    await transport.stop();
    await transport.stop();

    expect(await session.submit('still there')).toMatchObject({ status: 'completed' });
  });
});
