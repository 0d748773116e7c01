import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['robota-source'], externalConditions: ['robota-source'] } },
  test: {
    include: ['test/packages/*.packages.test.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
});
