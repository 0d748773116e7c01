// The whole test run: build, checks and every suite. With files or names of tests, those alone: no build and no checks,
// since tests run sources, and those of built programs build what is out of date.
// The last line is `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const isWhole = wanted.length === 0;
const setUp = [join(root, 'tools/ready.mjs'), ...(isWhole ? [] : ['--install'])];
if (spawnSync(process.execPath, setUp, { stdio: 'inherit' }).status !== 0) process.exit(1);
const scratch = mkdtempSync(join(tmpdir(), 'robota-test-'));
const reportFile = join(scratch, 'report.json');
const browserReportFile = join(scratch, 'browser.json');
if (isWhole) process.env.ROBOTA_TEST_WHOLE = '1';
const DONE = { status: 0, output: '' };

// Suites wait for processes, databases and screens much of the time: the checks, and then the browser, use the rest.
const beside = isWhole ? checkAndBrowse() : Promise.resolve({ check: DONE, browser: DONE });
const suites = await run('npx', [
  '--no-install',
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile}`,
  ...filtersOf(wanted),
]);
const { check, browser } = await beside;
for (const { output } of [check, browser]) process.stdout.write(output);

const checkFailed = check.status === 0 ? 0 : 1;
const { passed, failed, skipped } = sum([count(reportFile), ...browserCounts()]);
rmSync(scratch, { recursive: true, force: true });
const failures = failed + checkFailed;
const trailer = skipped > 0 ? `, ${skipped} skipped` : '';
const checksPassed = isWhole ? 1 - checkFailed : 0;
process.stdout.write(`${passed + checksPassed} passed, ${failures} failed${trailer}\n`);
const isNothing = !isWhole && passed + failed === 0;
if (isNothing) process.stderr.write(`No test has ${wanted.join(' ')} in its file or name.\n`);
process.exitCode =
  failures === 0 && suites.status === 0 && browser.status === 0 && !isNothing ? 0 : 1;

async function checkAndBrowse() {
  const check = await run('node', ['tools/check.mjs'], 'pipe');
  // Says loudly that it tests nothing where there is no Chromium.
  const browser = await run(
    'node',
    [
      'tools/test-web.mjs',
      '--core',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${browserReportFile}`,
    ],
    'pipe',
  );
  return { check, browser };
}

/** With `pipe`, what it prints is returned, to be shown when nothing else prints. */
function run(command, args, output = 'inherit') {
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', output, output] });
  const pieces = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => {
      if (signal) pieces.push(Buffer.from(`${command} ${args[0]} was ended by ${signal}.\n`));
      resolve({ status, output: Buffer.concat(pieces).toString() });
    });
  });
}

/** Words that are part of a test file's path choose files, others choose tests by name; options go on as they are. */
function filtersOf(words) {
  const files = words.some((word) => !word.startsWith('-')) ? testFiles() : [];
  return words.flatMap((word) => {
    if (word.startsWith('-')) return [word];
    const path = word.replace(/^\.\//, '');
    if (files.some((file) => file.includes(path))) return [path];
    return [...filesWith(word, files), '--testNamePattern', word];
  });
}

/** Files that contain the text; none, which means all, where a name is put together from several places. */
function filesWith(text, files) {
  return files.filter((file) => readFileSync(join(root, file), 'utf8').includes(text));
}

function testFiles() {
  const folders = ['packages', 'apps', 'test'].map((name) => join(root, name));
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
      .map((path) => relative(root, join(folder, path))),
  );
}

/** Nothing where there was no browser to test in. */
function browserCounts() {
  const isTested = isWhole && (existsSync(browserReportFile) || browser.status !== 0);
  return isTested ? [count(browserReportFile)] : [];
}

function sum(counts) {
  const total = (name) => counts.reduce((all, each) => all + each[name], 0);
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
}

/** A run that dies before it writes its report counts as one failure. */
function count(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const skipped = report.numPendingTests + report.numTodoTests;
    const brokenFiles = report.testResults.filter(
      (each) => each.status === 'failed' && each.assertionResults.length === 0,
    ).length;
    return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
