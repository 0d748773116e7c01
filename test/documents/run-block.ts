import { spawn } from 'node:child_process';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import type { DocumentPlace } from './document-place.ts';
import type { ShellBlock } from './read-document.ts';

interface BlockOutcome {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a block as a reader would, in the shell. */
export function runBlock(block: ShellBlock, place: DocumentPlace): Promise<BlockOutcome> {
  return block.run === 'in a terminal' ? runInTerminal(block, place) : runInShell(block, place);
}

function runInShell(
  { text, run }: ShellBlock,
  { project, environment, groups }: DocumentPlace,
): Promise<BlockOutcome> {
  return new Promise((resolve, reject) => {
    // A separate process group, so that everything a block starts can be interrupted as in a terminal.
    const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: project,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const take = (data: string) => {
      output += data;
      if (run === 'until stopped' && output.includes('\n')) signalGroup(child.pid, 'SIGINT');
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', (data: string) => {
      output += data;
    });
    child.on('error', reject);
    if (child.pid !== undefined) groups.push(child.pid);
    child.on('close', (code) => resolve({ code: isStopped(run, code) ? 0 : code, output }));
  });
}

/** An interrupted program exits with 0 or 130, or by a signal. */
function isStopped(run: ShellBlock['run'], code: number | null): boolean {
  return run === 'until stopped' && (code === 130 || code === null);
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal);
}

/** Waits for the first frame and quits. */
function runInTerminal(
  { text }: ShellBlock,
  { project, environment }: DocumentPlace,
): Promise<BlockOutcome> {
  return new Promise((resolve) => {
    const terminal = spawnInTerminal('bash', ['-eu', '-c', text], {
      name: 'xterm-256color',
      cols: 100,
      rows: 30,
      cwd: project,
      env: { ...environment, TERM: 'xterm-256color' },
    });
    let output = '';
    let isLeaving = false;
    terminal.onData((data) => {
      output += data;
      if (isLeaving || !output.includes(PICTURE_ENDS)) return;
      isLeaving = true;
      terminal.write(LEAVE);
    });
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, output }));
  });
}

const PICTURE_ENDS = '\u001b[?2026l';
const LEAVE = '\u0003\u0003';
