import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type BundledProgram, bundleProgram } from '../../../../test/bundle-program.ts';
import type { DatabaseAddress } from '../databases/test-database.ts';
import type { Command, Outcome, Report, Step } from './command.ts';

/** Processes that use one database concurrently. */
export class Crew {
  readonly #program: BundledProgram;
  readonly #processes: ChildProcess[];
  #calls = 0;

  static async start(address: DatabaseAddress, size: number): Promise<Crew> {
    return new Crew(await bundleProgram(join(import.meta.dirname, 'worker.ts')), address, size);
  }

  private constructor(program: BundledProgram, address: DatabaseAddress, size: number) {
    this.#program = program;
    this.#processes = Array.from({ length: size }, () =>
      fork(program.file, [JSON.stringify(address)], {
        execArgv: [],
        env: { PATH: process.env.PATH, HOME: process.env.HOME },
      }),
    );
  }

  get size(): number {
    return this.#processes.length;
  }

  /** Runs the steps of all processes concurrently. */
  all(stepsOf: (worker: number) => readonly Step[], options: object = {}): Promise<Outcome[][]> {
    return Promise.all(
      this.#processes.map((_process, worker) => this.one(worker, stepsOf(worker), options)),
    );
  }

  one(worker: number, steps: readonly Step[], options: object = {}): Promise<Outcome[]> {
    const worked = this.#processes[worker];
    if (worked === undefined) throw new Error(`There is no worker ${worker}`);
    const command: Command = { call: ++this.#calls, options, steps };
    return new Promise((resolve, reject) => {
      const onMessage = (report: Report): void => {
        if (report.call !== command.call) return;
        worked.off('message', onMessage).off('exit', onExit);
        resolve([...report.outcomes]);
      };
      const onExit = (): void => reject(new Error(`Worker ${worker} ended before it answered`));
      worked.on('message', onMessage).once('exit', onExit);
      worked.send(command);
    });
  }

  /** Kills a process. */
  async kill(worker: number): Promise<void> {
    const [killed] = this.#processes.splice(worker, 1);
    if (killed === undefined) throw new Error(`There is no worker ${worker}`);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
  }

  async dismiss(): Promise<void> {
    await Promise.all(
      this.#processes.map(async (worker) => {
        const exit = once(worker, 'exit');
        worker.disconnect();
        await exit;
      }),
    );
    this.#program.remove();
  }
}
