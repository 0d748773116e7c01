import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { WebSocket } from 'ws';

const PROGRAM = join(import.meta.dirname, '../../apps/cli/bin/robota.cjs');

export interface ProcessSize {
  readonly residentMb: number;
  /** Open files and sockets. */
  readonly handles: number;
}

interface Addresses {
  readonly url: string;
  readonly inspector: string;
}

/** `robota serve` with a temporary home and the offline demo provider. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #root: string;
  readonly #inspector: string;

  private constructor(child: ChildProcess, root: string, addresses: Addresses) {
    this.#child = child;
    this.#root = root;
    this.url = addresses.url;
    this.#inspector = addresses.inspector;
  }

  static async start(): Promise<ServerProcess> {
    const root = mkdtempSync(join(tmpdir(), 'robota-soak-'));
    const child = spawn(
      process.execPath,
      ['--inspect=127.0.0.1:0', PROGRAM, 'serve', '--port', '0', '--provider', 'demo'],
      {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', HOME: root },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const failed = once(child, 'exit').then(() =>
      Promise.reject(new Error('The server did not start.')),
    );
    const addresses = Promise.all([
      firstMatch(child.stdout, /^http.*/),
      firstMatch(child.stderr, /ws:\/\/\S+/),
    ]);
    const [url, inspector] = await Promise.race([addresses, failed]);
    return new ServerProcess(child, root, { url, inspector });
  }

  get token(): string {
    return readFileSync(join(this.#root, '.robota/server-token'), 'utf8').trim();
  }

  /** Undefined where the system does not report it. */
  size(): ProcessSize | undefined {
    if (process.platform !== 'linux') return undefined;
    const { pid } = this.#child;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const residentMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    return { residentMb, handles: readdirSync(`/proc/${pid}/fd`).length };
  }

  /** Heap after a garbage collection. */
  async heapMb(): Promise<number> {
    const socket = new WebSocket(this.#inspector);
    await once(socket, 'open');
    try {
      await ask(socket, 1, 'HeapProfiler.collectGarbage');
      const { usedSize } = await ask(socket, 2, 'Runtime.getHeapUsage');
      return Number(usedSize) / 1024 / 1024;
    } finally {
      socket.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const isOver = this.#child.exitCode !== null;
    if (!isOver) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#root, { recursive: true, force: true });
  }
}

async function firstMatch(stream: Readable, pattern: RegExp): Promise<string> {
  for await (const line of createInterface({ input: stream })) {
    const found = pattern.exec(String(line))?.[0];
    if (found === undefined) continue;
    // Drains the rest: a program blocks when its output is not read.
    stream.resume();
    return found;
  }
  throw new Error('The server did not say where it is.');
}

/** One request of the inspector protocol. */
async function ask(
  socket: WebSocket,
  id: number,
  method: string,
): Promise<Readonly<Record<string, unknown>>> {
  socket.send(JSON.stringify({ id, method }));
  for await (const [data] of on(socket, 'message')) {
    const { id: answered, result } = JSON.parse(String(data)) as {
      id?: number;
      result?: Readonly<Record<string, unknown>>;
    };
    if (answered === id && result) return result;
  }
  throw new Error('The inspector gave no answer.');
}
