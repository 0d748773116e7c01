import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { assertStrictHistory, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession, latestSessionId } from '@robota-sdk/agent-sdk';
import { expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

it('a process killed in mid-turn leaves a session that the next one goes on with', async () => {
  const child = spawn(
    process.execPath,
    [
      '--conditions=robota-source',
      '--import',
      'tsx',
      join(import.meta.dirname, 'dying-process.ts'),
      place.project,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const provider = scriptedProvider(says('third answer'));
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    resumeSessionId: latestSessionId(place.project) ?? '',
  });
  const outcome = await session.submit('three');
  await session.shutdown();

  expect(outcome.status).toBe('completed');
  const sent = provider.requests[0] ?? [];
  assertStrictHistory(sent);
  expect(sent.map(({ role, content }) => [role, role === 'system' ? '' : content])).toEqual([
    ['system', ''],
    ['user', 'one'],
    ['assistant', 'first answer'],
    ['user', 'two'],
    ['assistant', null],
    ['tool', expect.stringContaining('The outcome of this tool call is unknown')],
    ['user', 'three'],
  ]);
  expect(session.getMessages().map(({ content }) => content)).toEqual([
    'one',
    'first answer',
    'two',
    'Error: The process ended before this turn was finished.',
    'three',
    'third answer',
  ]);
});
