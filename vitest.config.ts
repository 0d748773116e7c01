import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take longest, most of it waiting. */
const LONG =
  /(?:crash\/[a-z-]+|shared-agents|live-session|hostile-repository|every-door|agents-on-nodes|catalogue|test\/packages|examples|documents)\.test\.ts$/;

/** Without this, a clone that has never been tested starts with the largest files, and waits for a long one in the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

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
    // Ends what hangs; a machine under load may take its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Processes, not threads: tests start children, change directories and install signal handlers.
    pool: 'forks',
    // Files share a worker and the modules it has loaded: loading them anew took a third of the run.
    isolate: false,
    sequence: { sequencer: LongFirst },
    globalSetup: ['test/shared-servers.ts'],
    setupFiles: ['test/restore-process.ts'],
    // Most tests wait for processes, databases and screens: a core carries two workers.
    maxWorkers: Math.max(4, availableParallelism()),
  },
});
