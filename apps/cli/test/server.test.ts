import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { RemoteSession } from '@robota-sdk/agent-transport/client';
import type {
  SearchAnswer,
  SessionListPage,
  UsageAnswer,
} from '@robota-sdk/agent-transport/protocol';
import { openSessionSocket } from '@robota-sdk/agent-transport/run';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ClaudeTranscript } from './support/claude-transcript.ts';
import { createPlace, runRobota } from './support/run-robota.ts';
import { eventually, installFakePrograms, serve } from './support/served.ts';

const FOREIGN = '11111111-2222-4333-8444-555555555555';

it('lists, searches and counts sessions of every agent, also what is written while it runs', async () => {
  using place = createPlace();
  const transcript = new ClaudeTranscript(place.home, FOREIGN);
  transcript.prompt('Why is the relay slow?').answer('The lease is renewed too often.');
  const served = await serve(place);
  const list = () => served.json<SessionListPage>('GET', '/api/sessions?agent=claude');
  const search = (q: string) => served.json<SearchAnswer>('GET', `/api/search?q=${q}`);

  const { sessions } = await eventually(list, (page) => page.sessions.length === 1);
  expect(sessions[0]).toMatchObject({
    id: FOREIGN,
    agent: 'claude',
    title: 'Why is the relay slow?',
    access: 'follow',
    message_count: 2,
  });
  transcript.prompt('And the ledger?').answer('The quokka keeps it.');
  const found = await eventually(
    () => search('quokka'),
    ({ hits }) => hits.length > 0,
  );

  const [hit] = found.hits;
  expect(hit).toMatchObject({ agent: 'claude', session_id: FOREIGN, thread: 'main' });
  expect(hit?.snippet.filter((piece) => piece.hit)).toEqual([{ text: 'quokka', hit: true }]);
  const place4 = await served.json(
    'GET',
    `/api/sessions/${FOREIGN}/blocks/${encodeURIComponent(hit?.block_id ?? '')}`,
  );
  expect(place4).toEqual({ thread: 'main', ordinal: 3, total: 4 });
  const blocks = await served.json<{ total: number; blocks: unknown[] }>(
    'GET',
    `/api/sessions/${FOREIGN}/blocks?agent=claude&from=3&limit=1`,
  );
  expect(blocks).toMatchObject({ total: 4, blocks: [{ content: 'The quokka keeps it.' }] });
  const usage = await served.json('GET', '/api/usage?group=agent');
  expect(usage).toMatchObject({ rows: [{ key: 'claude', requests: 2, input_tokens: 200 }] });
  expect((await served.call('GET', '/api/sessions?state=asleep')).status).toBe(400);
  await served.stop();
});

it('answers over HTTP what the catalogue answers', async () => {
  using place = createPlace();
  for (const n of [1, 2, 3]) {
    const id = `${n}${FOREIGN.slice(1)}`;
    new ClaudeTranscript(place.home, id).prompt(`Ledger ${n}?`).answer(`The quokka has it: ${n}.`);
  }
  const served = await serve(place);
  const listed = await eventually(
    () => served.json<SessionListPage>('GET', '/api/sessions?agent=claude&limit=2'),
    ({ totals }) => totals.all === 3,
  );
  const found = await served.json<SearchAnswer>('GET', '/api/search?q=quokka');
  const counted = await served.json<UsageAnswer>('GET', '/api/usage?group=session');
  await served.stop();
  const catalogue = new SqliteCatalogue({
    home: place.home,
    robotaHome: join(place.home, '.robota'),
    environment: {},
  });
  onTestFinished(() => catalogue.close());

  const own = await catalogue.list({ agent: 'claude', limit: 2 });
  const hits = await catalogue.search({ text: 'quokka' });
  const usage = await catalogue.usage({ by: 'session' });
  expect(listed.sessions.map(({ id }) => id)).toEqual(own.sessions.map(({ id }) => id));
  expect(listed.next_cursor).toBe(own.next);
  expect(found.hits.map(({ session_id: id, block_id: block }) => [id, block])).toEqual(
    hits.sessions.flatMap((one) => one.hits.map(({ blockId }) => [one.session.id, blockId])),
  );
  expect(counted.rows.map(({ key, requests }) => [key, requests])).toEqual(
    usage.rows.map(({ key, requests }) => [key, requests]),
  );
});

it('finds a session of another program that no index has seen yet', async () => {
  using place = createPlace();
  const id = (index: number) => `7d1e0a52-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const transcript = (index: number) =>
    new ClaudeTranscript(place.home, id(index)).prompt(`Question ${index}`).answer('Yes.');
  for (let index = 0; index < 40; index++) transcript(index);
  const served = await serve(place);

  const statuses = [(await served.call('GET', `/api/sessions/${id(39)}`)).status];
  for (const index of [40, 41, 42]) {
    transcript(index);
    statuses.push((await served.call('GET', `/api/sessions/${id(index)}`)).status);
  }
  statuses.push((await served.call('GET', `/api/sessions/${id(99)}`)).status);

  expect(statuses).toEqual([200, 200, 200, 200, 404]);
  await served.stop();
});

it('follows the session of another program live, to look at only', async () => {
  using place = createPlace();
  const transcript = new ClaudeTranscript(place.home, FOREIGN).prompt('Begin');
  const served = await serve(place);
  const { url, token } = served;
  const session = new RemoteSession({
    url,
    token,
    sessionId: FOREIGN,
    agent: 'claude',
    tail: 1,
    WebSocket,
  });
  await session.whenReady();
  expect(session.getBlocksBefore()).toBe(0);

  transcript.answer('Begun.');
  await eventually(
    () => session.getBlocks(),
    (blocks) => blocks.length === 2,
  );

  expect(session.getBlocks().at(-1)).toMatchObject({ content: 'Begun.' });
  expect(session.access).toBe('lost');
  const refused = await served.call('DELETE', `/api/sessions/${FOREIGN}`);
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { error: { code: 'view_only' } },
  ]);
  session.close();
  await served.stop();
});

it('hands a session over: says what is lost, writes it, takes it back, and goes on in our own engine', async () => {
  using place = createPlace();
  const transcript = new ClaudeTranscript(place.home, FOREIGN, place.project);
  transcript.prompt('Why is the relay slow?').answer('The lease is renewed too often.');
  const before = readFileSync(transcript.path, 'utf8');
  const served = await serve(place);
  const path = `/api/sessions/${FOREIGN}/hand-over?agent=claude`;
  await eventually(
    () => served.call('GET', `/api/sessions/${FOREIGN}`),
    ({ status }) => status === 200,
  );

  const planned = await served.call('POST', path, { to: 'codex', dry_run: true });
  expect([planned.status, await planned.json()]).toMatchObject([
    200,
    {
      status: 'planned',
      lines: ['prompts: 1 of 1 kept', 'answers: 1 of 1 kept', expect.any(String)],
    },
  ]);
  const refused = await served.call('POST', path, { to: 'pi' });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { code: 'unknown_target' } },
  ]);
  const written = await served.call('POST', path, { to: 'codex' });
  const {
    file,
    session_id: id,
    resume,
  } = (await written.json()) as {
    file: string;
    session_id: string;
    resume: string[];
  };
  expect([written.status, existsSync(file), resume]).toEqual([201, true, ['codex', 'resume', id]]);
  expect(await served.json('GET', '/api/hand-overs')).toMatchObject({ hand_overs: [{ id }] });
  expect(await served.json('DELETE', `/api/hand-overs/${id}`)).toEqual({ status: 'removed' });
  expect(existsSync(file)).toBe(false);

  const ours = await served.json<{ status: string; session_id: string }>('POST', path, {
    to: 'robota',
  });
  const shown = await served.json<{ state: { conversation: { blocks: { content: string }[] } } }>(
    'GET',
    `/api/sessions/${ours.session_id}`,
  );
  expect(ours.status).toBe('ready');
  expect(shown.state.conversation.blocks.map(({ content }) => content)).toEqual([
    'Why is the relay slow?',
    'The lease is renewed too often.',
  ]);
  expect(readFileSync(transcript.path, 'utf8')).toBe(before);
  await served.stop();
});

it.each(['claude', 'codex', 'gemini'])('drives %s, which it finds by its name', async (agent) => {
  using place = createPlace();
  const served = await serve(place, ['--agent', agent], installFakePrograms(place));
  const { session_id: id } = await served.json<{ session_id: string }>('POST', '/api/sessions', {});
  const { url, token } = served;
  const session = new RemoteSession({ url, token, sessionId: id, agent, WebSocket });
  await session.whenReady();

  const asked = session.submit('ask');
  const [question] = await eventually(
    () => session.getQuestions(),
    (questions) => questions.length === 1,
  );
  expect(await served.json('GET', '/api/sessions?state=waiting')).toMatchObject({
    sessions: [{ id, agent, state: 'waiting', access: 'drive', surfaces: [expect.any(String)] }],
    totals: { waiting: 1 },
  });
  await served.json('POST', `/api/sessions/${id}/questions/${question?.id}`, { answer: 'deny' });

  expect(await asked).toMatchObject({ status: 'completed' });
  expect(session.agent).toBe(agent);
  session.close();
  const { code } = await served.stop();
  expect(code).toBe(0);
});

it('joins a session that a terminal holds, and answers what it asks', async () => {
  using place = createPlace();
  const served = await serve(place);
  const provider = scriptedProvider(
    calls({ id: 'c1', name: 'Bash', args: { command: 'touch made.txt' } }),
    says('Made.'),
  );
  const terminal = new InteractiveSession({
    cwd: place.project,
    provider,
    persistence: false,
    bare: true,
  });
  terminal.on('permission_request', () => undefined);
  const socket = await openSessionSocket(terminal, join(place.home, '.robota/run'));
  const id = terminal.sessionId;

  const asked = terminal.submit('make it');
  const { sessions } = await eventually(
    () => served.json<SessionListPage>('GET', '/api/sessions?state=waiting'),
    (page) => page.sessions.length === 1,
  );
  expect(sessions).toMatchObject([{ id, agent: 'robota', title: 'make it' }]);
  const { questions } = await served.json<{ questions: { id: string }[] }>(
    'GET',
    `/api/sessions/${id}/questions`,
  );
  await served.json('POST', `/api/sessions/${id}/questions/${questions[0]?.id}`, {
    answer: 'allow',
  });

  expect(await asked).toMatchObject({ status: 'completed', result: { response: 'Made.' } });
  expect(existsSync(join(place.project, 'made.txt'))).toBe(true);
  await socket.close();
  await terminal.shutdown();
  await eventually(
    () => served.json<SessionListPage>('GET', '/api/sessions?state=live'),
    (page) => page.sessions.length === 0,
  );
  await served.stop();
});

it('makes, lists and revokes tokens, and shows readers no secrets', async () => {
  using place = createPlace();
  const made = await runRobota(place, ['token', 'new', 'ada', '--role', 'read']);
  const reader = made.stdout.trim();
  const served = await serve(place);
  const { session_id: id } = await served.json<{ session_id: string }>('POST', '/api/sessions', {});
  const secret = `sk-ant-api03-${'a1B2c3D4'.repeat(11)}`;
  const { url } = served;
  const watching = new RemoteSession({ url, token: reader, sessionId: id, WebSocket });
  await watching.whenReady();
  const owner = new RemoteSession({ url, token: served.token, sessionId: id, WebSocket });
  await owner.whenReady();

  await owner.submit(`Remember ${secret}`);
  const whole = JSON.stringify(owner.getConversation());
  await eventually(
    () => watching.getBlocks(),
    (blocks) => blocks.length === owner.getBlocks().length && !watching.isExecuting(),
  );
  const shown = JSON.stringify(watching.getConversation());
  const over = async (path: string) =>
    (await served.call('GET', `/api/sessions/${id}${path}`, undefined, reader)).text();
  const late = new RemoteSession({ url, token: reader, sessionId: id, WebSocket });
  await late.whenReady();

  expect(whole).toContain(secret);
  expect(shown).not.toContain(secret);
  expect(JSON.stringify(late.getConversation())).toBe(shown);
  for (const path of ['', '/blocks', '/export?format=json']) {
    expect(await over(path), path).not.toContain(secret);
    expect(await over(path), path).toContain('Remember');
  }
  expect((await served.call('POST', `/api/sessions/${id}/abort`, {}, reader)).status).toBe(403);
  const listed = await runRobota(place, ['token', 'list', '--json']);
  const [token] = JSON.parse(listed.stdout) as { id: string; user: string; roles: string[] }[];
  expect(token).toMatchObject({ user: 'ada', roles: ['read'] });
  expect(listed.stdout).not.toContain(reader);
  const revoked = await runRobota(place, ['token', 'revoke', token?.id ?? '']);
  expect(revoked.code).toBe(0);
  expect((await served.call('GET', '/api/sessions', undefined, reader)).status).toBe(401);
  const wrong = await runRobota(place, ['token', 'new', 'ada', '--role', 'king']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Invalid --role "king"')]);
  for (const session of [watching, owner, late]) session.close();
  await served.stop();
});

it('opens the page of the running server by a link that works once', async () => {
  using place = createPlace();
  const served = await serve(place);

  const { stdout, code } = await runRobota(place, ['web', '--no-open']);
  const link = new URL(stdout.trim());
  const redeem = () =>
    fetch(`${served.url}/api/links/${link.hash.slice('#code='.length)}`, { method: 'POST' });
  const first = await redeem();
  const { token } = (await first.json()) as { token: string };
  const statuses = [first.status, (await redeem()).status];

  expect(code).toBe(0);
  expect(link.origin).toBe(served.url);
  expect(statuses).toEqual([200, 404]);
  expect((await served.call('GET', '/api/me', undefined, token)).status).toBe(200);
  const page = await fetch(`${served.url}/s/robota/x`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('<div id="root">');
  const evil = await fetch(`${served.url}/api/links/x`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  });
  expect(evil.status).toBe(403);
  await served.stop();
  expect(existsSync(join(place.home, '.robota/run/server.json'))).toBe(false);
});

it('answers MCP clients on the same port', async () => {
  using place = createPlace();
  const served = await serve(place);
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${served.token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit: { headers } }),
  );

  const answer = await client.callTool({ name: 'submit', arguments: { prompt: 'Hello' } });
  const list = await served.json<SessionListPage>('GET', '/api/sessions?state=live');

  expect(JSON.stringify(answer.content)).toContain('text');
  expect(list.sessions).toMatchObject([{ name: 'MCP', message_count: 1 }]);
  expect((await fetch(`${served.url}/mcp`, { method: 'POST' })).status).toBe(401);
  await client.close();
  await served.stop();
});

it('comes back after it was killed in the middle of a turn, with every block it had shown', async () => {
  using place = createPlace();
  const first = await serve(place);
  const { session_id: id } = await first.json<{ session_id: string }>('POST', '/api/sessions', {
    name: 'Survivor',
  });
  const session = new RemoteSession({
    url: first.url,
    token: first.token,
    sessionId: id,
    WebSocket,
  });
  await session.whenReady();
  await session.submit('Hello there');
  void session.submit('run `touch made-by-robota.txt`').catch(() => undefined);
  await eventually(
    () => session.getQuestions(),
    (questions) => questions.length === 1,
  );
  const shown = session.getBlocks().map((block) => [block.id, block.type]);
  first.child.kill('SIGKILL');
  await first.ended;
  session.close();

  const second = await serve(place);
  const found = await runRobota(place, ['web', '--no-open']);
  const back = new RemoteSession({
    url: second.url,
    token: second.token,
    sessionId: id,
    WebSocket,
  });
  await back.whenReady();

  expect(found.stdout).toContain(second.url);
  expect(back.getName()).toBe('Survivor');
  const blocks = back.getBlocks().map((block) => [block.id, block.type]);
  expect(blocks.slice(0, shown.length)).toEqual(shown);
  expect(back.getQuestions()).toEqual([]);
  expect(await back.submit('Still there?')).toMatchObject({ status: 'completed' });
  expect(existsSync(join(place.project, 'made-by-robota.txt'))).toBe(false);
  back.close();
  await second.stop();
});
