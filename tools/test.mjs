// The whole test run: checks, then every suite. The last line is `N passed, N failed` for the repository.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const root = new URL('..', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'robota-test-'));
const reportFile = join(scratch, 'report.json');
const filters = process.argv.slice(2);

const check = spawnSync('node', ['tools/check.mjs'], { cwd: root, stdio: 'inherit' });
const suites = spawnSync(
  'npx',
  [
    '--no-install',
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...filters,
  ],
  { cwd: root, stdio: 'inherit' },
);

const checkFailed = check.status === 0 ? 0 : 1;
const { passed, failed, skipped } = count();
const failures = failed + checkFailed;
const trailer = skipped > 0 ? `, ${skipped} skipped` : '';
process.stdout.write(`${passed + 1 - checkFailed} passed, ${failures} failed${trailer}\n`);
process.exitCode = failures === 0 && suites.status === 0 ? 0 : 1;

/** A run that dies before it writes its report counts as one failure. */
function count() {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    const skipped = report.numPendingTests + report.numTodoTests;
    const brokenFiles = report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    ).length;
    return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
