import { afterAll, describe, expect, it } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { buildNode } from './crew.ts';
import { tellStory } from './story.ts';

// `npm run test:crash` kills as often as it is told to.
const SLOW = 900_000;
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

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('sessions on PostgreSQL', () => it.todo('do not run without a server'));
} else {
  const { url } = server;

  describe('sessions on three nodes, killed 40 times', () => {
    it('keep every promise', { timeout: SLOW }, async () => {
      const told = await tellStory({ kills: 40, seed: 2, url, program });

      expect(told.violations).toEqual([]);
      expect(told.acknowledged).toBeGreaterThan(0);
      expect(told.effects).toBeGreaterThan(0);
    });
  });
}
