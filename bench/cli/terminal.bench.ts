import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { spawn as spawnPty } from '@lydell/node-pty';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { build } from 'esbuild';
import { OUR_SESSION } from '../../apps/cli/test/terminal/state/screen-fixture.ts';
import { type BenchRow, median } from '../harness.ts';

const BIN = join(import.meta.dirname, '../../apps/cli/bin/robota.cjs');
const timestamp = '2026-01-01T00:00:00.000Z';
const at = Date.parse(timestamp);

let parts: Promise<typeof import('./screen-parts.ts')> | undefined;

/** As in the bundle: React without the checks of development, and widths of plain text counted without tables. */
async function bundleParts(): Promise<typeof import('./screen-parts.ts')> {
  const folder = mkdtempSync(join(import.meta.dirname, '.bundle-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'screen-parts.mjs');
  const stand = (name: string) => join(import.meta.dirname, '../../apps/cli/bundle', name);
  await build({
    entryPoints: [join(import.meta.dirname, 'screen-parts.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    conditions: ['robota-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { 'react-devtools-core': stand('no-devtools.cjs'), 'is-in-ci': stand('not-in-ci.cjs') },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'string-width',
        setup({ onResolve }) {
          const path = stand('string-width.cjs');
          onResolve({ filter: /^string-width$/ }, ({ importer }) =>
            importer === path ? undefined : { path },
          );
        },
      },
    ],
    logLevel: 'error',
  });
  return import(program) as Promise<typeof import('./screen-parts.ts')>;
}

/** The screen drawn by Ink into nothing, in a terminal of the usual size. */
async function drawnScreen(blocks: readonly ConversationBlock[]) {
  parts ??= bundleParts();
  const { createElement, initialScreen, render, Screen, ScreenStore } = await parts;
  let frames = 0;
  const write = (_chunk: unknown, _encoding: string, done: () => void) => {
    frames += 1;
    done();
  };
  const sink = Object.assign(new Writable({ write }), {
    columns: 100,
    rows: 100_000,
    isTTY: true,
  });
  const store = new ScreenStore(
    initialScreen({
      version: '0',
      directory: '/',
      columns: 100,
      rows: 40,
      status: { model: 'demo', provider: 'demo' },
    }),
    () => undefined,
  );
  const app = render(createElement(Screen, { store }), {
    stdout: sink as unknown as NodeJS.WriteStream,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  const conversation = { blocks, subagents: [], superseded: [], metadata: {} };
  store.dispatch({
    type: 'opened',
    conversation,
    session: OUR_SESSION,
    banner: {},
    isFresh: false,
  });
  /** A row about drawing means nothing when nothing was drawn. */
  const assertDrawn = (least: number) => {
    if (frames < least) throw new Error(`The terminal drew ${frames} times, not at least ${least}`);
  };
  return { store, app, assertDrawn };
}

const nextFrame = () => new Promise((resolve) => setTimeout(resolve, 40));

async function cpuMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const ROUNDS = 15;

async function bareNodeMs(): Promise<number> {
  const started = performance.now();
  const env = { PATH: process.env.PATH ?? '' };
  await new Promise((resolve) =>
    spawn(process.execPath, ['-e', '0'], { env }).on('close', resolve),
  );
  return performance.now() - started;
}

/** From the start of the process until the prompt stands on the screen, in turn with bare Node. */
async function firstFrame(): Promise<{ frame: number; bare: number }> {
  const home = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const [frames, bares]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bares.push(await bareNodeMs());
    frames.push(await firstFrameMs(home));
  }
  rmSync(home, { recursive: true, force: true });
  return { frame: median(frames), bare: median(bares) };
}

async function firstFrameMs(home: string): Promise<number> {
  const started = performance.now();
  const pty = spawnPty(process.execPath, [BIN, '--provider', 'demo'], {
    cols: 100,
    rows: 40,
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm-256color' },
  });
  await new Promise<void>((resolve) => {
    pty.onData((text) => text.includes('❯') && resolve());
  });
  const time = performance.now() - started;
  const ended = new Promise((resolve) => pty.onExit(resolve));
  pty.kill('SIGKILL');
  await ended;
  return time;
}

/** CPU of one key press in a session of so many blocks, drawn. */
async function pressMs(count: number): Promise<number> {
  const blocks = Array.from({ length: count }, (_, index) => ({
    id: `b${index}`,
    timestamp,
    type: 'assistant_text' as const,
    content: `Paragraph ${index} of a long session.`,
  }));
  const { store, app, assertDrawn } = await drawnScreen(blocks);
  const presses = 60;
  const press = async () => {
    store.dispatch({ type: 'press', press: { kind: 'text', text: 'x' }, at });
    await nextFrame();
  };
  for (let warm = 0; warm < 20; warm++) await press();
  const cpu = await cpuMs(async () => {
    for (let done = 0; done < presses; done++) await press();
  });
  assertDrawn(presses);
  app.unmount();
  return cpu / presses;
}

export const rows: readonly BenchRow[] = [
  {
    name: 'first frame of the terminal, times bare Node',
    unit: 'x',
    target: 6,
    async measure() {
      const { frame, bare } = await firstFrame();
      return {
        value: frame / bare,
        detail: `${frame.toFixed(0)} ms against ${bare.toFixed(0)} ms`,
      };
    },
  },
  {
    name: 'a key press at 10,000 blocks, times one at 10',
    unit: 'x',
    target: 2,
    async measure() {
      const [few, many] = [await pressMs(10), await pressMs(10_000)];
      return { value: many / few, detail: `${many.toFixed(2)} ms against ${few.toFixed(2)} ms` };
    },
  },
  {
    name: 'share of one core while 1,000 deltas a second stream',
    unit: 'x',
    target: 0.3,
    async measure() {
      const { store, app, assertDrawn } = await drawnScreen([]);
      const block = { id: 't', timestamp, type: 'assistant_text' as const, content: '' };
      store.dispatch({ type: 'prompt_given', text: 'go', at });
      store.dispatch({
        type: 'stream',
        event: { type: 'block_start', conversationId: 'main', block },
        at,
      });
      const seconds = 3;
      const cpu = await cpuMs(async () => {
        for (let tick = 0; tick < seconds * 100; tick++) {
          for (let delta = 0; delta < 10; delta++) {
            const text = (tick * 10 + delta) % 60 === 59 ? 'words.\n\n' : 'some words ';
            store.dispatch({
              type: 'stream',
              event: { type: 'text_delta', conversationId: 'main', blockId: 't', delta: text },
              at,
            });
          }
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      });
      assertDrawn(15 * seconds);
      app.unmount();
      return {
        value: cpu / (seconds * 1000),
        detail: `${cpu.toFixed(0)} ms of CPU in ${seconds} s`,
      };
    },
  },
];
