import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a program is run for one measurement. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface Measured {
  /** Milliseconds from the start to the awaited event. */
  readonly ms: number;
  /** Peak megabytes of the program and its children, sampled every 10 ms. */
  readonly mb: number;
}

/** A unique text: the request that contains it carries the prompt. */
export const PROMPT = 'peer-bench-prompt';
const TIMEOUT_MS = 60_000;

/** A model server that refuses everything and reports when the prompt arrives. */
export interface DecliningServer {
  readonly url: string;
  arrival(): Promise<void>;
  close(): void;
}

export async function startDecliningServer(): Promise<DecliningServer> {
  let tell: () => void = () => undefined;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      if (body.includes(PROMPT)) tell();
      response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrival: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Runs until the program exits; a failing program is not measured. */
export function untilEnd(start: Start): Promise<Measured> {
  return measured(start, (child) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return new Promise((resolve, reject) => {
      child.on('close', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`ended with ${code}: ${said.slice(-300)}`));
      });
    });
  });
}

/** Runs until the prompt reaches the server, then ends the program. */
export function untilArrival(start: Start, server: DecliningServer): Promise<Measured> {
  return measured(start, (child) => {
    const ended = new Promise<never>((_resolve, reject) => {
      child.on('close', (code) => reject(new Error(`ended with ${code} before it asked`)));
    });
    return Promise.race([server.arrival(), ended]);
  });
}

async function measured(
  { command, args, env, cwd }: Start,
  wait: (child: ChildProcess) => Promise<void>,
): Promise<Measured> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  child.stderr?.resume();
  let mb = 0;
  const sampling = setInterval(() => {
    mb = Math.max(mb, treeMegabytes(child.pid ?? 0));
  }, 10);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const timeout = new Error(`nothing came within ${TIMEOUT_MS / 1000} s`);
    timer = setTimeout(() => reject(timeout), TIMEOUT_MS);
  });
  try {
    await Promise.race([wait(child), late]);
    return { ms: performance.now() - started, mb };
  } finally {
    clearInterval(sampling);
    clearTimeout(timer);
    endGroup(child.pid);
  }
}

/** Ends only the process group started here. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function treeMegabytes(root: number): number {
  const members = [root];
  let kilobytes = 0;
  for (const pid of members) {
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
    for (const task of list(`/proc/${pid}/task`)) {
      const children = read(`/proc/${pid}/task/${task}/children`).trim();
      if (children !== '') members.push(...children.split(' ').map(Number));
    }
  }
  return kilobytes / 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has just exited.
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
