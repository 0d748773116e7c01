import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as acp from '@agentclientprotocol/sdk';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { SessionHost } from '@robota-sdk/agent-sdk';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { announceServer } from '@robota-sdk/agent-transport/run';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { expect, it } from 'vitest';
import { createPlace, type Place, runRobota, startRobota } from './support/run-robota.ts';

const { agent, client } = acp.methods;
const TOKEN = 'a-token-for-tests-that-is-long-enough';

it('is an agent for an editor that answers, keeps the session, and ends with its editor', async () => {
  using place = createPlace();
  const first = await openEditor(place);
  const { sessionId } = await first.editor.request(agent.session.new, {
    cwd: place.project,
    mcpServers: [],
  });

  const { stopReason } = await first.editor.request(agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text: 'Hello' }],
  });
  const code = await first.vanish();
  const second = await openEditor(place);
  const { sessions } = await second.editor.request(agent.session.list, { cwd: place.project });
  await second.editor.request(agent.session.load, {
    sessionId,
    cwd: place.project,
    mcpServers: [],
  });
  await second.vanish();

  expect(stopReason).toBe('end_turn');
  expect(first.words()).not.toBe('');
  expect(code).toBe(0);
  expect(sessions.map((session) => session.sessionId)).toEqual([sessionId]);
  expect(second.words()).toBe(first.words());
});

it('leaves nothing running when its editor vanishes in the middle of a turn', async () => {
  using place = createPlace();
  const { editor, vanish } = await openEditor(place);
  const { sessionId } = await editor.request(agent.session.new, {
    cwd: place.project,
    mcpServers: [],
  });

  const lost = editor.request(agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text: 'Hello' }],
  });
  lost.catch(() => undefined);
  const code = await vanish();

  expect(code).toBe(0);
});

it('ends the agent behind it, too, when its editor vanishes in the middle of a turn', async () => {
  using place = createPlace();
  nameAgent(place);
  const { editor, vanish, until } = await openEditor(place, [
    ...['--provider', 'demo'],
    ...['--agent', 'acp:mine'],
  ]);
  const { sessionId } = await editor.request(agent.session.new, {
    cwd: place.project,
    mcpServers: [],
  });

  const lost = editor.request(agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text: 'wait' }],
  });
  lost.catch(() => undefined);
  const [, pid = ''] = await until(/waiting (\d+)/);
  const code = await vanish();

  expect(code).toBe(0);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

it('drives an agent that the settings name, in print mode too', async () => {
  using place = createPlace();
  nameAgent(place);

  const { code, stdout } = await runRobota(place, ['-p', '--agent', 'acp:mine', 'one']);

  expect(stdout).toContain('Answer to one after 0');
  expect(code).toBe(0);
});

it('is a surface of the server that runs, which keeps the session when the editor has gone', async () => {
  using place = createPlace();
  const host = new SessionHost({
    defaults: { cwd: place.project, provider: scriptedProvider(says('Hello.')), bare: true },
  });
  const tokenPath = join(place.home, 'token');
  writeFileSync(tokenPath, TOKEN);
  const http = createHttpTransport({ port: 0, token: TOKEN, host });
  const ws = createWsTransport({ server: () => http.getServer(), token: TOKEN, host });
  await http.start();
  await ws.start();
  const run = join(place.home, '.robota', 'run');
  const withdraw = announceServer({ url: http.getUrl(), tokenPath }, run);
  try {
    const { editor, vanish, words } = await openEditor(place, []);
    const { sessionId } = await editor.request(agent.session.new, {
      cwd: place.project,
      mcpServers: [],
    });
    await editor.request(agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: 'Hi' }],
    });
    const code = await vanish();

    expect(words()).toBe('Hello.');
    expect(code).toBe(0);
    expect(host.get(sessionId)?.getMessageCount()).toBe(1);
  } finally {
    withdraw();
    await ws.stop();
    await http.stop();
    await host.closeAll();
  }
});

it('says how it is used, and that nobody knows an agent', async () => {
  using place = createPlace();

  const wrong = await runRobota(place, ['acp', 'a', 'prompt']);
  const unknown = await runRobota(place, ['acp', '--agent', 'nobody']);

  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain('Usage: robota acp');
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.stderr).toContain('Unknown agent "nobody"');
  expect(existsSync(join(place.project, '.robota'))).toBe(false);
});

/** Settings of the user that say how `acp:mine` is started. */
function nameAgent({ home }: Place): void {
  const fake = '../../../packages/transcript/test/fake-agents/fake-acp.mjs';
  const command = fileURLToPath(new URL(fake, import.meta.url));
  mkdirSync(join(home, '.robota'), { recursive: true });
  const settings = JSON.stringify({ agents: { mine: { command } } });
  writeFileSync(join(home, '.robota', 'settings.json'), settings);
}

async function openEditor(place: Place, args: readonly string[] = ['--provider', 'demo']) {
  const child = startRobota(place, ['acp', ...args]);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const said: string[] = [];
  let look = () => {};
  const { agent: editor } = acp
    .client({ name: 'editor' })
    .onNotification(client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate !== 'agent_message_chunk') return;
      if (update.content.type === 'text') said.push(update.content.text);
      look();
    })
    .onRequest(client.session.requestPermission, () => ({ outcome: { outcome: 'cancelled' } }))
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(child.stdin),
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  await editor.request(agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return {
    editor,
    words: () => said.join(''),
    /** What the words match, once they do. */
    until: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve) => {
        look = () => {
          const found = pattern.exec(said.join(''));
          if (found) resolve(found);
        };
        look();
      }),
    vanish: () => {
      child.stdin.end();
      return ended;
    },
  };
}
