import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '@robota-sdk/agent-core';
import { SessionHost } from '@robota-sdk/agent-sdk';
import { openSessionStore } from '@robota-sdk/agent-store/open';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import type { BenchRow, BenchValue } from '../harness.ts';

const SESSIONS = 1_000;

/** A server with many idle sessions: heap per session, and what is left after they are closed. */
async function measure(): Promise<{ held: number; left: number }> {
  const cwd = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const provider: Provider = { name: 'none', chat: () => Promise.reject(new Error('idle')) };
  const store = await openSessionStore(`sqlite:${join(cwd, 'sessions.db')}`);
  const host = new SessionHost({ store, defaults: { cwd, provider, bare: true } });
  const http = createHttpTransport({ host, token: false, port: 0 });
  await http.start();
  await (await host.create()).whenReady();
  const before = heap();
  for (let index = 0; index < SESSIONS; index++) await (await host.create()).whenReady();
  const standing = heap();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await host.sweep(0);
  const after = heap();
  await http.stop();
  await host.closeAll();
  await store.close();
  rmSync(cwd, { recursive: true, force: true });
  return { held: (standing - before) / SESSIONS, left: Math.max(0, after - before) / SESSIONS };
}

/** Kilobytes in use after garbage collection. */
function heap(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1_024;
}

let measured: Promise<{ held: number; left: number }> | undefined;
const measureOnce = () => {
  measured ??= measure();
  return measured;
};

export const rows: readonly BenchRow[] = [
  {
    name: `heap of each of ${SESSIONS} idle sessions of a server`,
    unit: 'KB',
    target: 150,
    async measure(): Promise<BenchValue> {
      const { held } = await measureOnce();
      return { value: held, detail: 'assembled, with its stored session in SQLite' };
    },
  },
  {
    name: `heap left of each of ${SESSIONS} sessions after a sweep closed them`,
    unit: 'KB',
    target: 5,
    async measure(): Promise<BenchValue> {
      const { left } = await measureOnce();
      return { value: left, detail: 'they come back on the next word' };
    },
  },
];
