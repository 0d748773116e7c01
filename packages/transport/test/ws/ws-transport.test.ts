import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { CLOSE_CODES } from '@robota-sdk/agent-transport/protocol';
import {
  createWsTransport,
  type WsTransport,
  type WsTransportOptions,
} from '@robota-sdk/agent-transport/ws';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { TOKEN, usePlace } from '../support/place.ts';
import { readSse, readUntil } from '../support/sse-client.ts';
import { gapsIn, inOrder, numbersOf, WsClient } from '../support/ws-client.ts';

const place = usePlace();

interface Served {
  readonly transport: WsTransport;
  readonly session: InteractiveSession;
  open(path?: string): Promise<WsClient>;
}

async function serve(options: WsTransportOptions = {}): Promise<Served> {
  const session = place.session({ queueDepth: 8 });
  const transport = createWsTransport({ port: 0, token: TOKEN, ...options });
  session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  return {
    transport,
    session,
    async open(path = '/') {
      const client = new WsClient(`${transport.getUrl()}${path}`);
      place.after(() => client.close());
      await client.until((message) => message.type === 'init');
      return client;
    },
  };
}

describe('following over WebSocket', () => {
  it('resumes after a position without gap or repeat', async () => {
    const { open, session } = await serve();
    const first = await open();
    await first.ask('one', 'm1');
    await first.close();
    await session.submit('two');

    const received = numbersOf(first.heard);
    const second = await open(`/?after=${received.at(-1)}`);
    await second.ask('three', 'm3');

    const numbers = [...received, ...numbersOf(second.heard)];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toEqual(inOrder(numbers));
    expect(gapsIn(numbers)).toEqual([]);
  });

  it('uses the same event positions as HTTP', async () => {
    const { open, session } = await serve();
    const http = createHttpTransport({ port: 0, token: TOKEN });
    session.attachTransport(http);
    await http.start();
    place.after(() => http.stop());
    const client = await open();
    await client.ask('hello', 'm1');

    const path = `/api/sessions/${session.sessionId}/events?after=0`;
    const headers = { authorization: `Bearer ${TOKEN}` };
    const stream = readSse(await fetch(`${http.getUrl()}${path}`, { headers }));
    const [init, ...events] = await readUntil(stream, (message) => message.type === 'result');
    await stream.return(undefined);

    expect(init?.event).toBe('init');
    const received = client.heard.filter(
      ({ type }) => !['init', 'snapshot', 'prompt_accepted'].includes(type),
    );
    expect(events.map(({ data }) => data)).toEqual(received);
    expect(events.map(({ id }) => id)).toEqual(numbersOf(received));
  });

  it('starts with a snapshot of the conversation so far', async () => {
    const { open, session } = await serve();
    await session.submit('before');

    const client = await open();

    expect(await client.until((message) => message.type === 'snapshot')).toMatchObject({
      is_executing: false,
      conversation: {
        blocks: [{ type: 'user_message' }, { type: 'assistant_text', content: 'You said before' }],
      },
    });
  });

  it('drops a client that does not read, with a reason, without delaying others', async () => {
    const { open, session, transport } = await serve({ maxLagBytes: 2_000_000 });
    const reader = await open();
    const slow = new WebSocket(transport.getUrl(), {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    place.after(() => slow.terminate());
    await once(slow, 'open');
    slow.pause();
    const closed = once(slow, 'close');

    for (let turn = 1; turn <= 40; turn++) {
      const prompt = `${turn} ${'x'.repeat(100_000)}`;
      const from = reader.heard.length;
      await session.submit(prompt);
      // The last prompts no longer fit the model's context window.
      await reader.until(({ type }) => type === 'complete' || type === 'error', from);
    }
    slow.resume();

    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([
      CLOSE_CODES.tooSlow,
      expect.stringMatching(/^Too slow: more than 2000000 bytes waited\. Resume after \d+\.\d+\.$/),
    ]);
  });

  it('continues a turn when the client that started it disconnects', async () => {
    const { open } = await serve();
    const first = await open();
    first.send({ type: 'user', message: { content: 'wait' }, message_id: 'm1' });
    await place.provider.waiting();

    await first.close();
    place.provider.release();

    const second = await open(`/?after=${numbersOf(first.heard).at(-1)}`);
    const result = await second.until((message) => message.type === 'result');
    expect(result).toMatchObject({ message_id: 'm1', status: 'completed' });
  });

  it('repeats the result to a client that sends the same id again', async () => {
    const { open, session } = await serve();
    const client = await open();
    await client.ask('hello', 'm1');

    const from = client.heard.length;
    client.send({ type: 'user', message: { content: 'hello' }, message_id: 'm1' });

    const reply = await client.until((message) => message.type === 'prompt_accepted', from);
    expect(reply).toMatchObject({ result: { message_id: 'm1', result: 'You said hello' } });
    expect(session.getMessages()).toHaveLength(2);
  });

  it('terminates a client that does not answer a ping', async () => {
    const { transport } = await serve({ pingIntervalMs: 20 });
    const { port } = new URL(transport.getUrl());
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(upgradeRequest('/'));
    socket.resume();

    await once(socket, 'close');

    expect(socket.destroyed).toBe(true);
  });
});

describe('asking for permission over WebSocket', () => {
  it('asks every client, and accepts the first answer', async () => {
    const { open, session } = await serve();
    const [left, right] = [await open(), await open()];
    const asked = session.submit('touch');
    const isQuestion = (message: { type: string }) => message.type === 'permission_request';
    const question = (await left.until(isQuestion)) as { request_id: string };
    await right.until(isQuestion);

    for (const client of [left, right]) {
      client.send({
        type: 'permission_response',
        request_id: question.request_id,
        decision: 'deny',
      });
      await client.until((message) => message.type === 'permission_answer');
    }

    const replies = [left, right].map((client) =>
      client.heard.find((message) => message.type === 'permission_answer'),
    );
    expect(replies).toMatchObject([{ accepted: true }, { accepted: false }]);
    expect(await asked).toMatchObject({ status: 'completed' });
  });
});

describe('bad input over WebSocket', () => {
  it.each([
    ['malformed JSON', '{"type":', 'invalid_json'],
    ['an unknown type', '{"type":"dance"}', 'invalid_message'],
    ['a missing field', '{"type":"user"}', 'invalid_message'],
    ['a bad message id', '{"type":"command","name":"x","message_id":"/"}', 'invalid_message'],
    ['an unknown command', '{"type":"command","name":"fly"}', 'unknown_command'],
  ])('answers %s with a code and keeps the connection open', async (_what, text, code) => {
    const { open } = await serve();
    const client = await open();

    client.send(text);

    const reply = await client.until((message) => message.type === 'protocol_error');
    expect(reply).toMatchObject({ code });
    expect(await client.ask('still there', 'm1')).toBe('You said still there');
  });

  it('refuses binary messages and prompts to a session that has ended', async () => {
    const { open, session } = await serve();
    const client = await open();

    client.socket.send(Buffer.from('{}'));
    const first = await client.until((message) => message.type === 'protocol_error');
    await session.shutdown();
    const from = client.heard.length;
    client.send({ type: 'user', message: { content: 'hello' }, message_id: 'm1' });
    const second = await client.until((message) => message.type === 'protocol_error', from);

    expect([first, second]).toMatchObject([
      { code: 'invalid_message' },
      { code: 'session_closed', message_id: 'm1' },
    ]);
  });

  it('closes with 1009 on a message that is too large', async () => {
    const { open } = await serve({ maxMessageBytes: 1000 });
    const client = await open();

    client.send('x'.repeat(2000));

    expect(await client.closed).toMatchObject({ code: 1009 });
  });
});

describe('admission over WebSocket', () => {
  it.each([
    ['no token', '/', {}, 401],
    ['a wrong token', '/', { authorization: 'Bearer wrong' }, 401],
    [
      'a foreign page',
      '/',
      { authorization: `Bearer ${TOKEN}`, origin: 'https://evil.example' },
      403,
    ],
    ['a rebound name', '/', { authorization: `Bearer ${TOKEN}`, host: 'evil.example' }, 403],
    ['an unknown path', '/dance', { authorization: `Bearer ${TOKEN}` }, 404],
    ['an unknown session', '/api/sessions/none/ws', { authorization: `Bearer ${TOKEN}` }, 404],
    ['an invalid session', '/api/sessions/..%2Fx/ws', { authorization: `Bearer ${TOKEN}` }, 400],
    ['a bad number', '/?after=soon', { authorization: `Bearer ${TOKEN}` }, 400],
  ])('refuses %s', async (_who, path, headers, status) => {
    const { transport } = await serve();
    const socket = new WebSocket(`${transport.getUrl()}${path}`, { headers });

    const [, response] = await once(socket, 'unexpected-response');

    expect(response.statusCode).toBe(status);
    socket.on('error', () => undefined);
    socket.terminate();
  });

  it("reads a browser's token from the offered sub-protocols", async () => {
    const { transport } = await serve();

    const socket = new WebSocket(transport.getUrl(), ['robota.v1', `robota.token.${TOKEN}`]);
    place.after(() => socket.terminate());
    await once(socket, 'open');

    expect(socket.protocol).toBe('robota.v1');
  });

  it('answers plain HTTP with 426', async () => {
    const { transport } = await serve();

    const response = await fetch(transport.getUrl().replace('ws', 'http'));

    expect(response.status).toBe(426);
  });
});

it('informs clients when the server stops', async () => {
  const { open, transport } = await serve();
  const client = await open();

  await transport.stop();

  expect(await client.closed).toEqual({ code: 1001, reason: 'The server is stopping.' });
});

/** An upgrade as a client sends it that will never answer, such as that of a machine that fell asleep. */
function upgradeRequest(path: string): string {
  return [
    `GET ${path} HTTP/1.1`,
    'host: localhost',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    `authorization: Bearer ${TOKEN}`,
    '',
    '',
  ].join('\r\n');
}

it('does not wait long for a client that no longer answers when the server stops', async () => {
  const { open, transport } = await serve();
  await open();
  const asleep = connect(Number(new URL(transport.getUrl()).port), '127.0.0.1');
  place.after(() => asleep.destroy());
  asleep.write(upgradeRequest('/'));
  await once(asleep, 'data');
  const begun = performance.now();

  await transport.stop();

  expect(performance.now() - begun).toBeLessThan(5_000);
});

it('refuses a client whose session opens only after the server was told to stop', async () => {
  const host = place.host();
  const http = createHttpTransport({ host, token: TOKEN, port: 0 });
  await http.start();
  const ws = createWsTransport({ host, token: TOKEN, server: () => http.getServer() });
  await ws.start();
  const session = await host.create({ sessionId: 'late' });
  await host.close('late', 'released');
  const steps = new EventEmitter();
  const [asked, opened] = [once(steps, 'asked'), once(steps, 'opened')];
  vi.spyOn(host, 'open').mockImplementation(async () => {
    steps.emit('asked');
    await opened;
    return session;
  });
  const client = connect(Number(new URL(http.getUrl()).port), '127.0.0.1');
  place.after(() => client.destroy());
  const answer = once(client, 'data');
  client.write(upgradeRequest('/api/sessions/late/ws'));
  await asked;

  await ws.stop();
  const stopped = http.stop();
  steps.emit('opened');

  expect(String(await answer)).toMatch(/^HTTP\/1\.1 503 /);
  await stopped;
});
