// A host runs many sessions for a server, each found by its id; a closed one can be resumed.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { createProjectSessionStore, SessionHost } from '@robota-sdk/agent-sdk';

const cwd = mkdtempSync(join(tmpdir(), 'robota-example-'));
process.env.ROBOTA_HOME = join(cwd, 'home');
const provider: Provider = {
  name: 'counter',
  chat: (messages) => Promise.resolve(createAssistantMessage(`${messages.length} messages so far`)),
};

try {
  const sessionStore = createProjectSessionStore(cwd);
  const host = new SessionHost({ defaults: { cwd, provider, sessionStore, bare: true } });
  const users = await Promise.all(
    ['ada', 'grace', 'edsger'].map((sessionId) => host.create({ sessionId })),
  );
  await Promise.all(users.map((session) => session.submit('hello')));

  await host.close('ada');
  const back = await host.open('ada');
  await back.submit('hello again');

  const last = back.getConversation().blocks.at(-1);
  assert.equal(last?.type === 'assistant_text' && last.content, '4 messages so far');
  for (const { id, isLive } of await host.list()) console.log(id, isLive ? 'live' : 'saved');
  await host.closeAll();
  console.log('ok');
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
