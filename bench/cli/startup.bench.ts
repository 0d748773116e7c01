import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, median } from '../harness.ts';

const BIN = join(import.meta.dirname, '../../apps/cli/bin/robota.cjs');
const ROUNDS = 15;

interface Run {
  /** Milliseconds from start to end. */
  readonly total: number;
  /** Kilobytes at the peak, from the kernel. */
  readonly peak: number;
}

/** A clean environment: an inherited certificate bundle alone would add tens of milliseconds. */
function run(
  args: readonly string[],
  home: string,
  env: Record<string, string> = {},
): Promise<Run> {
  const started = performance.now();
  let peak = 0;
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
    stdio: 'ignore',
  });
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  }, 5);
  return new Promise((resolve) => {
    child.on('close', () => {
      clearInterval(watch);
      resolve({ total: performance.now() - started, peak });
    });
  });
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Alternates both sides, so that noise affects both. */
async function compare(
  ours: () => Promise<number>,
  home: string,
): Promise<{ mine: number; bare: number }> {
  const [mine, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push((await run(['-e', '0'], home)).total);
    mine.push(await ours());
  }
  return { mine: median(mine), bare: median(bare) };
}

async function withHome<Result>(work: (home: string) => Promise<Result>): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A model server that refuses every request and reports when the first one arrived. */
async function withModel<Result>(
  work: (url: string, arrival: () => Promise<number>) => Promise<Result>,
): Promise<Result> {
  let tell: (time: number) => void = () => undefined;
  const server = createServer((request, response) => {
    tell(performance.now());
    request.resume().on('end', () => response.writeHead(400).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await work(
      `http://127.0.0.1:${port}`,
      () =>
        new Promise((resolve) => {
          tell = resolve;
        }),
    );
  } finally {
    server.close();
  }
}

const ms = ({ mine, bare }: { mine: number; bare: number }) =>
  `${mine.toFixed(0)} ms against bare Node's ${bare.toFixed(0)} ms`;

export const rows: readonly BenchRow[] = [
  {
    name: 'robota --version',
    unit: 'x',
    target: 1.3,
    measure: () =>
      withHome(async (home) => {
        const result = await compare(async () => (await run([BIN, '--version'], home)).total, home);
        return { value: result.mine / result.bare, detail: ms(result) };
      }),
  },
  {
    name: 'robota -p until the first request arrives, times bare Node',
    unit: 'x',
    target: 3.5,
    measure: () =>
      withHome((home) =>
        withModel(async (url, arrival) => {
          const env = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url };
          const result = await compare(async () => {
            const started = performance.now();
            const arrived = arrival();
            const done = run([BIN, '-p', 'hello'], home, env);
            const time = (await arrived) - started;
            await done;
            return time;
          }, home);
          return { value: result.mine / result.bare, detail: ms(result) };
        }),
      ),
  },
  {
    name: 'peak memory of one prompt',
    unit: 'MB',
    target: 100,
    measure: () =>
      withHome(async (home) => {
        const peaks: number[] = [];
        for (let round = 0; round < 5; round++) {
          peaks.push(
            (await run([BIN, '-p', 'list files', '--provider', 'demo'], home)).peak / 1024,
          );
        }
        return { value: median(peaks), detail: 'the kernel’s high-water mark, sampled' };
      }),
  },
  {
    name: 'listing 10,000 sessions, above bare Node',
    unit: 'ms',
    target: 150,
    measure: () =>
      withHome(async (home) => {
        writeSessions(home, 10_000);
        await run([BIN, 'sessions', 'list', '--agent', 'robota'], home);
        const result = await compare(
          async () => (await run([BIN, 'sessions', 'list', '--agent', 'robota'], home)).total,
          home,
        );
        return { value: result.mine - result.bare, detail: ms(result) };
      }),
  },
];

function writeSessions(home: string, count: number): void {
  const folder = join(home, '.robota/sessions');
  mkdirSync(folder, { recursive: true });
  const message = {
    id: 'm',
    timestamp: new Date(0),
    state: 'complete',
    role: 'user',
    content: 'x'.repeat(500),
  };
  for (let index = 0; index < count; index++) {
    const id = `session-${index}`;
    const time = new Date(index * 1000).toISOString();
    const record = {
      version: 1,
      id,
      cwd: home,
      createdAt: time,
      updatedAt: time,
      messages: [message],
      history: [],
    };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(record));
  }
}
