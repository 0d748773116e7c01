import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['robota-source'], externalConditions: ['robota-source'] } },
  test: {
    include: ['apps/web/test/browser/**/*.browser.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    pool: 'forks',
    // One browser at a time: what is measured in one test must not be disturbed by another.
    fileParallelism: false,
    // What is waited for ends by itself; a machine under load takes longer than the default second.
    expect: { poll: { timeout: 20_000 } },
  },
});
