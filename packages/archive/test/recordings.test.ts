import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import type { ParsedTranscript } from '@robota-sdk/agent-transcript';
import {
  findOrphanTranscripts,
  parseTranscriptFile,
  takeInventory,
} from '@robota-sdk/agent-transcript/architectures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillRecordedHome } from '../../transcript/test/recorded-home.ts';

const home = mkdtempSync(join(tmpdir(), 'robota-recordings-'));
const catalogue = new SqliteCatalogue({ home, environment: {} });
const parsed = new Map<string, ParsedTranscript>();

beforeAll(async () => {
  fillRecordedHome(home);
  await catalogue.refresh();
  for (const { type, path } of (await takeInventory({ home, environment: {} })).families)
    parsed.set(path, await parseTranscriptFile(type, path));
}, 120_000);
afterAll(async () => {
  await catalogue.close();
  rmSync(home, { recursive: true, force: true });
});

describe('the recordings of all agents', () => {
  it('are listed with a title that holds no markup', async () => {
    const { sessions } = await catalogue.list({ limit: 1000 });

    expect(sessions.length).toBeGreaterThan(120);
    expect(sessions.filter(({ title }) => /<\/?[a-z-]+>|AGENTS\.md|Caveat:/.test(title))).toEqual(
      [],
    );
    expect(sessions.filter(({ title }) => title === '')).toEqual([]);
  });

  it.each(['file', 'hello', 'error', 'txt', 'done', 'read_file'])(
    'have %s in every block that a search for it names',
    async (text) => {
      const { sessions } = await catalogue.search({ text, limit: 1000, hitsPerSession: 1000 });

      const wrong = sessions.flatMap(({ session, hits }) =>
        hits.filter(({ blockId, thread, isSuperseded }) => {
          const all = parsed.get(session.path);
          const agent = all?.subagents.find(({ id }) => id === thread)?.blocks;
          const shown = thread === 'main' ? all?.blocks : agent;
          const given = all?.superseded.flatMap((branch) => branch.blocks);
          const blocks = isSuperseded ? given : shown;
          const block = blocks?.find(({ id }) => id === blockId);
          // An identifier is found as the phrase of its parts.
          return !new RegExp(text.replace('_', '\\W?_?'), 'i').test(JSON.stringify(block ?? null));
        }),
      );

      expect(sessions.length).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
    },
  );

  it.each(['file', 'hello', 'done'])(
    'show the word in the snippet of every hit for %s',
    async (text) => {
      const { sessions } = await catalogue.search({ text, limit: 1000 });
      const empty = sessions.flatMap(({ hits }) =>
        hits.filter(({ snippet }) => !snippet.toLowerCase().includes(text)),
      );

      expect(empty).toEqual([]);
    },
  );

  it('cost as many requests as distinct ids say', async () => {
    const ids = new Set<string>();
    for (const { type, path } of (await takeInventory({ home, environment: {} })).families)
      for (const { id } of parsed.get(path)?.requests ?? []) ids.add(`${type} ${id}`);
    const { total } = await catalogue.usage();
    const byCause = await catalogue.usage({ by: 'cause' });

    expect(total.requests).toBe(ids.size);
    expect(byCause.total).toEqual({ ...total, costUsd: expect.closeTo(total.costUsd, 9) });
  });

  it('count the requests of agents whose session is gone', async () => {
    const orphans: string[] = [];
    for await (const { path } of findOrphanTranscripts({ home, environment: {} }))
      orphans.push(path);
    const counted = await catalogue.inspect((database) =>
      database.rows(
        'select path from session where orphan = 1 and id in (select session from usage)',
      ),
    );

    expect(orphans).toEqual(expect.arrayContaining(counted.map(({ path }) => path)));
  });
});
