import { spawn } from 'node:child_process';
import { connect as openSocket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { freePort, OwnPostgres } from './own-postgres.ts';

/** A database server to test against; `stop` ends it if this run started it. */
export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** The server named in the environment, the one on the standard port, one started here, or none. */
export async function findPostgres(): Promise<Server | undefined> {
  const named = process.env.ROBOTA_TEST_POSTGRES_URL;
  if (named) return running(named);
  for (const url of ['postgres://127.0.0.1:5432/test', 'postgres://postgres@127.0.0.1:5432/test']) {
    if (await answersPostgres(url)) return running(url);
  }
  return startPostgres();
}

export async function findRedis(): Promise<Server | undefined> {
  const named = process.env.ROBOTA_TEST_REDIS_URL;
  if (named) return running(named);
  if (await isListening(6379)) return running('redis://127.0.0.1:6379');
  return startRedis();
}

/** Reports in the test output what was skipped and why. */
export function reportMissing(server: string, variable: string): void {
  process.stderr.write(
    `\n*** NOT RUN: every suite on ${server}. No server was found and none could be started; set ${variable}. ***\n\n`,
  );
}

function running(url: string): Server {
  return { url, stop: async () => undefined };
}

async function answersPostgres(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 3, onnotice: () => undefined });
  try {
    await sql`SELECT 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function startPostgres(): Promise<Server | undefined> {
  try {
    return await OwnPostgres.start();
  } catch (error) {
    process.stderr.write(`PostgreSQL could not be started: ${String(error)}\n`);
    return undefined;
  }
}

async function startRedis(): Promise<Server | undefined> {
  const port = await freePort();
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--save', '', '--bind', '127.0.0.1'],
    {
      stdio: 'ignore',
    },
  );
  const failed = new Promise<true>((resolve) => server.once('error', () => resolve(true)));
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await Promise.race([failed, delay(20)])) === true) return undefined;
    if (await isListening(port)) {
      return {
        url: `redis://127.0.0.1:${port}`,
        stop: () => new Promise((resolve) => server.once('exit', () => resolve()).kill()),
      };
    }
  }
  server.kill();
  return undefined;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
