import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { createProjectSessionStore, InteractiveSession, SessionHost } from '@robota-sdk/agent-sdk';
import { type BenchRow, type BenchValue, median } from '../harness.ts';

const root = join(import.meta.dirname, '../..');

export const rows: readonly BenchRow[] = [
  {
    name: 'sdk: importing the built package and a first session, times bare Node',
    unit: 'x',
    target: 3,
    measure: firstSession,
  },
  {
    name: 'sdk: one text delta from provider to subscriber, silent logger, to EventEmitter.emit',
    unit: 'x',
    target: 15,
    measure: deltaPath,
  },
  {
    name: 'sdk: turn 400 against turn 10, one-line turns with store and log',
    unit: 'x',
    target: 1.2,
    measure: longConversation,
  },
  {
    name: 'sdk: one of 1,000 idle sessions in a host',
    unit: 'KB',
    target: 150,
    measure: idleSessions,
  },
];

const FIRST_ANSWER = `
  const reply = { id: '1', timestamp: new Date(), state: 'complete', role: 'assistant', content: 'Hi.' };
  const session = new InteractiveSession({ cwd: '.', provider: { name: 'one', chat: async () => reply } });
  const { status } = await session.submit('Hello');
  await session.shutdown();
  if (status !== 'completed') process.exit(1);`;

/** Alternates bare and loaded processes and takes the best of each, because the machine may be busy. */
function firstSession(): BenchValue {
  const built = join(root, 'packages/sdk/dist/index.js');
  if (!existsSync(built)) throw new Error(`${built} is missing: run npm run build first`);
  const cwd = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const bare = join(cwd, 'bare.mjs');
  const loaded = join(cwd, 'loaded.mjs');
  writeFileSync(bare, '');
  writeFileSync(
    loaded,
    `import { InteractiveSession } from ${JSON.stringify(built)};${FIRST_ANSWER}`,
  );
  const env = { PATH: process.env.PATH ?? '', HOME: cwd };
  const run = (program: string) => {
    const started = performance.now();
    execFileSync(process.execPath, [program], { cwd, env, stdio: 'ignore' });
    return performance.now() - started;
  };
  try {
    const times = Array.from({ length: 15 }, () => ({ base: run(bare), ours: run(loaded) }));
    const base = Math.min(...times.map((time) => time.base));
    const ours = Math.min(...times.map((time) => time.ours));
    return { value: ours / base, detail: `${ours.toFixed(0)} ms against ${base.toFixed(0)} ms` };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const DELTAS = 20_000;

/** Best of several rounds on both sides, to exclude other load. */
async function deltaPath(): Promise<BenchValue> {
  let perDelta = Number.POSITIVE_INFINITY;
  const provider: Provider = {
    name: 'streams',
    chat(_messages, options) {
      const started = performance.now();
      for (let index = 0; index < DELTAS; index++) options?.onTextDelta?.('word ');
      perDelta = Math.min(perDelta, (performance.now() - started) / DELTAS);
      return Promise.resolve(createAssistantMessage('done'));
    },
  };
  const session = new InteractiveSession({
    cwd: tmpdir(),
    provider,
    bare: true,
    builtinTools: false,
  });
  let received = 0;
  session.on('text_delta', (delta) => {
    received += delta.length;
  });
  for (let turn = 0; turn < 12; turn++) await session.submit('go');
  await session.shutdown();
  const base = emitCost();
  const detail = `${(perDelta * 1e6).toFixed(0)} ns against ${(base * 1e6).toFixed(0)} ns, ${received} characters`;
  return { value: perDelta / base, detail };
}

function emitCost(): number {
  const emitter = new EventEmitter();
  let received = 0;
  emitter.on('text_delta', (delta: string) => {
    received += delta.length;
  });
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 12; round++) {
    const started = performance.now();
    for (let index = 0; index < DELTAS; index++) emitter.emit('text_delta', 'word ');
    best = Math.min(best, (performance.now() - started) / DELTAS);
  }
  return received > 0 ? best : Number.NaN;
}

async function longConversation(): Promise<BenchValue> {
  const home = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const before = process.env.ROBOTA_HOME;
  process.env.ROBOTA_HOME = join(home, '.robota');
  const answer = 'x'.repeat(500);
  const provider: Provider = {
    name: 'instant',
    chat(_messages, options) {
      for (let index = 0; index < 10; index++) options?.onTextDelta?.(answer.slice(0, 50));
      return Promise.resolve(createAssistantMessage(answer));
    },
  };
  const sessionStore = createProjectSessionStore(home);
  const session = new InteractiveSession({
    cwd: home,
    provider,
    sessionStore,
    bare: true,
    builtinTools: false,
    autoCompactThreshold: false,
    contextMaxTokens: 10_000_000,
  });
  try {
    const times: number[] = [];
    for (let turn = 0; turn < 405; turn++) {
      const started = performance.now();
      await session.submit('y'.repeat(500));
      times.push(performance.now() - started);
    }
    const early = median(times.slice(5, 15));
    const late = median(times.slice(395, 405));
    return {
      value: late / early,
      detail: `${late.toFixed(2)} ms against ${early.toFixed(2)} ms, file logger`,
    };
  } finally {
    await session.shutdown();
    if (before === undefined) delete process.env.ROBOTA_HOME;
    else process.env.ROBOTA_HOME = before;
    rmSync(home, { recursive: true, force: true });
  }
}

async function idleSessions(): Promise<BenchValue> {
  const provider: Provider = { name: 'none', chat: () => Promise.reject(new Error('idle')) };
  const host = new SessionHost({ defaults: { cwd: tmpdir(), provider, bare: true } });
  await (await host.create()).whenReady();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 1_000; index++) await (await host.create()).whenReady();
  collectGarbage();
  const each = (process.memoryUsage().heapUsed - before) / 1_000 / 1_024;
  await host.closeAll();
  return { value: each, detail: 'heap of an open session, including its eight tools' };
}

function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
}
