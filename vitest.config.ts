import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['robota-source'], externalConditions: ['robota-source'] } },
  test: {
    include: [
      'packages/*/test/**/*.test.{ts,tsx}',
      'apps/*/test/**/*.test.{ts,tsx}',
      'test/**/*.test.ts',
    ],
    exclude: [
      '**/fixtures/**',
      '**/node_modules/**',
      '**/*.agents.test.ts',
      '**/*.browser.test.ts',
      '**/*.packages.test.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Processes, not threads: tests start children, change directories and install signal handlers.
    pool: 'forks',
    // Most tests wait for processes, databases and screens: two cores carry two workers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
