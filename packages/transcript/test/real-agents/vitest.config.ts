import { defineConfig } from 'vitest/config';

/** The real programs; not part of the normal suite. */
export default defineConfig({
  ssr: { resolve: { conditions: ['robota-source'], externalConditions: ['robota-source'] } },
  test: {
    include: ['{packages,apps}/*/test/**/*.agents.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
