import { appendFileSync, rmSync } from 'node:fs';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudePath, claudeTurn, temporaryHome, writeLines } from '../generated-home.ts';

async function threeSessions() {
  const home = temporaryHome();
  for (const id of ['s1', 's2', 's3']) {
    const turn = { id, prompt: `Prompt ${id}`, answer: 'Yes.' };
    writeLines(claudePath(home, id), claudeTurn(turn, { sessionId: id }));
  }
  const catalogue = new SqliteCatalogue({ home, environment: {}, now: () => 1_800_000_000_000 });
  onTestFinished(() => catalogue.close());
  await catalogue.refresh();
  return { home, catalogue };
}

const NONE = { missing: [], extra: [], stale: [], different: [], faults: [] };

describe('the comparison of a catalogue with the transcripts', () => {
  it('finds nothing after a refresh', async () => {
    const { catalogue } = await threeSessions();

    expect(await catalogue.compare()).toEqual({ checked: 3, ...NONE });
  });

  it('tells what is new, gone, written to, and wrong', async () => {
    const { home, catalogue } = await threeSessions();
    const turn = { id: 's4', prompt: 'New', answer: 'Yes.' };
    writeLines(claudePath(home, 's4'), claudeTurn(turn, { sessionId: 's4' }));
    appendFileSync(claudePath(home, 's1'), '\n');
    rmSync(claudePath(home, 's2'));
    await catalogue.inspect((database) =>
      database.run("update session set digest = 'x' where native_id = 's3'"),
    );

    expect(await catalogue.compare()).toEqual({
      checked: 3,
      missing: [claudePath(home, 's4')],
      extra: [claudePath(home, 's2')],
      stale: [claudePath(home, 's1')],
      different: [claudePath(home, 's3')],
      faults: [],
    });
  });

  it('tells of tables that do not agree, which a rebuild mends', async () => {
    const { catalogue } = await threeSessions();
    await catalogue.inspect((database) => {
      database.run('update usage set counted = 0');
      database.run("delete from session where native_id = 's1'");
    });

    const before = await catalogue.compare();
    await catalogue.rebuild();

    expect(before.faults).toHaveLength(3);
    expect(await catalogue.compare()).toEqual({ checked: 3, ...NONE });
  });
});

describe('a transcript that its owner deleted', () => {
  it('is told of with what was paid for it', async () => {
    const { home, catalogue } = await threeSessions();
    rmSync(claudePath(home, 's2'));
    await catalogue.refresh();

    expect(await catalogue.deletions()).toMatchObject([
      { agent: 'claude', id: 's2', title: 'Prompt s2', noticedAt: 1_800_000_000_000, requests: 1 },
    ]);
  });
});
