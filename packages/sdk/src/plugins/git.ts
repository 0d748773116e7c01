import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 60_000;

/** Clones without history; `ref` is a branch or a tag. */
export async function cloneRepository(url: string, target: string, ref?: string): Promise<void> {
  const branch = ref === undefined ? [] : ['--branch', plainArgument(ref)];
  await git(['clone', '--depth', '1', ...branch, '--', plainArgument(url), target]);
}

export async function pullRepository(directory: string): Promise<void> {
  await git(['-C', directory, 'fetch', '--depth', '1', 'origin', 'HEAD']);
  await git(['-C', directory, 'reset', '--hard', 'FETCH_HEAD']);
}

/** The first twelve digits of the checked-out commit. */
export async function commitOf(directory: string): Promise<string> {
  return (await git(['-C', directory, 'rev-parse', 'HEAD'])).trim().slice(0, 12);
}

/** Never through a shell, never with a protocol that runs programs, never asking for a password. */
async function git(args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
  };
  const run = promisify(execFile);
  const { stdout } = await run('git', ['-c', 'core.hooksPath=/dev/null', ...args], {
    env,
    timeout: TIMEOUT_MS,
  });
  return stdout;
}

function plainArgument(value: string): string {
  if (!value.startsWith('-')) return value;
  throw new Error(`"${value}" cannot be given to git`);
}
