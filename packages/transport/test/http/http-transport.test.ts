import { statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from '@robota-sdk/agent-transport/http';
import { describe, expect, it } from 'vitest';
import { TOKEN, usePlace } from '../support/place.ts';
import { readSse, readUntil } from '../support/sse-client.ts';
import { gapsIn, inOrder } from '../support/ws-client.ts';

const place = usePlace();

interface Served {
  readonly transport: HttpTransport;
  readonly session: InteractiveSession;
  call(
    path: string,
    options?: RequestInit & { headers?: Record<string, string> },
  ): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

async function serve(
  options: HttpTransportOptions & { queueDepth?: number } = {},
): Promise<Served> {
  const { queueDepth, ...rest } = options;
  const session = place.session(queueDepth === undefined ? {} : { queueDepth });
  const transport = createHttpTransport({ port: 0, token: TOKEN, ...rest });
  if (!rest.host) session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  const call: Served['call'] = (path, init = {}) =>
    fetch(`${transport.getUrl()}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${TOKEN}`, ...init.headers },
    });
  const post: Served['post'] = (path, body, headers = {}) =>
    call(path, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { transport, session, call, post };
}

async function refusal(response: Response): Promise<[number, string]> {
  const body = (await response.json()) as { error: { code: string; message: string } };
  expect(body.error.message).not.toBe('');
  return [response.status, body.error.code];
}

const STREAM = { accept: 'text/event-stream' };

describe('prompts over HTTP', () => {
  it('answers 202 at once, and the result is an event with the message id', async () => {
    const { session, post, call } = await serve();
    const base = `/api/sessions/${session.sessionId}`;

    const response = await post(`${base}/prompts`, { content: 'hello', message_id: 'm1' });

    expect(response.status).toBe(202);
    const accepted = await response.json();
    expect(accepted).toEqual({
      session_id: session.sessionId,
      message_id: 'm1',
      seq: 0,
      part: 0,
      status: 'accepted',
    });
    const events = readSse(await call(`${base}/events?after=0`));
    const seen = await readUntil(events, (message) => message.type === 'result');
    expect(seen.at(-1)?.data).toMatchObject({ message_id: 'm1', result: 'You said hello' });
    await events.return(undefined);
  });

  it('accepts a message id once, and repeats its result', async () => {
    const { session, post } = await serve();
    const path = `/api/sessions/${session.sessionId}/prompts`;
    const body = { content: 'hello', message_id: 'm1' };
    const ask = async () => {
      const seen = [];
      for await (const { data } of readSse(await post(path, body, STREAM))) seen.push(data);
      return seen.at(-1);
    };

    const [first, second] = [await ask(), await ask()];

    expect(second).toEqual(first);
    expect(session.getMessages().filter(({ role }) => role === 'user')).toHaveLength(1);
    expect(await refusal(await post(path, { content: 'other', message_id: 'm1' }))).toEqual([
      409,
      'message_id_reused',
    ]);
  });

  it('refuses a message id that was used with other words or another image', async () => {
    const { session, post } = await serve();
    const path = `/api/sessions/${session.sessionId}/prompts`;
    const text = { type: 'text', text: 'hello' };
    const image = (data: string) => ({ type: 'image', media_type: 'image/png', data });
    const send = (...content: object[]) => post(path, { content, message_id: 'm1' });

    expect((await send(text, image('AAAA'))).status).toBe(202);
    expect((await send(text, image('AAAA'))).status).toBe(202);
    expect(await refusal(await send(text, image('BBBB')))).toEqual([409, 'message_id_reused']);
    expect(await refusal(await send(text))).toEqual([409, 'message_id_reused']);
    expect(await refusal(await send({ type: 'text', text: 'bye' }))).toEqual([
      409,
      'message_id_reused',
    ]);
  });

  it('refuses a prompt with 409 when the queue is full, and accepts the same id later', async () => {
    const { session, post } = await serve({ queueDepth: 2 });
    const path = `/api/sessions/${session.sessionId}/prompts`;
    await post(path, { content: 'wait' });
    await place.provider.waiting();
    await post(path, { content: 'second' });
    await post(path, { content: 'third' });

    expect(await refusal(await post(path, { content: 'fourth', message_id: 'm4' }))).toEqual([
      409,
      'session_busy',
    ]);
    place.provider.release();
    await session.submit('drain').catch(() => undefined);
    expect((await post(path, { content: 'fourth', message_id: 'm4' })).status).toBe(202);
  });

  it('continues a turn when the client that started it disconnects', async () => {
    const { session, post, call } = await serve();
    const base = `/api/sessions/${session.sessionId}`;
    const controller = new AbortController();
    const response = await call(`${base}/prompts`, {
      method: 'POST',
      body: JSON.stringify({ content: 'wait', message_id: 'm1' }),
      headers: STREAM,
      signal: controller.signal,
    });
    expect(response.status).toBe(200);
    await place.provider.waiting();

    controller.abort();
    place.provider.release();

    const again = await post(`${base}/prompts`, { content: 'wait', message_id: 'm1' }, STREAM);
    const seen = await readUntil(readSse(again), (message) => message.type === 'result');
    expect(seen.at(-1)?.data).toMatchObject({ status: 'completed', result: 'You said wait' });
  });
});

describe('following over HTTP', () => {
  it('resumes after Last-Event-ID without gap or repeat', async () => {
    const { session, call } = await serve();
    const path = `/api/sessions/${session.sessionId}/events`;
    const first = readSse(await call(path));
    const opening = await readUntil(first, (message) => message.type === 'snapshot');
    expect(opening.map(({ event }) => event)).toEqual(['init', 'snapshot']);
    await session.submit('one');
    const seen = await readUntil(first, (message) => message.type === 'user_message');
    await first.return(undefined);
    await session.submit('two');

    const headers = { 'last-event-id': seen.at(-1)?.id ?? '' };
    const second = readSse(await call(path, { headers }));
    const rest = await readUntil(
      second,
      (message) => message.type === 'complete' && message.turn.response === 'You said two',
    );
    await second.return(undefined);

    const ids = [...seen, ...rest].flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(inOrder(ids));
    expect(gapsIn(ids)).toEqual([]);
    expect(rest.some(({ event }) => event === 'snapshot')).toBe(false);
  });

  it('reports a gap and sends a snapshot when the position is from another server run', async () => {
    const { session, call } = await serve();
    await session.submit('one');
    const path = `/api/sessions/${session.sessionId}/events`;

    const ahead = readSse(await call(`${path}?after=999`));
    const foreign = readSse(await call(`${path}?after=0&epoch=another`));

    for (const stream of [ahead, foreign]) {
      const seen = await readUntil(stream, (message) => message.type === 'snapshot');
      await stream.return(undefined);
      expect(seen.map(({ event }) => event)).toEqual(['init', 'gap', 'snapshot']);
    }
  });

  it('serves many followers without a warning of the platform', async () => {
    const { session, call } = await serve();
    const warnings: Error[] = [];
    const keep = (warning: Error) => warnings.push(warning);
    process.on('warning', keep);
    place.after(() => process.off('warning', keep));

    const streams = await Promise.all(
      Array.from({ length: 12 }, () => call(`/api/sessions/${session.sessionId}/events`)),
    );
    for (const { body } of streams) await body?.cancel();
    await new Promise((resolve) => setImmediate(resolve));

    expect(warnings).toEqual([]);
  });

  it('drops a follower that does not read, and reports where to resume', async () => {
    const { session, call } = await serve({ maxLagBytes: 2_000_000 });
    const response = await call(`/api/sessions/${session.sessionId}/events`);
    for (let turn = 0; turn < 60; turn++) await session.submit(`${turn} ${'x'.repeat(100_000)}`);

    const seen = [];
    for await (const { data } of readSse(response)) seen.push(data);

    expect(seen.at(-1)).toMatchObject({
      type: 'protocol_error',
      code: 'too_slow',
      message: expect.stringMatching(/Resume after \d+\./),
    });
  });

  it('asks every client for permission, and accepts one answer', async () => {
    const { session, call, post } = await serve();
    const base = `/api/sessions/${session.sessionId}`;
    const followers = [
      readSse(await call(`${base}/events`)),
      readSse(await call(`${base}/events`)),
    ];
    for (const follower of followers) {
      await readUntil(follower, (message) => message.type === 'snapshot');
    }
    const answers: unknown[] = [];
    session.on('permission_resolved', ({ answer }) => answers.push(answer));
    const asked = session.submit('touch');
    const [left, right] = await Promise.all(
      followers.map((follower) =>
        readUntil(follower, (message) => message.type === 'permission_request'),
      ),
    );
    const request = left?.at(-1)?.data as { request_id: string };
    expect(right?.at(-1)?.data).toMatchObject({
      request_id: request.request_id,
      tool_name: 'Bash',
    });

    const path = `${base}/permissions/${request.request_id}`;
    const body = { decision: 'deny', message: 'not today' };
    expect((await post(path, body)).status).toBe(200);
    expect(await refusal(await post(path, body))).toEqual([404, 'permission_not_pending']);

    expect(await asked).toMatchObject({ status: 'completed' });
    expect(answers).toEqual([{ deny: 'not today' }]);
    for (const follower of followers) await follower.return(undefined);
  });
});

describe('many sessions over HTTP', () => {
  it('creates, lists, shows, forks and deletes', async () => {
    const { call, post } = await serve({ host: place.host() });

    const created = await post('/api/sessions', { session_id: 'mine', name: 'My session' });
    expect([created.status, await created.json()]).toEqual([201, { session_id: 'mine' }]);
    expect(await refusal(await post('/api/sessions', { session_id: 'mine' }))).toEqual([
      409,
      'session_exists',
    ]);
    const stream = await post('/api/sessions/mine/prompts', { content: 'hello' }, STREAM);
    await readUntil(readSse(stream), (message) => message.type === 'result');
    const list = (await (await call('/api/sessions')).json()) as { sessions: { id: string }[] };
    expect(list.sessions).toMatchObject([{ id: 'mine', name: 'My session', is_live: true }]);
    const shown = (await (await call('/api/sessions/mine')).json()) as {
      state: { conversation: { blocks: unknown[] } };
    };
    expect(shown.state.conversation.blocks).toMatchObject([
      { type: 'user_message', content: 'hello' },
      { type: 'assistant_text', content: 'You said hello' },
    ]);
    const forked = (await (await post('/api/sessions/mine/fork', {})).json()) as {
      session_id: string;
    };
    expect(forked.session_id).not.toBe('mine');
    expect((await call('/api/sessions/mine', { method: 'DELETE' })).status).toBe(200);
    expect((await call(`/api/sessions/${forked.session_id}`)).status).toBe(200);
  });

  it('tells followers that their session has ended', async () => {
    const { call, post } = await serve({ host: place.host() });
    await post('/api/sessions', { session_id: 'mine' });
    const follower = readSse(await call('/api/sessions/mine/events'));
    await readUntil(follower, (message) => message.type === 'snapshot');

    await call('/api/sessions/mine', { method: 'DELETE' });

    const rest = [];
    for await (const { event } of follower) rest.push(event);
    expect(rest).toEqual(['session_closed']);
    expect(await refusal(await call('/api/sessions/mine'))).toEqual([404, 'session_not_found']);
  });
});

describe('bad input over HTTP', () => {
  it.each([
    ['malformed JSON', 'POST', '/prompts', '{"content":', 400, 'invalid_json'],
    ['a missing field', 'POST', '/prompts', '{}', 400, 'invalid_request'],
    ['an empty prompt', 'POST', '/prompts', '{"content":""}', 400, 'invalid_request'],
    [
      'a misspelt field',
      'POST',
      '/prompts',
      '{"content":"x","mesage_id":"m"}',
      400,
      'invalid_request',
    ],
    ['a field too many', 'POST', '/compact', '{"why":"x"}', 400, 'invalid_request'],
    [
      'a bad message id',
      'POST',
      '/prompts',
      '{"content":"x","message_id":"../x"}',
      400,
      'invalid_request',
    ],
    ['an unknown command', 'POST', '/commands/fly', '{}', 404, 'unknown_command'],
    [
      'an unknown question',
      'POST',
      '/permissions/none',
      '{"decision":"allow"}',
      404,
      'permission_not_pending',
    ],
    [
      'an unknown decision',
      'POST',
      '/permissions/none',
      '{"decision":"maybe"}',
      400,
      'invalid_request',
    ],
    ['an unknown route', 'POST', '/dance', '{}', 404, 'unknown_route'],
    ['a number that is none', 'GET', '/events?after=soon', undefined, 400, 'invalid_request'],
    ['deleting the only session', 'DELETE', '', undefined, 409, 'single_session'],
    ['forking the only session', 'POST', '/fork', '{}', 409, 'single_session'],
  ])('answers %s with its code', async (_what, method, path, body, status, code) => {
    const { session, call } = await serve();

    const response = await call(`/api/sessions/${session.sessionId}${path}`, {
      method,
      ...(body !== undefined && { body }),
    });

    expect(await refusal(response)).toEqual([status, code]);
  });

  it.each([
    [{}, 'The field "content" is missing; it takes the text of the prompt'],
    [{ prompt: 'hello' }, 'The field "content" is missing; it takes the text of the prompt'],
    [{ content: 7 }, 'content: the text of the prompt'],
    [{ content: [{ type: 'text' }] }, 'content'],
    [{ content: 'hi', message_id: '/' }, 'message_id: use letters'],
  ])('explains what a prompt needs instead of %j', async (body, expected) => {
    const { session, post } = await serve();

    const response = await post(`/api/sessions/${session.sessionId}/prompts`, body);

    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toContain(expected);
    expect(error.message).not.toContain('Invalid input');
  });

  it('names unknown fields', async () => {
    const { session, post } = await serve();

    const response = await post(`/api/sessions/${session.sessionId}/prompts`, {
      content: 'hello',
      mesage_id: 'm1',
      when: 'now',
    });

    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe('Unknown fields "mesage_id", "when".');
    expect(session.getFullHistory()).toEqual([]);
  });

  it('refuses invalid UTF-8 without running a prompt', async () => {
    const { session, call } = await serve();

    const body = Buffer.from([...Buffer.from('{"content":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
    const path = `/api/sessions/${session.sessionId}/prompts`;

    expect(await refusal(await call(path, { method: 'POST', body }))).toEqual([
      400,
      'invalid_json',
    ]);
    expect(session.getFullHistory()).toEqual([]);
  });

  it('answers unknown, invalid and ended sessions with distinct codes', async () => {
    const { session, call, post } = await serve();

    expect(await refusal(await call('/api/sessions/unknown'))).toEqual([404, 'session_not_found']);
    expect(await refusal(await call('/api/sessions/..%2Fetc'))).toEqual([
      400,
      'invalid_session_id',
    ]);
    await session.shutdown();
    const path = `/api/sessions/${session.sessionId}/prompts`;
    expect(await refusal(await post(path, { content: 'hello' }))).toEqual([409, 'session_closed']);
  });

  it('refuses a body that is too large with 413, with or without a declared length', async () => {
    const { session, post, call } = await serve({ maxBodyBytes: 1000 });
    const path = `/api/sessions/${session.sessionId}/prompts`;
    const body = JSON.stringify({ content: 'x'.repeat(2000) });

    expect(await refusal(await post(path, body))).toEqual([413, 'too_large']);
    const stream = new Blob([body]).stream();
    const streamed = await call(path, { method: 'POST', body: stream, duplex: 'half' } as never);
    expect(await refusal(streamed)).toEqual([413, 'too_large']);
  });
});

describe('admission over HTTP', () => {
  it('requires the token, and blocks guessing', async () => {
    const { call } = await serve();
    const guess = (authorization: string) => call('/api/sessions', { headers: { authorization } });

    expect(await refusal(await guess(''))).toEqual([401, 'unauthorized']);
    expect(await refusal(await guess(`Bearer ${TOKEN}x`))).toEqual([401, 'unauthorized']);
    const statuses = [];
    for (let attempt = 0; attempt < 10; attempt++) statuses.push((await guess('Bearer no')).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await guess(`Bearer ${TOKEN}`)).status).toBe(200);
  });

  it('refuses foreign origins and rebound host names, without CORS headers', async () => {
    const { call, transport } = await serve();
    const origin = 'https://evil.example';

    const response = await call('/api/sessions', { headers: { origin } });

    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(await refusal(response)).toEqual([403, 'origin_not_allowed']);
    expect((await call('/api/sessions', { headers: { origin: transport.getUrl() } })).status).toBe(
      200,
    );
    expect(await statusWithHost(transport.getUrl(), 'evil.example')).toBe(403);
    expect(await statusWithHost(transport.getUrl(), 'localhost')).toBe(200);
  });

  it('sends CORS headers only to allowed origins', async () => {
    const { call } = await serve({ allowedOrigins: ['https://app.example'] });
    const preflight = {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', authorization: '' },
    };

    const allowed = await call('/api/sessions', preflight);

    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    const other = {
      method: 'OPTIONS',
      headers: { origin: 'https://b.example', authorization: '' },
    };
    expect((await call('/api/sessions', other)).status).toBe(403);
  });

  it('creates a token on first start that only its owner can read, and reuses it', async () => {
    const session = place.session();
    const first = createHttpTransport({ port: 0 });
    session.attachTransport(first);
    await first.start();
    place.after(() => first.stop());
    const made = first.getToken();
    expect(made).toMatchObject({ isNew: true, path: join(place.home, '.robota/server-token') });
    expect(made?.token).toMatch(/^[\w-]{43}$/);
    expect(statSync(made?.path ?? '').mode & 0o777).toBe(0o600);
    const second = createHttpTransport({ port: 0 });
    session.attachTransport(second);
    await second.start();
    place.after(() => second.stop());
    expect(second.getToken()).toEqual({ ...made, isNew: false });
  });

  it('explains what to do when the token cannot be written, and leaves no partial file', async () => {
    writeFileSync(join(place.home, '.robota'), 'in the way');
    const transport = createHttpTransport({ port: 0 });
    place.session().attachTransport(transport);

    await expect(transport.start()).rejects.toThrow(
      /Cannot write the server token .* a file stands where a directory is needed; move it away/,
    );
  });

  it('listens on loopback only', async () => {
    const { transport } = await serve();

    expect(transport.getServer().address()).toMatchObject({ address: '127.0.0.1' });
  });
});

it('describes every route in an OpenAPI document', async () => {
  const { call } = await serve();

  const document = (await (await call('/api/openapi.json')).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { requestBody?: unknown }>>;
  };

  expect(document.openapi).toBe('3.1.0');
  expect(
    Object.entries(document.paths).map(([path, methods]) => [path, Object.keys(methods)]),
  ).toEqual([
    ['/api/me', ['get']],
    ['/api/sessions', ['get', 'post']],
    ['/api/sessions/events', ['get']],
    ['/api/search', ['get']],
    ['/api/usage', ['get']],
    ['/api/sessions/{id}', ['delete', 'patch', 'get']],
    ['/api/sessions/{id}/prompts', ['post']],
    ['/api/sessions/{id}/abort', ['post']],
    ['/api/sessions/{id}/compact', ['post']],
    ['/api/sessions/{id}/rewind/preview', ['post']],
    ['/api/sessions/{id}/rewind', ['post']],
    ['/api/sessions/{id}/rewind/undo', ['post']],
    ['/api/sessions/{id}/fork', ['post']],
    ['/api/sessions/{id}/commands/{name}', ['post']],
    ['/api/sessions/{id}/permissions/{requestId}', ['post']],
    ['/api/sessions/{id}/questions/{questionId}', ['post']],
    ['/api/sessions/{id}/questions', ['get']],
    ['/api/messages', ['post']],
    ['/api/sessions/{id}/events', ['get']],
    ['/api/sessions/{id}/blocks', ['get']],
    ['/api/sessions/{id}/blocks/{blockId}', ['get']],
    ['/api/sessions/{id}/export', ['get']],
    ['/api/sessions/{id}/files', ['get']],
    ['/api/sessions/{id}/hand-over', ['post']],
    ['/api/hand-overs', ['get']],
    ['/api/hand-overs/{id}', ['delete']],
    ['/api/links', ['post']],
    ['/api/links/{code}', ['post']],
    ['/api/tokens', ['get', 'post']],
    ['/api/tokens/{tokenId}', ['delete']],
    ['/api/trust', ['get', 'post', 'delete']],
    ['/api/openapi.json', ['get']],
  ]);
  expect(document.paths['/api/sessions/{id}/prompts']?.post?.requestBody).toMatchObject({
    content: { 'application/json': { schema: { required: ['content'] } } },
  });
});

function statusWithHost(url: string, host: string): Promise<number> {
  const headers = { host, authorization: `Bearer ${TOKEN}` };
  return new Promise((resolve, reject) => {
    request(`${url}/api/sessions`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

it('refuses a permission mode that settings forbid', async () => {
  const config = { permissions: { bypassForbiddenBy: '/home/ada/.claude/settings.json' } };
  const session = place.session({ config });
  const transport = createHttpTransport({ port: 0, token: TOKEN });
  session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  const change = (mode: string) =>
    fetch(`${transport.getUrl()}/api/sessions/${session.sessionId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ permission_mode: mode }),
    });

  expect(await refusal(await change('bypassPermissions'))).toEqual([403, 'mode_forbidden']);
  expect((await change('acceptEdits')).status).toBe(200);
  expect(session.getPermissionMode()).toBe('acceptEdits');
});
