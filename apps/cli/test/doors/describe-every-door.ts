import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSse, readUntil } from '../../../../packages/transport/test/support/sse-client.ts';
import {
  gapsIn,
  inOrder,
  numbersOf,
  WsClient,
} from '../../../../packages/transport/test/support/ws-client.ts';
import { createPlace, type Place, runRobota, startRobota } from '../support/run-robota.ts';
import { eventually, type Served, serve } from '../support/served.ts';
import { KEYS, TerminalScreen } from '../support/terminal-screen.ts';

/** An agent, and what makes it do things. */
export interface DoorAgent {
  /** What the report calls it. */
  readonly title: string;
  /** What people call it. */
  readonly agent: string;
  readonly prompts: { readonly hello: string; readonly ask: string; readonly hold: string };
  /** What it says when it was said hello to, and when it was allowed what it asked for. */
  readonly says: { readonly hello: string; readonly allowed: RegExp };
  /** What was seen not to work with this agent. */
  readonly without?: readonly ('asking' | 'forking' | 'loading')[];
  /** Makes it ready in this place: settings, programs, a service. Returns the environment and further arguments. */
  prepare(place: Place): Promise<DoorSetting>;
}

export interface DoorSetting {
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** One scenario through every door: what one surface begins, another answers, stops, copies and comes back to. */
export function describeEveryDoor(door: DoorAgent, timeout: number): void {
  const { agent, prompts, says } = door;
  const can = (ability: 'asking' | 'forking' | 'loading') => !door.without?.includes(ability);

  describe(door.title, { timeout }, () => {
    it('over HTTP, SSE and WebSocket: asked, answered by another person, cut off, stopped, copied, listed', async () => {
      const { server, place } = await start(door);
      const grace = await server.json<{ token: string }>('POST', '/api/tokens', {
        user: 'grace',
        roles: ['read', 'approve'],
      });
      const id = await create(server, { agent, name: 'Every door', cwd: place.project });
      const at = (path: string) => `/api/sessions/${id}${path}`;
      const address = `${server.url.replace('http', 'ws')}${at('/ws')}`;
      const first = new WsClient(`${address}?surface=page:1`, server.token);
      await first.until(({ type }) => type === 'snapshot');
      const stream = readSse(await server.call('GET', at('/events'), undefined, grace.token));

      expect(await first.ask(prompts.hello, 'm1')).toContain(says.hello);
      if (can('asking')) {
        const asked = first.ask(prompts.ask, 'm2');
        const heard = await readUntil(stream, ({ type }) => type === 'question');
        const question = heard.at(-1)?.data;
        if (question?.type !== 'question') throw new Error('No question came.');
        const answer = () =>
          server.call(
            'POST',
            at(`/questions/${encodeURIComponent(question.question.id)}`),
            { answer: 'allow' },
            grace.token,
          );
        expect([(await answer()).status, (await answer()).status]).toEqual([200, 404]);
        expect(await asked).toMatch(says.allowed);
        const resolved = { type: 'question_resolved', how: 'answered', by: 'grace' };
        expect(first.heard).toContainEqual(expect.objectContaining(resolved));
        expect(journalOf(place, agent, id)).toMatch(/"permission_resolved".*"by":"grace"/);
      }

      const from = first.heard.length;
      first.send({ type: 'user', message: { content: prompts.hold }, message_id: 'm3' });
      await first.until(isSpoken, from);
      await first.close();
      const last = numbersOf(first.heard).at(-1);
      const back = new WsClient(`${address}?surface=page:1&after=${last}`, server.token);
      expect((await server.call('POST', at('/abort'))).status).toBe(200);
      const ended = await back.until((one) => one.type === 'result' && one.message_id === 'm3');
      expect(ended).toMatchObject({ status: 'interrupted' });
      const numbers = [...numbersOf(first.heard), ...numbersOf(back.heard)];
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers).toEqual(inOrder(numbers));
      expect(gapsIn(numbers)).toEqual([]);
      await stream.return(undefined);

      const forked = await server.call('POST', at('/fork'));
      expect(forked.status).toBe(can('forking') ? 201 : 400);
      const { sessions } = await server.json<Listed>('GET', `/api/sessions?agent=${agent}`);
      expect(sessions.find((one) => one.id === id)).toMatchObject({ agent, name: 'Every door' });
      expect(sessions.length).toBe(can('forking') ? 2 : 1);
      await back.close();
      expect((await server.stop()).code).toBe(0);
    });

    it('in a terminal beside others: asks here, is answered elsewhere', async () => {
      const { server, place } = await start(door);
      const id = await create(server, { agent });
      await ask(server, id, prompts.hello);
      await using screen = new TerminalScreen(place, ['attach', id], { columns: 120 });
      await screen.shows('Attached', says.hello);

      if (can('asking')) {
        await say(screen, prompts.ask);
        const { questions } = await eventually(
          () => server.json<Questions>('GET', `/api/sessions/${id}/questions`),
          (found) => found.questions.length > 0,
        );
        await screen.shows(/tab answers|then enter/);
        const path = `/api/sessions/${id}/questions/${encodeURIComponent(questions[0]?.id ?? '')}`;
        expect((await server.call('POST', path, { answer: 'allow' })).status).toBe(200);
        await screen.shows(says.allowed);
      }
      await say(screen, prompts.hold);
      await screen.shows('esc stops');
      screen.type(KEYS.escape);
      await screen.shows('Ask anything');
      screen.type(KEYS.ctrlD);
      expect(await screen.exited()).toBe(0);
      expect((await server.stop()).code).toBe(0);
    });

    it('for a tool of another program, a script, an editor and a bot', async () => {
      const { server, place, setting } = await start(door);
      const id = await create(server, { agent });
      const client = new Client({ name: 'test', version: '1' });
      const headers = { authorization: `Bearer ${server.token}` };
      const to = new URL('/mcp', server.url);
      await client.connect(new StreamableHTTPClientTransport(to, { requestInit: { headers } }));
      const told = await client.callTool(
        { name: 'submit', arguments: { prompt: prompts.hello, session_id: id } },
        { timeout },
      );
      expect(JSON.stringify(told.content)).toContain(says.hello);
      await client.close();

      const message = { user_id: 'ada', surface_id: 'chat:1', text: prompts.hello };
      const bot = readSse(
        await fetch(`${server.url}/api/messages`, {
          method: 'POST',
          headers: { ...headers, accept: 'text/event-stream', 'content-type': 'application/json' },
          body: JSON.stringify(message),
        }),
      );
      const answered = await readUntil(bot, ({ type }) => type === 'result');
      expect(answered.at(-1)?.data).toMatchObject({ result: expect.stringContaining(says.hello) });

      const edited = await askAsEditor(door, { place, setting });
      expect(edited.stopReason).toBe('end_turn');
      expect(edited.words).toMatch(can('asking') ? says.allowed : says.hello);

      const script = ['-p', '--agent', agent, ...(setting.args ?? [])];
      for (const format of ['text', 'stream-json']) {
        const args = [...script, '--output-format', format, prompts.hello];
        const { code, stdout } = await runRobota(place, args, { env: setting.env });
        expect(stdout).toContain(says.hello);
        expect(code).toBe(0);
      }
      expect((await server.stop()).code).toBe(0);
    });

    it('after the server was killed in mid-turn: the same blocks, the question expired, what waited is asked', async () => {
      const { server, place, setting } = await start(door);
      const id = await create(server, { agent });
      await ask(server, id, prompts.hello);
      const before = await conversation(server, id);
      await send(server, id, can('asking') ? prompts.ask : prompts.hold, 'm2');
      await eventually(
        () => conversation(server, id),
        (blocks) => blocks.length > before.length,
      );
      await send(server, id, prompts.hello, 'm3');

      server.child.kill('SIGKILL');
      await server.ended;
      const next = await serveIn(door, { place, setting });
      // An agent that cannot go on with an earlier session is not asked what waited.
      const prompted = can('loading') ? 3 : 2;
      const blocks = await eventually(
        () => conversation(next, id).catch(() => []),
        (found) => found.filter((block) => block.startsWith('user_message')).length >= prompted,
      );

      expect(blocks.slice(0, before.length)).toEqual(before);
      const { questions } = await next.json<Questions>('GET', `/api/sessions/${id}/questions`);
      expect(questions).toEqual([]);
      if (can('loading')) {
        await eventually(
          () => conversation(next, id),
          (found) => found.filter((block) => block.includes(says.hello)).length === 2,
        );
      }
      expect((await next.call('DELETE', `/api/sessions/${id}`)).status).toBe(200);
      // Transcripts that its own program wrote stay where they are, to be read.
      const left = await next.json<{ session?: { access: string } }>('GET', `/api/sessions/${id}`);
      expect(left.session?.access).not.toBe('drive');
      expect((await next.stop()).code).toBe(0);
    });
  });
}

interface Listed {
  readonly sessions: readonly { readonly id: string }[];
}

interface Questions {
  readonly questions: readonly { readonly id: string }[];
}

interface Started {
  readonly place: Place;
  readonly setting: DoorSetting;
}

async function start(door: DoorAgent): Promise<Started & { readonly server: Served }> {
  const place = createPlace();
  onTestFinished(() => place[Symbol.dispose]());
  const setting = await door.prepare(place);
  return { place, setting, server: await serveIn(door, { place, setting }) };
}

function serveIn({ agent }: DoorAgent, { place, setting }: Started): Promise<Served> {
  return serve(place, ['--agent', agent, ...(setting.args ?? [])], setting.env);
}

async function create(server: Served, body: object): Promise<string> {
  const response = await server.call('POST', '/api/sessions', body);
  expect(response.status).toBe(201);
  return ((await response.json()) as { session_id: string }).session_id;
}

async function send(server: Served, id: string, content: string, messageId: string): Promise<void> {
  const prompt = { content, message_id: messageId };
  expect((await server.call('POST', `/api/sessions/${id}/prompts`, prompt)).status).toBe(202);
}

/** Asks and waits for the end of the answer. */
async function ask(server: Served, id: string, content: string): Promise<void> {
  await send(server, id, content, 'm1');
  const path = `/api/sessions/${id}/prompts`;
  const again = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, accept: 'text/event-stream' },
    body: JSON.stringify({ content, message_id: 'm1' }),
  });
  await readUntil(readSse(again), ({ type }) => type === 'result');
}

/** Types a prompt when the terminal waits for one. */
async function say(screen: TerminalScreen, prompt: string): Promise<void> {
  await screen.shows('Ask anything');
  screen.type(prompt);
  await screen.shows(`❯ ${prompt}`);
  screen.type(KEYS.enter);
}

/** What was said, in order; ids of blocks are up to the programs. */
async function conversation(server: Served, id: string): Promise<string[]> {
  const { state } = await server.json<{
    state: { conversation: { blocks: { type: string; content?: unknown }[] } };
  }>('GET', `/api/sessions/${id}`);
  return state.conversation.blocks
    .filter(({ type }) => type === 'user_message' || type === 'assistant_text')
    .map(({ type, content }) => `${type} ${String(content)}`);
}

/** Something of the agent itself, not the prompt that is shown again. */
function isSpoken(message: { readonly type: string; readonly event?: unknown }): boolean {
  if (message.type !== 'stream_event') return false;
  const { type, block } = message.event as { type: string; block?: { type: string } };
  return type === 'text_delta' || (block !== undefined && block.type !== 'user_message');
}

function journalOf({ home }: Place, agent: string, id: string): string {
  const file = agent === 'robota' ? `logs/${id}.jsonl` : `agents/${id}.events.jsonl`;
  return readFileSync(join(home, '.robota', file), 'utf8');
}

/** As an editor does: a new session, a prompt, and a yes to what it asks. */
async function askAsEditor({ agent, prompts, without }: DoorAgent, { place, setting }: Started) {
  const child = startRobota(place, ['acp', '--agent', agent], setting.env);
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  const { client, agent: methods } = acp.methods;
  const { agent: editor } = acp
    .client({ name: 'editor' })
    .onNotification(client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate !== 'agent_message_chunk') return;
      if (update.content.type === 'text') said.push(update.content.text);
    })
    .onRequest(client.session.requestPermission, ({ params: { options } }) => {
      const optionId = options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '';
      return { outcome: { outcome: 'selected' as const, optionId } };
    })
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(child.stdin),
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  await editor.request(methods.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await editor.request(methods.session.new, {
    cwd: place.project,
    mcpServers: [],
  });
  const text = without?.includes('asking') ? prompts.hello : prompts.ask;
  const { stopReason } = await editor.request(methods.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text }],
  });
  child.stdin.end();
  await ended;
  return { stopReason, words: said.join('') };
}
