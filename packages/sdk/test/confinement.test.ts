import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { findConfinement, InteractiveSession } from '@robota-sdk/agent-sdk';
import { expect, it, onTestFinished } from 'vitest';

/** A project outside the temporary directories, which held commands may write. */
function project(): string {
  const root = mkdtempSync(join(homedir(), '.robota-test-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'project'));
  return join(root, 'project');
}

async function runs(command: string, options: { cwd: string; confine?: 'on' | 'off' }) {
  const provider = scriptedProvider(
    calls({ id: 'a', name: 'Bash', args: { command } }),
    says('Done.'),
  );
  const session = new InteractiveSession({
    ...options,
    provider,
    context: {},
    config: {},
    permissionMode: 'bypassPermissions',
  });
  await session.submit('Go');
  await session.shutdown();
  return provider.requests[1]?.at(-1)?.content ?? '';
}

it('with the sandbox on, no command writes outside the project; where nothing can hold it, none runs', async () => {
  const cwd = project();
  const { available } = await findConfinement();

  await runs('echo inside > inside.txt; echo outside > ../outside.txt', { cwd, confine: 'on' });

  expect(existsSync(join(cwd, '../outside.txt'))).toBe(false);
  expect(existsSync(join(cwd, 'inside.txt'))).toBe(available);
});

it('with the sandbox off, an approved command may do what the user may', async () => {
  const cwd = project();

  await runs('echo outside > ../outside.txt', { cwd, confine: 'off' });

  expect(existsSync(join(cwd, '../outside.txt'))).toBe(true);
});

it('passes variables named like secrets to commands only when the settings name them', async () => {
  const cwd = project();
  process.env.ROBOTA_TEST_API_KEY = 'not-for-tools';
  onTestFinished(() => {
    delete process.env.ROBOTA_TEST_API_KEY;
  });
  writeFileSync(join(cwd, 'print.sh'), 'echo "[$ROBOTA_TEST_API_KEY]"');

  expect(await runs('sh print.sh', { cwd })).toContain('[]');
});
