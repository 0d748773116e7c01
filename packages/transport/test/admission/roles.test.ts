import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import type { ClientMessage } from '@robota-sdk/agent-transport/protocol';
import { type Role, TokenBook } from '@robota-sdk/agent-transport/run';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { expect, it } from 'vitest';
import { TOKEN, usePlace } from '../support/place.ts';
import { readSse, readUntil } from '../support/sse-client.ts';
import { WsClient } from '../support/ws-client.ts';

const place = usePlace();
const ALL_ROLES: readonly Role[] = ['read', 'prompt', 'approve', 'admin'];

async function serve() {
  const tokenFolder = join(place.home, 'tokens');
  const book = new TokenBook(tokenFolder);
  const host = place.host();
  const shared = { host, token: TOKEN, tokenFolder };
  const http = createHttpTransport({ ...shared, port: 0 });
  const ws = createWsTransport({ ...shared, server: () => http.getServer() });
  await http.start();
  await ws.start();
  place.after(async () => {
    await ws.stop();
    await http.stop();
  });
  const { sessionId } = await host.create({ sessionId: 'mine' });
  const call = async (token: string, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const text = body && JSON.stringify(body);
    const response = await fetch(`${http.getUrl()}${path}`, {
      method,
      headers,
      body: text ?? null,
    });
    return response.status;
  };
  const base = http.getUrl();
  const url = `${base.replace('http', 'ws')}/api/sessions/${sessionId}/ws`;
  return { book, host, call, url, base };
}

it('stores each token as a hash in its own file, and rejects a revoked one at once', async () => {
  const { book, call } = await serve();
  const { token, id } = book.create('ada', ['read']);
  const file = join(place.home, 'tokens', `${id}.json`);

  expect(readFileSync(file, 'utf8')).not.toContain(token.split('.')[1]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(book.list()).toMatchObject([{ id, user: 'ada', roles: ['read'] }]);
  expect(await call(token, 'GET', '/api/sessions')).toBe(200);
  expect(await call(`${token}x`, 'GET', '/api/sessions')).toBe(401);
  expect([book.revoke(id), book.revoke(id), book.revoke('../../x')]).toEqual([true, false, false]);
  expect(await call(token, 'GET', '/api/sessions')).toBe(401);
  expect(() => book.create('no\nname', ['read'])).toThrow('user name');
});

const ACTS: readonly [Role, string, string, object?][] = [
  ['read', 'GET', '/api/sessions'],
  ['read', 'GET', '/api/sessions/mine/questions'],
  ['read', 'GET', '/api/me'],
  ['read', 'GET', '/api/trust'],
  ['prompt', 'GET', '/api/sessions/mine/files'],
  ['admin', 'GET', '/api/tokens'],
  ['admin', 'POST', '/api/tokens', { user: 'eve', roles: ['admin'] }],
  ['admin', 'POST', '/api/trust', { path: '/' }],
  ['prompt', 'POST', '/api/sessions/mine/prompts', { content: 'hello' }],
  ['prompt', 'POST', '/api/sessions/mine/abort'],
  ['prompt', 'POST', '/api/sessions/mine/commands/help', {}],
  ['prompt', 'POST', '/api/sessions', {}],
  ['prompt', 'POST', '/api/messages', { user_id: 'u', surface_id: 's', text: 'hello' }],
  ['approve', 'POST', '/api/sessions/mine/commands/mode', { args: 'plan' }],
  ['approve', 'PATCH', '/api/sessions/mine', { permission_mode: 'bypassPermissions' }],
  ['approve', 'POST', '/api/sessions', { permission_mode: 'bypassPermissions' }],
  ['admin', 'POST', '/api/sessions', { cwd: '/' }],
  ['admin', 'DELETE', '/api/sessions/mine'],
];

it.each(ACTS)('requires the role %s for %s %s', async (role, method, path, body) => {
  const { book, call } = await serve();
  const others = (['read', 'prompt', 'approve', 'admin'] as const).filter((one) => one !== role);
  const without = book.create('without', others);
  const all = book.create('all', ['read', 'prompt', 'approve', 'admin']);

  expect(await call(without.token, method, path, body)).toBe(403);
  expect(await call(all.token, method, path, body)).toBeLessThan(300);
});

/** The role of every route; one that is added has to be decided here. */
const ROUTES: Readonly<Record<string, Role | 'nobody'>> = {
  'GET /api/me': 'read',
  'GET /api/sessions': 'read',
  'GET /api/sessions/events': 'read',
  'GET /api/search': 'read',
  'GET /api/usage': 'read',
  'POST /api/sessions': 'prompt',
  'DELETE /api/sessions/{id}': 'admin',
  'POST /api/sessions/{id}/prompts': 'prompt',
  'POST /api/sessions/{id}/abort': 'prompt',
  'POST /api/sessions/{id}/compact': 'prompt',
  'POST /api/sessions/{id}/rewind/preview': 'prompt',
  'POST /api/sessions/{id}/rewind': 'prompt',
  'POST /api/sessions/{id}/rewind/undo': 'approve',
  'POST /api/sessions/{id}/fork': 'prompt',
  'POST /api/sessions/{id}/commands/{name}': 'prompt',
  'POST /api/sessions/{id}/permissions/{requestId}': 'approve',
  'POST /api/sessions/{id}/questions/{questionId}': 'approve',
  'GET /api/sessions/{id}/questions': 'read',
  'PATCH /api/sessions/{id}': 'prompt',
  'POST /api/messages': 'prompt',
  'GET /api/sessions/{id}/events': 'read',
  'GET /api/sessions/{id}': 'read',
  'GET /api/sessions/{id}/blocks': 'read',
  'GET /api/sessions/{id}/blocks/{blockId}': 'read',
  'GET /api/sessions/{id}/export': 'read',
  'GET /api/sessions/{id}/files': 'prompt',
  'POST /api/sessions/{id}/hand-over': 'prompt',
  'GET /api/hand-overs': 'read',
  'DELETE /api/hand-overs/{id}': 'prompt',
  'POST /api/links': 'read',
  'POST /api/links/{code}': 'nobody',
  'GET /api/tokens': 'admin',
  'POST /api/tokens': 'admin',
  'DELETE /api/tokens/{tokenId}': 'admin',
  'GET /api/trust': 'read',
  'POST /api/trust': 'admin',
  'DELETE /api/trust': 'admin',
  'GET /api/openapi.json': 'read',
};

it('holds every route to its role, before anything else of the request is read', async () => {
  const { book, call, base } = await serve();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const document = await fetch(`${base}/api/openapi.json`, { headers });
  const { paths } = (await document.json()) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(Object.keys(ROUTES).sort());

  const tokens = new Map(
    ALL_ROLES.map((role) => [
      role,
      book.create(
        'without',
        ALL_ROLES.filter((one) => one !== role),
      ),
    ]),
  );
  for (const [name, role] of Object.entries(ROUTES)) {
    const [method = '', path = ''] = name.split(' ');
    const filled = path.replace(/\{\w+\}/g, 'nothing');
    // A body that is not even valid shows that the role is checked first.
    const body = method === 'GET' ? undefined : { unknown: true };
    const anonymous = await call('', method, filled, body);
    // After ten requests without a token the rest is refused with 429.
    expect([name, anonymous]).toEqual([
      name,
      expect.toBeOneOf(role === 'nobody' ? [404, 429] : [401, 429]),
    ]);
    if (role === 'nobody') continue;
    const { token = '' } = tokens.get(role) ?? {};
    expect([name, await call(token, method, filled, body)]).toEqual([name, 403]);
  }
});

it('lets a reader follow, and refuses its messages', async () => {
  const { book, url, host } = await serve();
  const reader = new WsClient(url, book.create('reader', ['read']).token);
  const { token, id } = book.create('ada', ['read', 'prompt']);
  const asking = new WsClient(url, token);
  place.after(() => Promise.all([reader.close(), asking.close()]));
  await reader.until(({ type }) => type === 'snapshot');

  reader.send({ type: 'user', message: { content: 'hello' }, message_id: 'm1' });
  const refusal = await reader.until(({ type }) => type === 'protocol_error');
  await asking.ask('hello', 'm2');
  const started = await reader.until(({ type }) => type === 'turn_start');

  expect(refusal).toMatchObject({ code: 'forbidden', message_id: 'm1' });
  expect(started).toMatchObject({ content: 'hello', user: 'ada', message_id: 'm2' });
  asking.send({ type: 'permission_response', request_id: 'r', decision: 'allow' });
  expect(await asking.until(({ type }) => type === 'protocol_error')).toMatchObject({
    code: 'forbidden',
  });
  book.revoke(id);
  asking.send({ type: 'user', message: { content: 'again' }, message_id: 'm3' });
  expect(
    await asking.until((message) => 'message_id' in message && message.message_id === 'm3'),
  ).toMatchObject({ code: 'unauthorized' });
  expect(host.get('mine')?.getMessageCount()).toBe(1);
});

const MESSAGES: {
  readonly [Type in ClientMessage['type']]: readonly (readonly [Role, ClientMessage])[];
} = {
  user: [['prompt', { type: 'user', message: { content: 'hello' }, message_id: 'm' }]],
  permission_response: [
    ['approve', { type: 'permission_response', request_id: 'r', decision: 'allow' }],
  ],
  answer: [['approve', { type: 'answer', question_id: 'q', answer: 'allow', message_id: 'm' }]],
  command: [
    ['prompt', { type: 'command', name: 'help', message_id: 'm' }],
    ['prompt', { type: 'command', name: 'mode', args: 'plan', message_id: 'm' }],
    ['approve', { type: 'command', name: 'mode', args: 'plan', message_id: 'm' }],
    ['approve', { type: 'command', name: 'rewind', args: '1', message_id: 'm' }],
    ['admin', { type: 'command', name: 'reset', message_id: 'm' }],
  ],
  change: [
    ['approve', { type: 'change', changes: { permission_mode: 'plan' }, message_id: 'm' }],
    ['prompt', { type: 'change', changes: { permission_mode: 'plan' }, message_id: 'm' }],
    ['prompt', { type: 'change', changes: { name: 'New' }, message_id: 'm' }],
  ],
  compact: [['prompt', { type: 'compact', message_id: 'm' }]],
  fork: [['prompt', { type: 'fork', message_id: 'm' }]],
  preview_rewind: [['prompt', { type: 'preview_rewind', to: 'b', message_id: 'm' }]],
  rewind: [
    ['prompt', { type: 'rewind', to: 'b', what: 'conversation', message_id: 'm' }],
    ['approve', { type: 'rewind', to: 'b', message_id: 'm' }],
    ['approve', { type: 'rewind', to: 'b', what: 'files', message_id: 'm' }],
  ],
  undo_rewind: [['approve', { type: 'undo_rewind', message_id: 'm' }]],
  abort: [['prompt', { type: 'abort', message_id: 'm' }]],
  cancel_queue: [['prompt', { type: 'cancel_queue', message_id: 'm' }]],
  // A socket needs the role `read`, which is all that these need.
  costs: [],
  ping: [],
};

it('requires the roles of HTTP on a socket, for every message', async () => {
  const { book, url } = await serve();
  const others = (role: Role) => ALL_ROLES.filter((one) => one !== role);
  const sockets = new Map(
    (['prompt', 'approve', 'admin'] as const).map((role) => [
      role as Role,
      new WsClient(url, book.create('without', others(role)).token),
    ]),
  );
  place.after(() => Promise.all([...sockets.values()].map((socket) => socket.close())));

  for (const [role, message] of Object.values(MESSAGES).flat()) {
    const socket = sockets.get(role);
    const from = socket?.heard.length ?? 0;
    socket?.send(message);
    const reply = await socket?.until(
      ({ type }) => type === 'protocol_error' || type === 'done',
      from,
    );
    expect([message, reply]).toMatchObject([message, { code: 'forbidden' }]);
  }
  const blind = new WsClient(url, book.create('blind', ['prompt', 'approve', 'admin']).token);
  await expect(blind.until(({ type }) => type === 'init')).rejects.toThrow('closed');
});

it('refuses changes on a socket that only HTTP makes, instead of ignoring them', async () => {
  const { url } = await serve();
  const socket = new WsClient(url);
  place.after(() => socket.close());

  socket.send(JSON.stringify({ type: 'change', changes: { is_pinned: true }, message_id: 'm' }));
  const reply = await socket.until(({ type }) => type === 'protocol_error' || type === 'done');

  expect(reply).toMatchObject({ type: 'protocol_error', code: 'invalid_message' });
});

it('disconnects all clients of a revoked token', async () => {
  const { book, url, host } = await serve();
  const { token, id } = book.create('ada', ['read', 'prompt']);
  const other = new WsClient(url, book.create('grace', ['read']).token);
  const socket = new WsClient(url, token);
  place.after(() => other.close());
  const base = url.replace('ws', 'http').replace('/ws', '');
  const headers = { authorization: `Bearer ${token}` };
  const events = readSse(await fetch(`${base}/events`, { headers }));
  const rows = await fetch(new URL('/api/sessions/events', base), { headers });
  await readUntil(events, ({ type }) => type === 'snapshot');
  await Promise.all([socket, other].map((one) => one.until(({ type }) => type === 'snapshot')));

  book.revoke(id);

  expect((await socket.closed).code).toBe(4001);
  const last = await readUntil(events, ({ type }) => type === 'protocol_error');
  expect(last.at(-1)?.data).toMatchObject({ code: 'unauthorized' });
  expect((await events.next()).done).toBe(true);
  expect(await rows.text()).toContain(': here');
  await (await host.submit('mine', 'hello')).outcome;
  await other.until(({ type }) => type === 'turn_end');
  expect(socket.heard.some(({ type }) => type === 'turn_start')).toBe(false);
});
