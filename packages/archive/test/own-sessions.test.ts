import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { acquireWriterLock, FileSessionLogger } from '@robota-sdk/agent-session';
import { expect, it, onTestFinished } from 'vitest';
import { startSession } from '../../session/test/session-kit.ts';
import { temporaryHome } from './generated-home.ts';

const usage = (inputTokens: number, outputTokens: number) => ({
  metadata: { inputTokens, outputTokens, cacheReadTokens: 5 },
});

it('counts our own sessions to the token as their ledger does, and finds what was said in them', async () => {
  const home = temporaryHome();
  const logs = join(home, '.robota/logs');
  const provider = scriptedProvider(
    calls({ id: '1', name: 'Look', args: { at: 'the haystack' } }),
    says('Found the needle.', usage(120, 30)),
    says('A second answer.', usage(200, 7)),
  );
  const session = startSession(provider, {
    sessionId: 'own-1',
    cwd: '/work',
    tools: [fakeTool('Look')],
    permissionMode: 'bypassPermissions',
    sessionLogger: new FileSessionLogger(logs),
  });
  await session.run('Where is the needle?');
  await session.run('And now?');
  const ledger = session.getUsage();
  await session.shutdown();
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  await catalogue.refresh();

  const [listed] = (await catalogue.list()).sessions;
  const { total } = await catalogue.usage({ agent: 'robota' });
  const found = await catalogue.search({ text: 'haystack' });

  const sum = (read: (tally: (typeof ledger)[number]) => number) =>
    ledger.reduce((all, tally) => all + read(tally), 0);
  expect(listed).toMatchObject({
    agent: 'robota',
    id: 'own-1',
    title: 'Where is the needle?',
    cwd: '/work',
  });
  expect(total.requests).toBe(sum(({ requests }) => requests));
  expect(total.inputTokens + total.cacheReadTokens + total.cacheWriteTokens).toBe(
    sum((tally) => tally.usage.inputTokens),
  );
  expect(total.outputTokens).toBe(sum((tally) => tally.usage.outputTokens));
  expect(total.requests).toBeGreaterThan(1);
  expect(found.sessions[0]?.hits[0]?.snippet).toContain('haystack');
});

it('takes one of our own for live while its writer lives, not while another process has its pid', async () => {
  const home = temporaryHome();
  const session = startSession(scriptedProvider(says('Hello.')), {
    sessionId: 'own-1',
    sessionLogger: new FileSessionLogger(join(home, '.robota/logs')),
  });
  await session.run('Hi');
  await session.shutdown();
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  await catalogue.refresh();
  const isLive = async () => (await catalogue.list()).sessions[0]?.isLive;
  mkdirSync(join(home, '.robota/sessions'), { recursive: true });
  const path = join(home, '.robota/sessions/own-1.lock');

  const lock = acquireWriterLock(path, 'own-1');
  const held = await isLive();
  const holder = JSON.parse(readFileSync(path, 'utf8')) as object;
  lock.release();
  const released = await isLive();
  writeFileSync(path, JSON.stringify({ ...holder, startedAt: '1' }));

  expect([held, released]).toEqual([true, false]);
  // Only there can the start of a process be read at once.
  expect(await isLive()).toBe(process.platform !== 'linux');
});
