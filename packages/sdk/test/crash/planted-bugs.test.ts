import { afterAll, describe, expect, it } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { buildNode } from './crew.ts';
import type { Property } from './order.ts';
import { type StoryOptions, tellStory } from './story.ts';

const SLOW = 900_000;
const PLANTED = ['prefix', 'effects', 'fork', 'checkpoint', 'consume', 'recovery'] as const;
const server = await findPostgres();
const { file: program, remove } = await buildNode();
afterAll(remove);

// A kill has to fall where the bug shows, and that is not in every story.
const STORIES = 20;

async function isFound(bug: Property, options: Omit<StoryOptions, 'seed'>): Promise<boolean> {
  for (let seed = 1; seed <= STORIES; seed++) {
    const { violations } = await tellStory({ ...options, seed, bug, program });
    if (violations.some(({ property }) => property === bug)) return true;
  }
  return false;
}

// A process of its own with a bug planted in what it does.
it.each(PLANTED)('a bug planted in %s is found in files', { timeout: SLOW }, async (bug) => {
  expect(await isFound(bug, { kills: 2 })).toBe(true);
});

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('sessions on PostgreSQL', () => it.todo('do not run without a server'));
} else {
  const { url } = server;

  // Processes of their own with a bug planted in what they do.
  it.each(PLANTED)(
    'a bug planted in %s is found among killed nodes',
    { timeout: SLOW },
    async (bug) => {
      expect(await isFound(bug, { kills: 4, url })).toBe(true);
    },
  );
}
