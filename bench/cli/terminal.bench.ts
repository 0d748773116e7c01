import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { spawn as spawnPty } from '@lydell/node-pty';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { TerminalOutput } from '../../apps/cli/src/terminal/output/terminal-output.ts';
import { initialScreen } from '../../apps/cli/src/terminal/state/screen-state.ts';
import { ScreenStore } from '../../apps/cli/src/terminal/state/screen-store.ts';
import { OUR_SESSION } from '../../apps/cli/test/terminal/state/screen-fixture.ts';
import { type BenchRow, median } from '../harness.ts';

const BIN = join(import.meta.dirname, '../../apps/cli/bin/robota.cjs');
const timestamp = '2026-01-01T00:00:00.000Z';
const at = Date.parse(timestamp);

/** The screen drawn into nothing, in a terminal of the usual size. */
function drawnScreen(blocks: readonly ConversationBlock[]) {
  let frames = 0;
  const write = (_chunk: unknown, _encoding: string, done: () => void) => {
    frames += 1;
    done();
  };
  const sink = Object.assign(new Writable({ write }), { columns: 100, rows: 40, isTTY: true });
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
  const output = new TerminalOutput(sink as unknown as WriteStream, store);
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
  return { store, output, assertDrawn };
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

function paragraphs(count: number): readonly ConversationBlock[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `b${index}`,
    timestamp,
    type: 'assistant_text' as const,
    content: `Paragraph ${index} of a long session.`,
  }));
}

/** CPU of one key press in a session of so many blocks, drawn. */
async function pressMs(count: number): Promise<number> {
  const { store, output, assertDrawn } = drawnScreen(paragraphs(count));
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
  output.end([]);
  return cpu / presses;
}

/** CPU of one delta inside a line of an answer after so many blocks, not drawn. */
async function deltaMs(count: number): Promise<number> {
  const { store, output } = drawnScreen(paragraphs(count));
  const block = { id: 't', timestamp, type: 'assistant_text' as const, content: '' };
  const main = { conversationId: 'main' } as const;
  store.dispatch({ type: 'prompt_given', text: 'go', at });
  store.dispatch({ type: 'stream', event: { type: 'block_start', ...main, block }, at });
  const deltas = 2_000;
  const send = () => {
    for (let sent = 0; sent < deltas; sent++) {
      const event = { type: 'text_delta', ...main, blockId: 't', delta: 'word ' } as const;
      store.dispatch({ type: 'stream', event, at });
    }
  };
  send();
  const cpu = await cpuMs(async () => send());
  output.end([]);
  return cpu / deltas;
}

const TABLE_HEAD = '| name | text |\n|---|---|\n';

/** Share of one core while 1,000 deltas a second of one answer arrive and are drawn. */
async function streamedShare(deltaAt: (index: number) => string) {
  const { store, output, assertDrawn } = drawnScreen([]);
  const block = { id: 't', timestamp, type: 'assistant_text' as const, content: '' };
  const main = { conversationId: 'main' } as const;
  store.dispatch({ type: 'prompt_given', text: 'go', at });
  store.dispatch({ type: 'stream', event: { type: 'block_start', ...main, block }, at });
  const seconds = 3;
  const cpu = await cpuMs(async () => {
    for (let tick = 0; tick < seconds * 100; tick++) {
      for (let part = 0; part < 10; part++) {
        const delta = deltaAt(tick * 10 + part);
        const event = { type: 'text_delta', ...main, blockId: 't', delta } as const;
        store.dispatch({ type: 'stream', event, at });
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  assertDrawn(15 * seconds);
  output.end([]);
  return {
    value: cpu / (seconds * 1000),
    detail: `${cpu.toFixed(0)} ms of CPU in ${seconds} s`,
  };
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
    name: 'a delta at 10,000 blocks, times one at 10',
    unit: 'x',
    target: 2,
    async measure() {
      const [few, many] = [await deltaMs(10), await deltaMs(10_000)];
      return { value: many / few, detail: `${many.toFixed(4)} ms against ${few.toFixed(4)} ms` };
    },
  },
  {
    name: 'share of one core while 1,000 deltas a second stream',
    unit: 'x',
    target: 0.3,
    measure: () => streamedShare((index) => (index % 60 === 59 ? 'words.\n\n' : 'some words ')),
  },
  {
    name: 'the same while a table streams, a row with each delta',
    unit: 'x',
    target: 0.4,
    measure: () =>
      streamedShare((index) =>
        index === 0 ? TABLE_HEAD : `| row ${index} | and what it says |\n`,
      ),
  },
];
