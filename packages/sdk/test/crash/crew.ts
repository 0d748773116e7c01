import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BundledProgram, bundleProgram } from '../../../../test/bundle-program.ts';
import type { NodeStart, Order, OrderDone, OrderSent } from './order.ts';

/** The program of a node, bundled. */
export function buildNode(): Promise<BundledProgram> {
  return bundleProgram(join(import.meta.dirname, 'crash-node.ts'));
}

/** A process of the story. */
export class CrashNode {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (done: OrderDone) => void>();
  #refs = 0;
  #isGone = false;
  #isReady = false;
  readonly ready: Promise<void>;

  constructor(program: string, start: NodeStart) {
    this.#process = fork(program, [JSON.stringify(start)], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env.PATH, HOME: start.directory },
    });
    this.#process.on('message', (done: OrderDone) => {
      this.#waiting.get(done.ref)?.(done);
      this.#waiting.delete(done.ref);
    });
    this.#process.on('exit', () => {
      this.#isGone = true;
      for (const [ref, settle] of this.#waiting) settle({ ref, error: 'gone' });
      this.#waiting.clear();
    });
    this.ready = new Promise((resolve) => {
      this.#waiting.set(0, () => {
        this.#isReady = true;
        resolve();
      });
    });
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isGone;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Rejects when it cannot be done, or the process is gone. */
  async tell(order: Order): Promise<unknown> {
    if (this.#isGone) throw new Error('gone');
    const ref = ++this.#refs;
    const done = await new Promise<OrderDone>((resolve) => {
      this.#waiting.set(ref, resolve);
      const sent: OrderSent = { ref, order };
      this.#process.send(sent, (error) => error && resolve({ ref, error: 'gone' }));
    });
    if (done.error !== undefined) throw new Error(done.error);
    return done.value;
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    if (this.#isGone) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exit;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async stop(): Promise<void> {
    if (this.#isGone) return;
    const exit = once(this.#process, 'exit');
    await this.tell({ type: 'stop' }).catch(() => undefined);
    this.#process.disconnect();
    await exit;
  }
}

export function scratch(): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'robota-crash-'));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
