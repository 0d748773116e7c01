import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  FollowedSession,
  openAgentPlace,
  type SessionHostOptions,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { openSessionStore } from '@robota-sdk/agent-store/open';
import { createHeadlessTransport } from '@robota-sdk/agent-transport/headless';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { createMcpTransport } from '@robota-sdk/agent-transport/mcp';
import { TokenBook } from '@robota-sdk/agent-transport/run';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { describe, expect, it } from 'vitest';
import { FAKE_PROGRAMS, fakeProgram } from '../../sdk/test/live/fake-programs.ts';
import { TOKEN, usePlace } from './support/place.ts';
import { readSse, readUntil } from './support/sse-client.ts';
import { gapsIn, inOrder, numbersOf, WsClient } from './support/ws-client.ts';

const place = usePlace();
const AGENTS = [{ name: 'robota', type: 'robota', hanging: 'wait' }, ...FAKE_PROGRAMS];
const LETTERS = 'application/json';

/** A server with all agents, its tokens, and a client for it. */
async function serve() {
  const store = await openSessionStore(`sqlite:${join(place.home, 'sessions.db')}`);
  place.after(() => store.close());
  const tokenFolder = join(place.home, 'tokens');
  const start = async (options: Partial<SessionHostOptions> = {}) => {
    const host = place.host({
      ...options,
      store,
      node: 'n1',
      detachAfterMs: 0,
      openPlace: ({ agent, cwd }) =>
        openAgentPlace({
          cwd,
          homeDirectory: join(place.home, agent),
          directory: join(place.home, 'agents'),
          program: fakeProgram(agent),
        }),
    });
    const shared = { host, token: TOKEN, tokenFolder };
    const http = createHttpTransport({ ...shared, port: 0 });
    const ws = createWsTransport({ ...shared, server: () => http.getServer() });
    await http.start();
    await ws.start();
    const stop = async () => {
      await ws.stop();
      await http.stop();
      await host.closeAll('other');
    };
    place.after(stop);
    return { host, http, stop };
  };
  return { store, start, book: new TokenBook(tokenFolder) };
}

function caller(url: string) {
  return (token: string, method: string, path: string, body?: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': LETTERS },
      body: body === undefined ? null : JSON.stringify(body),
    });
}

describe.each(AGENTS)('a session of $name', ({ name, type, hanging }) => {
  const asking = name === 'robota' ? 'touch' : 'ask';

  it('can be created, prompted, followed, answered by another user, aborted, forked, closed and resumed', async () => {
    const { start, book, store } = await serve();
    const { http, stop } = await start();
    const call = caller(http.getUrl());
    const ada = book.create('ada', ['read', 'prompt', 'admin']).token;
    const grace = book.create('grace', ['read', 'approve']).token;

    // Create: unknown fields are refused.
    const bad = await call(ada, 'POST', '/api/sessions', { agent: name, modle: 'x' });
    expect(bad.status).toBe(400);
    const created = await call(ada, 'POST', '/api/sessions', {
      agent: name,
      cwd: place.project,
      name: 'Both',
    });
    const { session_id: id } = (await created.json()) as { session_id: string };
    const at = (path: string) => `/api/sessions/${id}${path}`;
    const socket = `${http.getUrl().replace('http', 'ws')}${at('/ws')}`;

    // Two users, one on WebSocket, one on SSE: both see everything, and the second one answers.
    const first = new WsClient(`${socket}?surface=page:ada`, ada);
    await first.until((message) => message.type === 'snapshot');
    const stream = readSse(await call(grace, 'GET', at('/events')));
    const asked = first.ask(asking, 'm1');
    const seen = await readUntil(stream, (message) => message.type === 'question');
    const question = seen.at(-1)?.data;
    if (question?.type !== 'question') throw new Error('No question came.');
    const listed = (await (await call(grace, 'GET', at('/questions'))).json()) as {
      questions: { id: string }[];
    };
    const answer = () =>
      call(grace, 'POST', at(`/questions/${question.question.id}`), { answer: 'deny' });
    const statuses = [(await answer()).status, (await answer()).status];
    await asked;
    const rest = await readUntil(stream, (message) => message.type === 'result');
    expect(listed.questions.map((one) => one.id)).toEqual([question.question.id]);
    expect(statuses).toEqual([200, 404]);
    const received = first.heard.filter((message) => numbersOf([message]).length > 0);
    const both = [...seen, ...rest].filter(({ id: number }) => number !== undefined);
    expect(both.slice(-received.length).map(({ data }) => data)).toEqual(received);
    expect(received).toContainEqual(
      expect.objectContaining({ type: 'question_resolved', how: 'answered', by: 'grace' }),
    );
    expect(received).toContainEqual(expect.objectContaining({ type: 'turn_start', user: 'ada' }));
    expect(journalOf(name, id)).toMatch(/"permission_resolved".*"by":"grace"/);
    await stream.return(undefined);

    // Abort from elsewhere while one client is disconnected.
    const from = first.heard.length;
    first.send({ type: 'user', message: { content: hanging }, message_id: 'm2' });
    await first.until((message) => message.type === 'stream_event', from);
    await first.close();
    const position = numbersOf(first.heard).at(-1);
    const back = new WsClient(`${socket}?surface=page:ada&after=${position}`, ada);
    expect((await call(ada, 'POST', at('/abort'))).status).toBe(200);
    const ended = await back.until(
      (message) => message.type === 'result' && message.message_id === 'm2',
    );
    expect(ended).toMatchObject({ status: 'interrupted' });
    const numbers = [...numbersOf(first.heard), ...numbersOf(back.heard)];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toEqual(inOrder(numbers));
    expect(gapsIn(numbers)).toEqual([]);

    // Fork and list, with connected surfaces.
    const forked = await call(ada, 'POST', at('/fork'));
    expect(forked.status).toBe(201);
    const { sessions } = (await (await call(grace, 'GET', '/api/sessions')).json()) as {
      sessions: {
        id: string;
        agent: string;
        name?: string;
        surfaces?: string[];
        lifecycle?: string;
      }[];
    };
    expect(sessions.filter(({ agent }) => agent === name)).toHaveLength(2);
    expect(sessions.find((one) => one.id === id)).toMatchObject({
      name: 'Both',
      lifecycle: 'active',
      surfaces: ['page:ada'],
    });
    const shown = blocksIn(await (await call(ada, 'GET', at(''))).json());
    await back.close();

    // Restart the server: the next prompt resumes the session.
    await stop();
    expect((await store.get(id))?.attachedSurfaces).toEqual([]);
    const next = await start();
    const again = caller(next.http.getUrl());
    const reply = await again(ada, 'POST', at('/prompts'), { content: 'still there?' });
    expect(reply.status).toBe(202);
    await next.host.get(id)?.abort();
    const now = blocksIn(await (await again(ada, 'GET', at(''))).json());
    expect(now.slice(0, shown.length)).toEqual(shown);
    expect((await again(ada, 'DELETE', at(''))).status).toBe(200);
    expect((await again(ada, 'GET', at(''))).status).toBe(404);
  });

  it('answers an MCP tool call and a script', async () => {
    const { start } = await serve();
    const { host } = await start();
    const { sessionId } = await host.create({ agent: name, sessionId: 'mine' });
    const mcp = createMcpTransport({ host, http: { port: 0, token: TOKEN } });
    await mcp.start();
    place.after(() => mcp.stop());
    const client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${TOKEN}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(mcp.getUrl()), { requestInit: { headers } }),
    );
    place.after(() => client.close());

    const answered = await client.callTool({
      name: 'submit',
      arguments: { prompt: 'hello', session_id: sessionId },
    });
    const lines: string[] = [];
    const script = createHeadlessTransport({
      prompt: 'hello again',
      outputFormat: 'stream-json',
      output: { write: (line: string) => lines.push(line) },
    });
    script.attach(toLiveSession(await host.open(sessionId)));
    await script.start();

    expect(JSON.stringify(answered.content)).toContain('hello');
    const last = JSON.parse(lines.at(-1) ?? '{}');
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ type: 'init', agent: name });
    expect(last).toMatchObject({ type: 'result', subtype: 'success' });
    expect(script.getExitCode()).toBe(0);
  });

  it('accepts an image from a bot', async () => {
    const { start } = await serve();
    const { host, http } = await start({ agent: name });
    const call = caller(http.getUrl());

    const response = await call(TOKEN, 'POST', '/api/messages', {
      user_id: 'ada',
      surface_id: 'chat:1',
      text: 'look',
      attachments: [{ type: 'image', media_type: 'image/png', data: 'iVBORw0KGgo=' }],
      message_id: 'm1',
    });
    const { session_id: id } = (await response.json()) as { session_id: string };

    const session = host.get(id);
    await expect.poll(() => session?.isExecuting(), { timeout: 20_000 }).toBe(false);
    const asked = session?.getConversation().blocks.find((block) => block.type === 'user_message');
    const image = expect.objectContaining({ type: 'image' });
    expect([session?.agent, asked?.content]).toEqual([name, expect.arrayContaining([image])]);
  });

  it('can be followed by a client that did not start it', async () => {
    const { start } = await serve();
    const { host } = await start();
    const session = await host.create({ agent: name });
    await (await host.submit(session.sessionId, 'before')).outcome;
    const path = name === 'robota' ? logOf(session.sessionId) : undefined;
    const view = new FollowedSession({
      type,
      path,
      sessionId: session.nativeId ?? session.sessionId,
      home: join(place.home, name),
      environment: {},
    });
    place.after(() => view.shutdown());
    await view.whenReady();

    await (await host.submit(session.sessionId, 'after')).outcome;
    await view.refresh();

    const prompts = view.getConversation().blocks.filter((block) => block.type === 'user_message');
    expect(prompts.map(({ content }) => content)).toEqual(['before', 'after']);
    expect(view.agent).toBe(name);
    expect(view.getCapabilities().prompt).toBe(false);
  });
});

function logOf(id: string): string {
  return join(place.home, '.robota', 'logs', `${id}.jsonl`);
}

function journalOf(name: string, id: string): string {
  const file = name === 'robota' ? logOf(id) : join(place.home, 'agents', `${id}.events.jsonl`);
  return readFileSync(file, 'utf8');
}

/** Block types and texts; block ids, and calls that a fake program does not record, differ between agents. */
function blocksIn(body: unknown): string[] {
  const { state } = body as {
    state?: { conversation: { blocks: { type: string; content?: unknown }[] } };
  };
  const blocks = state?.conversation.blocks ?? [];
  return blocks
    .filter(({ type }) => type === 'user_message' || type === 'assistant_text')
    .map(({ type, content }) => `${type} ${String(content)}`);
}
