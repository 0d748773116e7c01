import { afterAll, describe, expect, it } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { buildNode } from './crew.ts';
import { tellStory } from './story.ts';

const SLOW = 900_000;
const PLANTED_IN_FILES = ['prefix', 'effects', 'fork', 'checkpoint', 'recovery'] as const;
const PLANTED_ON_NODES = [...PLANTED_IN_FILES, 'consume'] as const;
const server = await findPostgres();
const { file: program, remove } = await buildNode();
afterAll(remove);

describe('sessions in files, killed twenty times', () => {
  it('keep every promise', { timeout: SLOW }, async () => {
    const report = await tellStory({ kills: 20, seed: 1, program });

    expect(report.violations).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
  });
});

// A process of its own with a bug planted in what it does.
it.each(PLANTED_IN_FILES)(
  'a bug planted in %s is found in files',
  { timeout: SLOW },
  async (bug) => {
    const { violations } = await tellStory({ kills: 3, seed: 4, bug, program });

    expect(violations.map(({ property }) => property)).toContain(bug);
  },
);

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('sessions on PostgreSQL', () => it.todo('do not run without a server'));
} else {
  const { url } = server;

  describe('sessions on three nodes, killed forty times', () => {
    it('keep every promise', { timeout: SLOW }, async () => {
      const told = await tellStory({ kills: 40, seed: 2, url, program });

      expect(told.violations).toEqual([]);
      expect(told.acknowledged).toBeGreaterThan(0);
      expect(told.effects).toBeGreaterThan(0);
    });
  });

  // Processes of their own with a bug planted in what they do.
  it.each(PLANTED_ON_NODES)(
    'a bug planted in %s is found among killed nodes',
    { timeout: SLOW },
    async (bug) => {
      // A kill has to fall where the bug shows, and that is not in every story.
      const found = new Set<string>();
      for (let seed = 3; seed < 13 && !found.has(bug); seed += 1) {
        const { violations } = await tellStory({ kills: 8, seed, url, bug, program });
        for (const { property } of violations) found.add(property);
      }

      expect(found).toContain(bug);
    },
  );
}
