import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: [
      'packages/*/test/**/*.test.{ts,tsx}',
      'apps/*/test/**/*.test.{ts,tsx}',
      'test/**/*.test.ts',
    ],
    exclude: ['**/fixtures/**', '**/node_modules/**', '**/*.agents.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Processes, not threads: tests start children, change directories and install signal handlers.
    pool: 'forks',
    // This package publishes a `source` condition of its own that Node cannot load; vite can.
    server: {
      deps: {
        inline: [/@ai-sdk\//, /@modelcontextprotocol\//, 'eventsource', 'eventsource-parser'],
      },
    },
  },
});
