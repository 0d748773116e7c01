import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['robota-source'], externalConditions: ['robota-source'] } },
  test: {
    include: ['apps/web/test/browser/**/*.browser.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    pool: 'forks',
    // One browser at a time, so that tests do not disturb each other's measurements.
    fileParallelism: false,
    // A machine under load needs longer than the default second.
    expect: { poll: { timeout: 20_000 } },
  },
});
