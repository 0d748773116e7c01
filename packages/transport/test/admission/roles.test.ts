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
  const url = `${http.getUrl().replace('http', 'ws')}/api/sessions/${sessionId}/ws`;
  return { book, host, call, url };
}

it('keeps hashes of tokens in files of their own, and forgets a revoked one at once', async () => {
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

it.each(ACTS)('asks for the role %s for %s %s', async (role, method, path, body) => {
  const { book, call } = await serve();
  const others = (['read', 'prompt', 'approve', 'admin'] as const).filter((one) => one !== role);
  const without = book.create('without', others);
  const all = book.create('all', ['read', 'prompt', 'approve', 'admin']);

  expect(await call(without.token, method, path, body)).toBe(403);
  expect(await call(all.token, method, path, body)).toBeLessThan(300);
});

it('lets a reader look, and refuses what it says', async () => {
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

const SAID: readonly [Role, ClientMessage][] = [
  ['approve', { type: 'change', changes: { permission_mode: 'plan' }, message_id: 'm' }],
  ['prompt', { type: 'change', changes: { permission_mode: 'plan' }, message_id: 'm' }],
  ['prompt', { type: 'change', changes: { name: 'New' }, message_id: 'm' }],
  ['prompt', { type: 'command', name: 'mode', args: 'plan', message_id: 'm' }],
];

it.each(SAID)('asks for the role %s on a socket as HTTP does: %j', async (role, message) => {
  const { book, url } = await serve();
  const others = (['read', 'prompt', 'approve'] as const).filter((one) => one !== role);
  const socket = new WsClient(url, book.create('without', others).token);
  place.after(() => socket.close());

  socket.send(message);
  const reply = await socket.until((heard) => 'message_id' in heard && heard.message_id === 'm');

  expect(reply).toMatchObject({ type: 'protocol_error', code: 'forbidden' });
});

it('hangs up on everybody who came in with a token that was revoked', async () => {
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
