import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, '../../apps/cli/bin/robota.cjs');

export interface ProcessSize {
  readonly residentMb: number;
  /** Open files and sockets. */
  readonly handles: number;
}

/** `robota serve` with a home of its own and the offline demonstration behind it. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #root: string;

  private constructor(child: ChildProcess, root: string, url: string) {
    this.#child = child;
    this.#root = root;
    this.url = url;
  }

  static async start(): Promise<ServerProcess> {
    const root = mkdtempSync(join(tmpdir(), 'robota-soak-'));
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--provider', 'demo'], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', HOME: root },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const [url] = (await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(() => Promise.reject(new Error('The server did not start.'))),
    ])) as [string];
    return new ServerProcess(child, root, url);
  }

  get token(): string {
    return readFileSync(join(this.#root, '.robota/server-token'), 'utf8').trim();
  }

  /** Undefined where the system does not tell. */
  size(): ProcessSize | undefined {
    if (process.platform !== 'linux') return undefined;
    const { pid } = this.#child;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const residentMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    return { residentMb, handles: readdirSync(`/proc/${pid}/fd`).length };
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
