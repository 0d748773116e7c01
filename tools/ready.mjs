// Makes a clone ready to run: dependencies when the lockfile or Node changed, a build when sources are newer
// (`--install` and `--build`: one of them alone).
// Uses nothing outside Node, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isBuildStale } from './stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const marker = join(root, 'node_modules', '.ready.json');
const lockDirectory = join(root, '.ready.lock');
/** A set-up that takes longer than this is taken to have died. */
const LOCK_STALE_MS = 15 * 60_000;

refuseOldNode();
await withLock(() => {
  if (!process.argv.includes('--build') && !isInstalled()) install();
  if (!process.argv.includes('--install') && isBuildStale(root)) run('node', ['tools/build.mjs']);
});

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 3) || (major === 20 && minor >= 19)) return;
  fail(
    `Robota needs Node 20.19 or newer, of Node 22 at least 22.3; this is ${process.versions.node}.`,
  );
}

function fingerprint() {
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lockfile).update(process.version).digest('hex');
}

function isInstalled() {
  return (
    existsSync(marker) && JSON.parse(readFileSync(marker, 'utf8')).fingerprint === fingerprint()
  );
}

function install() {
  process.stderr.write('Installing dependencies (npm ci)…\n');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(marker, JSON.stringify({ fingerprint: fingerprint() }));
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) fail(`Set-up failed: ${command} ${args.join(' ')}`);
}

/** Two set-ups at once would tear each other's node_modules apart; the second waits for the first. */
async function withLock(work) {
  while (!tryLock()) await new Promise((resolve) => setTimeout(resolve, 250));
  try {
    work();
  } finally {
    rmSync(lockDirectory, { recursive: true, force: true });
  }
}

function tryLock() {
  try {
    mkdirSync(lockDirectory);
    writeFileSync(join(lockDirectory, 'pid'), String(process.pid));
    process.once('exit', () => rmSync(lockDirectory, { recursive: true, force: true }));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) rmSync(lockDirectory, { recursive: true, force: true });
    return false;
  }
}

function isAbandoned() {
  try {
    if (Date.now() - statSync(lockDirectory).mtimeMs > LOCK_STALE_MS) return true;
    process.kill(Number(readFileSync(join(lockDirectory, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
