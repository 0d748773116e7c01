// Close a conversation, resume it, and fork it to try an alternative.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  createProjectSessionStore,
  InteractiveSession,
  listSessionSummaries,
} from '@robota-sdk/agent-sdk';

const cwd = mkdtempSync(join(tmpdir(), 'robota-example-'));
process.env.ROBOTA_HOME = join(cwd, 'home');
const provider = scriptedProvider(
  says('Noted: 7.'),
  says('It was 7.'),
  says('Seven, as you said.'),
);
const open = (options: { resumeSessionId?: string; forkSession?: boolean; sessionName?: string }) =>
  new InteractiveSession({
    cwd,
    provider,
    bare: true,
    sessionStore: createProjectSessionStore(cwd),
    ...options,
  });

try {
  const first = open({ sessionName: 'numbers' });
  await first.submit('My number is 7.');
  await first.shutdown();

  const resumed = open({ resumeSessionId: first.sessionId });
  await resumed.submit('What was it?');
  await resumed.shutdown();

  const fork = open({ resumeSessionId: first.sessionId, forkSession: true, sessionName: 'again' });
  await fork.submit('Say it in words.');
  await fork.shutdown();

  assert.equal(resumed.sessionId, first.sessionId);
  assert.notEqual(fork.sessionId, first.sessionId);
  assert.equal(fork.getMessages().length, 6);
  for (const { name, messageCount, preview } of listSessionSummaries({ cwd })) {
    console.log(`${name} (${messageCount} messages): ${preview}`);
  }
  console.log('ok');
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
