import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { calls, fails, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession, type InteractiveSessionOptions } from '@robota-sdk/agent-sdk';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import type { ServerMessage } from '@robota-sdk/agent-transport/protocol';
import { TokenBook } from '@robota-sdk/agent-transport/run';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { expect, it } from 'vitest';
import { TOKEN, usePlace } from '../support/place.ts';
import { readSse, readUntil } from '../support/sse-client.ts';
import { gapsIn, numbersOf, WsClient } from '../support/ws-client.ts';

const place = usePlace();
const SECRET = `ghp_${'aB3dE5gH7j'.repeat(4)}`.slice(0, 40);

/** Streams a secret in chunks of three characters. */
const leaking: Provider = {
  name: 'leaking',
  chat: async (_messages, { onTextDelta } = {}) => {
    const text = `The key is ${SECRET}, keep it.`;
    for (let at = 0; at < text.length; at += 3) onTextDelta?.(text.slice(at, at + 3));
    return createAssistantMessage(text);
  },
};

async function serve(options: Partial<InteractiveSessionOptions> = {}) {
  const tokenFolder = join(place.home, 'tokens');
  const session = new InteractiveSession({
    cwd: place.project,
    provider: leaking,
    persistence: false,
    bare: true,
    ...options,
  });
  place.after(() => session.shutdown());
  const shared = { token: TOKEN, tokenFolder };
  const http = createHttpTransport({ ...shared, port: 0 });
  const ws = createWsTransport({ ...shared, server: () => http.getServer() });
  session.attachTransport(http);
  session.attachTransport(ws);
  await http.start();
  await ws.start();
  place.after(async () => {
    await ws.stop();
    await http.stop();
  });
  const path = `/api/sessions/${session.sessionId}`;
  const reader = new TokenBook(tokenFolder).create('reader', ['read']).token;
  const get = (to: string, token: string) =>
    fetch(`${http.getUrl()}${path}${to}`, { headers: { authorization: `Bearer ${token}` } });
  const socket = (query = '', token = reader) => {
    const client = new WsClient(`${http.getUrl().replace('http', 'ws')}${path}/ws${query}`, token);
    place.after(() => client.close());
    return client;
  };
  const list = () =>
    fetch(`${http.getUrl()}/api/sessions`, { headers: { authorization: `Bearer ${reader}` } });
  return { session, reader, get, list, socket };
}

/** The text of the frames, as a client would fold it. */
function textOf(messages: readonly ServerMessage[]): string {
  return messages
    .map((message) => {
      if (message.type !== 'stream_event') return '';
      return message.event.type === 'text_delta' ? message.event.delta : '';
    })
    .join('');
}

it('get the same events at the same positions with secrets redacted, however they are split', async () => {
  const { session, reader, get, socket } = await serve();
  const watching = socket();
  const owner = socket('', TOKEN);
  await watching.until(({ type }) => type === 'snapshot');
  await owner.until(({ type }) => type === 'snapshot');
  const stream = readSse(await get('/events', reader));

  await session.submit('What is the key?');
  const over = await readUntil(stream, ({ type }) => type === 'complete');
  await watching.until(({ type }) => type === 'complete');
  await owner.until(({ type }) => type === 'complete');
  await stream.return(undefined);

  expect(textOf(owner.heard)).toContain(SECRET);
  expect(JSON.stringify(watching.heard)).not.toContain(SECRET);
  expect(JSON.stringify(over)).not.toContain(SECRET);
  // Text that may still be the start of a secret arrives with the complete block.
  expect(textOf(watching.heard)).toMatch(/^The key is \[REDACTED:[^\]]+\], k/);
  const block = watching.heard.findLast(
    (message) => message.type === 'stream_event' && message.event.type === 'block_complete',
  );
  expect(JSON.stringify(block)).toMatch(/The key is \[REDACTED:[^\]]+\], keep it\./);
  expect(numbersOf(watching.heard)).toEqual(numbersOf(owner.heard));
});

it('resume without gap, repeat or secret, and get a snapshot when the position is unknown', async () => {
  const { session, socket } = await serve();
  await session.submit('Before anybody looked');
  const first = socket();
  const snapshot = await first.until(({ type }) => type === 'snapshot');
  await session.submit('Again');
  await first.until(({ type }) => type === 'complete');
  const middle = numbersOf(first.heard)[3];
  await first.close();

  const back = socket(`?after=${middle}`);
  await back.until(({ type }) => type === 'complete');
  const lost = socket('?after=0');
  await lost.until(({ type }) => type === 'snapshot');

  expect(JSON.stringify(snapshot)).not.toContain(SECRET);
  const rest = numbersOf(first.heard).slice(4);
  expect(numbersOf(back.heard)).toEqual(rest);
  expect(gapsIn(numbersOf(first.heard))).toEqual([]);
  expect(lost.heard.map(({ type }) => type)).toEqual(['init', 'gap', 'snapshot']);
  expect(JSON.stringify([back.heard, lost.heard])).not.toContain(SECRET);
});

it('see no secret in the response of any session route', async () => {
  const { session, reader, get } = await serve();
  await session.submit('What is the key?');

  for (const path of ['', '/blocks', '/questions']) {
    const text = await (await get(path, reader)).text();
    expect(text, path).not.toContain(SECRET);
  }
  expect(await (await get('/blocks', TOKEN)).text()).toContain(SECRET);
});

it('see no secret in names, questions, queues, tools, commands and errors, while others do', async () => {
  const bash = { id: 'c1', name: 'Bash', args: { command: `deploy --token ${SECRET}` } };
  const { session, reader, get, list, socket } = await serve({
    provider: scriptedProvider(
      calls(bash),
      says('Done'),
      fails(new Error(`401 for key ${SECRET}`)),
    ),
    tools: [fakeTool('Bash', () => `logged in with ${SECRET}`)],
    queueDepth: 5,
  });
  session.setName(`Rotate ${SECRET} \u001b]0;owned\u0007`);
  const watching = socket();
  const owner = socket('', TOKEN);
  await owner.until(({ type }) => type === 'snapshot');
  await watching.until(({ type }) => type === 'snapshot');
  const stream = readSse(await get('/events', reader));

  const first = session.submit(`Deploy with ${SECRET}`);
  const asked = await owner.until((message) => message.type === 'question');
  const second = session.submit(`Again with ${SECRET}`);
  await owner.until((message) => message.type === 'queue' && message.prompts.length === 1);
  const late = socket();
  await late.until(({ type }) => type === 'snapshot');
  const pages = [await (await list()).text()];
  const read = async () => {
    for (const path of ['', '/blocks', '/questions', '/queue', '/costs']) {
      pages.push(await (await get(path, reader)).text());
    }
  };
  await read();
  session.answerPermission(asked.question.id, true);
  await Promise.all([first, second]);
  const streamed = await readUntil(stream, ({ type }) => type === 'error');
  await watching.until(({ type }) => type === 'error');
  await stream.return(undefined);
  await read();
  pages.push(await (await list()).text());

  const received = [...watching.heard, ...late.heard, ...streamed];
  const leaks = received.filter((frame) => JSON.stringify(frame).includes(SECRET));
  expect(leaks).toEqual([]);
  expect(pages.filter((text) => text.includes(SECRET))).toEqual([]);
  expect(pages[0]).not.toContain('u001b');
  const ownerText = JSON.stringify(owner.heard);
  for (const prefix of ['Deploy with', 'Again with', '--token', 'logged in with']) {
    expect(ownerText).toContain(`${prefix} ${SECRET}`);
  }
});

it.each([30, 37, 45, 60])(
  'see no part of a secret where an argument of a tool is cut, after %i characters',
  async (length) => {
    const command = `deploy ${'x'.repeat(length)} ${SECRET} ${'y'.repeat(10)}`;
    const { session, get, reader, socket } = await serve({
      provider: scriptedProvider(
        calls({ id: 'c1', name: 'Bash', args: { command } }),
        says('Done'),
      ),
      tools: [fakeTool('Bash', () => 'done')],
    });
    const watching = socket();
    const owner = socket('', TOKEN);
    await owner.until(({ type }) => type === 'snapshot');
    await watching.until(({ type }) => type === 'snapshot');
    const asked = session.submit('Deploy');
    const question = await owner.until((message) => message.type === 'question');
    const described = await (await get('', reader)).text();
    session.answerPermission(question.question.id, true);
    await asked;
    await watching.until(({ type }) => type === 'complete');

    const text = JSON.stringify(watching.heard) + described;
    const parts = [...SECRET].flatMap((_, at) =>
      at + 12 > SECRET.length ? [] : [SECRET.slice(at, at + 12)],
    );
    expect(parts.filter((part) => part !== SECRET.slice(0, 12) && text.includes(part))).toEqual([]);
    const tools = watching.heard.flatMap((message) =>
      message.type === 'tool_end' ? [message.tool.firstArg] : [],
    );
    expect(tools).toEqual([expect.stringMatching(/^deploy x+/)]);
    expect(JSON.stringify(owner.heard)).toContain(SECRET);
  },
);

it('get only the last blocks with a tail, and the others by index', async () => {
  const { session, get, socket } = await serve();
  await session.submit('One');
  await session.submit('Two');

  const client = socket('?tail=1', TOKEN);
  const snapshot = await client.until((message) => message.type === 'snapshot');
  const page = await get('/blocks?from=0&limit=3', TOKEN);
  const bad = await get('/blocks?limit=501', TOKEN);

  expect(snapshot).toMatchObject({ before: { main: 3 }, conversation: { blocks: [{}] } });
  expect(await page.json()).toMatchObject({
    total: 4,
    from: 0,
    blocks: [{ content: 'One' }, { type: 'assistant_text' }, { content: 'Two' }],
  });
  expect(bad.status).toBe(400);
});
