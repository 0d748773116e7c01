// Permissions: reads are allowed, writes ask, and the answer becomes a rule for the rest of the session.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';

const cwd = mkdtempSync(join(tmpdir(), 'robota-example-'));
const write = (id: string, filePath: string) =>
  calls({ id, name: 'Write', args: { filePath, content: 'hello' } });
const provider = scriptedProvider(
  write('1', 'a.txt'),
  write('2', 'b.txt'),
  write('3', 'c.md'),
  says('Done.'),
);
const session = new InteractiveSession({ cwd, provider, bare: true });
const asked: unknown[] = [];
session.on('permission_request', ({ requestId, toolArgs }) => {
  asked.push(toolArgs.filePath);
  const isText = String(toolArgs.filePath).endsWith('.txt');
  session.answerPermission(
    requestId,
    isText ? { allow: 'session', pattern: 'Write(*.txt)' } : { deny: 'Text files only, please.' },
  );
});

try {
  await session.submit('Write three files.');
  await session.shutdown();

  assert.deepEqual(asked, ['a.txt', 'c.md']);
  assert.deepEqual(
    ['a.txt', 'b.txt', 'c.md'].map((name) => existsSync(join(cwd, name))),
    [true, true, false],
  );
  console.log('asked for', asked.join(', '));
  console.log('ok');
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
