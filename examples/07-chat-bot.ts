// A chat bot in a few lines: it forwards every chat message to the server, which finds the session by user and
// channel. A conversation survives a restart of the server.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { createProjectSessionStore, SessionHost } from '@robota-sdk/agent-sdk';
import { openSessionStore } from '@robota-sdk/agent-store/open';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';

const cwd = mkdtempSync(join(tmpdir(), 'robota-example-'));
process.env.ROBOTA_HOME = join(cwd, 'home');
const token = 'a-token-for-this-example-only-0123456789';
const provider: Provider = {
  name: 'counter',
  chat: (messages) => Promise.resolve(createAssistantMessage(`${messages.length} messages so far`)),
};

/** The server: sessions of this directory, and a SQLite store that maps users and channels to them. */
async function startServer() {
  const store = await openSessionStore(`sqlite:${join(cwd, 'sessions.db')}`);
  const sessionStore = createProjectSessionStore(cwd);
  const host = new SessionHost({ store, defaults: { cwd, provider, sessionStore, bare: true } });
  const http = createHttpTransport({ host, token, port: 0 });
  await http.start();
  const stop = async () => {
    await http.stop();
    await host.closeAll('other');
    await store.close();
  };
  return { url: http.getUrl(), stop };
}

/** Stands in for Slack or Telegram. */
const chat = new EventEmitter<{
  message: [ChatMessage];
  answer: [{ channel: string; text: string }];
}>();
interface ChatMessage {
  readonly id: string;
  readonly user: string;
  readonly channel: string;
  readonly text: string;
}

async function answer({ id, user, channel, text }: ChatMessage): Promise<void> {
  const response = await fetch(`${server.url}/api/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    body: JSON.stringify({ user_id: user, surface_id: channel, text, message_id: id }),
  });
  const [, result = '{}'] = /event: result\ndata: (.*)/.exec(await response.text()) ?? [];
  chat.emit('answer', { channel, text: JSON.parse(result).result });
}

let server = await startServer();
chat.on('message', (message) => void answer(message));

async function say(id: string, text: string): Promise<string> {
  const answered = once(chat, 'answer');
  chat.emit('message', { id, user: 'ada', channel: 'slack:C1', text });
  const [{ text: reply }] = await answered;
  return reply;
}

try {
  assert.equal(await say('m1', 'hello'), '2 messages so far');

  await server.stop();
  server = await startServer();

  assert.equal(await say('m2', 'hello again'), '4 messages so far');
  // A chat may deliver a message twice; it is answered once.
  assert.equal(await say('m2', 'hello again'), '4 messages so far');
  await server.stop();
  console.log('ok');
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
