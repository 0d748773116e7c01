import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import {
  RemoteServer,
  RemoteSession,
  type RemoteSessionEvents,
} from '@robota-sdk/agent-transport/client';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TOKEN, usePlace } from '../support/place.ts';

const place = usePlace();

async function serve(session?: InteractiveSession): Promise<string> {
  const options = session ? {} : { host: place.host() };
  const http = createHttpTransport({ port: 0, token: TOKEN, ...options });
  const ws = createWsTransport({ server: () => http.getServer(), token: TOKEN, ...options });
  for (const transport of [http, ws]) if (session) session.attachTransport(transport);
  await http.start();
  place.after(() => http.stop());
  await ws.start();
  place.after(() => ws.stop());
  return http.getUrl();
}

async function open(url: string, sessionId: string): Promise<RemoteSession> {
  const remote = new RemoteSession({
    url,
    sessionId,
    token: TOKEN,
    WebSocket,
    minReconnectMs: 1,
    maxReconnectMs: 5,
  });
  place.after(() => remote.close());
  await remote.whenReady();
  return remote;
}

it('answers like a local session', async () => {
  const session = place.session();
  const remote = await open(await serve(session), session.sessionId);

  const outcome = await remote.submit('hello');

  expect(outcome).toMatchObject({ status: 'completed', result: { response: 'You said hello' } });
  expect(remote.getBlocks()).toEqual(session.getBlocks());
  expect(remote.isExecuting()).toBe(false);
  expect(remote.getStreamingText()).toBe('You said hello');
});

it('emits the same events as the local session, in the same order', async () => {
  const session = place.session();
  const remote = await open(await serve(session), session.sessionId);
  const local: unknown[] = [];
  const far: unknown[] = [];
  const names = [
    'text_delta',
    'user_message',
    'thinking',
    'tool_start',
    'tool_end',
    'permission_request',
    'permission_resolved',
    'complete',
    'context_update',
  ] as const satisfies (keyof RemoteSessionEvents)[];
  for (const name of names) {
    session.on(name, (fact: unknown) => local.push([name, withoutHistory(fact)]));
    remote.on(name, (fact: unknown) => far.push([name, withoutHistory(fact)]));
  }
  remote.on('permission_request', ({ requestId }) => {
    void remote.answerPermission(requestId, { decision: 'deny' });
  });

  await remote.submit('touch');
  await remote.submit('hello');

  const plain = (facts: unknown[]) => JSON.parse(JSON.stringify(facts));
  expect(plain(far)).toEqual(plain(local));
  expect(far.length).toBeGreaterThan(10);
});

function withoutHistory(fact: unknown): unknown {
  if (typeof fact !== 'object' || fact === null) return fact;
  const { history: _history, ...rest } = fact as { history?: unknown };
  return rest;
}

it('loses and repeats no event across reconnects', async () => {
  const session = place.session({ queueDepth: 50 });
  const line = await breakableProxy(await serve(session));
  const remote = await open(line.url, session.sessionId);
  const received: number[] = [];
  remote.on('stream_event', (_event, sequence) => received.push(sequence));
  const local: unknown[] = [];
  session.on('stream_event', (event) => local.push(event));

  const outcomes = [];
  for (let turn = 0; turn < 20; turn++) {
    const asked = remote.submit(`turn ${turn}`);
    line.cut();
    outcomes.push(await asked);
  }

  expect(outcomes.map((outcome) => 'result' in outcome && outcome.result.response)).toEqual(
    Array.from({ length: 20 }, (_, turn) => `You said turn ${turn}`),
  );
  expect(session.getMessages().filter(({ role }) => role === 'user')).toHaveLength(20);
  expect(received.length).toBe(local.length);
  expect(received).toEqual(received.toSorted((left, right) => left - right));
  expect(remote.getBlocks()).toEqual(session.getBlocks());
});

it('does not send a prompt twice when the connection breaks during its turn', async () => {
  const session = place.session({ queueDepth: 5 });
  const line = await breakableProxy(await serve(session));
  const remote = await open(line.url, session.sessionId);
  const asked = remote.submit('wait');
  await place.provider.waiting();
  const back = new Promise<void>((resolve) => {
    remote.on('connection', ({ state }) => state === 'open' && resolve());
  });

  line.cut();
  await back;
  // The reply to a command shows that everything sent before it has arrived.
  await remote.executeCommand('mode');
  place.provider.release();

  expect(await asked).toMatchObject({ status: 'completed' });
  expect(session.getPendingPrompt()).toBeNull();
  expect(session.getMessages()).toHaveLength(2);
});

it('closes with the reason when the server refuses', async () => {
  const session = place.session();
  const url = await serve(session);
  const wrong = new RemoteSession({ url, sessionId: session.sessionId, token: 'wrong', WebSocket });
  const unknown = new RemoteSession({ url, sessionId: 'unknown', token: TOKEN, WebSocket });
  place.after(() => [wrong, unknown].map((remote) => remote.close()));

  await expect(wrong.whenReady()).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  await expect(unknown.whenReady()).rejects.toMatchObject({ code: 'session_not_found' });
  await expect(unknown.submit('hello')).rejects.toMatchObject({ code: 'connection_closed' });
});

it('runs commands, and reports unknown ones', async () => {
  const session = place.session();
  const remote = await open(await serve(session), session.sessionId);

  expect(await remote.executeCommand('rename', 'New name')).toMatchObject({ success: true });
  expect(session.getName()).toBe('New name');
  expect(await remote.executeCommand('fly')).toBeNull();
});

it('aborts a running turn', async () => {
  const session = place.session();
  const remote = await open(await serve(session), session.sessionId);
  const asked = remote.submit('wait');
  await place.provider.waiting();

  await remote.abort();

  expect(await asked).toMatchObject({ status: 'interrupted' });
});

it('lists and opens the sessions of a server, and learns when one ends', async () => {
  const url = await serve();
  const server = new RemoteServer({ url, token: TOKEN, WebSocket });
  const id = await server.createSession({ name: 'A name' });
  const remote = server.openSession(id);
  place.after(() => remote.close());
  await remote.whenReady();
  await remote.submit('hello');
  expect(await server.listSessions()).toMatchObject({ sessions: [{ id, name: 'A name' }] });
  const closed = new Promise((resolve) => {
    remote.on('connection', (state) => state.state === 'closed' && resolve(state));
  });

  await server.deleteSession(id);

  expect(await closed).toEqual({ state: 'closed', reason: 'The session has ended.' });
});

/** A proxy to a server that can drop its connections. */
async function breakableProxy(url: string): Promise<{ url: string; cut(): void }> {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  place.after(async () => {
    cut();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}
