import { appendFileSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { claudePath, claudeTurn, temporaryHome, writeLines } from '../generated-home.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');

function homeWithSession() {
  const home = temporaryHome();
  const path = claudePath(home, 's1');
  writeLines(path, claudeTurn({ id: 't', prompt: 'Hello', answer: 'Yes.' }, { sessionId: 's1' }));
  setTime(path, NOW - 3_600_000);
  let now = NOW;
  const catalogue = new SqliteCatalogue({ home, environment: {}, now: () => now });
  onTestFinished(() => catalogue.close());
  return { home, path, catalogue, setNow: (time: number) => (now = time) };
}

function setTime(path: string, time: number): void {
  utimesSync(path, time / 1000, time / 1000);
}

it('is stale before the first refresh, after a new session, and after a recent one was written to', async () => {
  const { home, path, catalogue } = homeWithSession();
  const before = await catalogue.isStale();
  await catalogue.refresh();
  const fresh = await catalogue.isStale();
  appendFileSync(path, '\n');
  setTime(path, NOW + 1000);
  const written = await catalogue.isStale();
  await catalogue.refresh();
  const other = claudePath(home, 's2');
  writeLines(other, claudeTurn({ id: 'u', prompt: 'Hi', answer: 'Yes.' }, { sessionId: 's2' }));
  setTime(other, NOW - 1000);

  expect([before, fresh, written, await catalogue.isStale()]).toEqual([true, false, true, true]);
});

it('marks a session as live for as long as it is being written to', async () => {
  const { path, catalogue, setNow } = homeWithSession();
  await catalogue.refresh();
  const isLive = async () => (await catalogue.list()).sessions[0]?.isLive;
  const idle = await isLive();
  setTime(path, NOW - 5000);
  const busy = await isLive();
  setNow(NOW + 600_000);

  expect([idle, busy, await isLive()]).toEqual([false, true, false]);
});

it('does not take a session for live whose file has a time in the future', async () => {
  const { path, catalogue } = homeWithSession();
  await catalogue.refresh();
  setTime(path, NOW + 86_400_000);

  expect((await catalogue.list()).sessions[0]?.isLive).toBe(false);
});

it('gives others of its process a turn while it reads', async () => {
  const home = temporaryHome();
  const answer = 'The lease is renewed too often. '.repeat(600);
  for (let n = 0; n < 150; n++) {
    const turn = { id: `t${n}`, prompt: `Why ${n}?`, answer };
    writeLines(claudePath(home, `s${n}`), claudeTurn(turn, { sessionId: `s${n}` }));
  }
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns++;
    if (isReading) setImmediate(count);
  };

  await catalogue.refresh({
    onProgress: ({ done, total }) => {
      if (done === 1) setImmediate(count);
      if (done === total) isReading = false;
    },
  });

  expect(turns).toBeGreaterThan(3);
});

it('is stale when the folder of an agent appears that had none', async () => {
  const { home, catalogue } = homeWithSession();
  await catalogue.refresh();
  const before = await catalogue.isStale();

  mkdirSync(join(home, '.codex/sessions/2026'), { recursive: true });

  expect([before, await catalogue.isStale()]).toEqual([false, true]);
  await catalogue.refresh();
  expect(await catalogue.isStale()).toBe(false);
});
