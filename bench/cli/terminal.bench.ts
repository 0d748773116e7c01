import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { spawn as spawnPty } from '@lydell/node-pty';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { render } from 'ink';
import { createElement } from 'react';
import { Screen } from '../../apps/cli/src/terminal/components/screen.tsx';
import { initialScreen } from '../../apps/cli/src/terminal/state/screen-state.ts';
import { ScreenStore } from '../../apps/cli/src/terminal/state/screen-store.ts';
import { type BenchRow, median } from '../harness.ts';

const BIN = join(import.meta.dirname, '../../apps/cli/bin/robota.cjs');
const timestamp = '2026-01-01T00:00:00.000Z';

/** The screen drawn by Ink into nothing, in a terminal of the usual size. */
function drawnScreen(blocks: readonly ConversationBlock[]) {
  let frames = 0;
  const write = (_chunk: unknown, _encoding: string, done: () => void) => {
    frames += 1;
    done();
  };
  const sink = Object.assign(new Writable({ write }), {
    columns: 100,
    rows: 40,
    isTTY: true,
  });
  const store = new ScreenStore(
    initialScreen({
      columns: 100,
      rows: 40,
      status: {
        sessionName: undefined,
        model: 'demo',
        provider: 'demo',
        contextPercentage: 0,
        costUsd: undefined,
        mode: 'default',
        branch: undefined,
        isSaved: true,
      },
    }),
    () => undefined,
  );
  const app = render(createElement(Screen, { store, colors: true }), {
    stdout: sink as unknown as NodeJS.WriteStream,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  const conversation = { blocks, subagents: [], superseded: [], metadata: {} };
  store.dispatch({ type: 'opened', conversation });
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

const BARE_ROUNDS = 9;

async function bareNodeMs(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < BARE_ROUNDS; round++) {
    const started = performance.now();
    await new Promise((resolve) => spawn(process.execPath, ['-e', '0']).on('close', resolve));
    times.push(performance.now() - started);
  }
  return median(times);
}

/** From the start of the process until the prompt stands on the screen. */
async function firstFrameMs(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const times: number[] = [];
  for (let round = 0; round < BARE_ROUNDS; round++) {
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
    times.push(performance.now() - started);
    const ended = new Promise((resolve) => pty.onExit(resolve));
    pty.kill('SIGKILL');
    await ended;
  }
  rmSync(home, { recursive: true, force: true });
  return median(times);
}

export const rows: readonly BenchRow[] = [
  {
    name: 'first frame of the terminal, above bare Node',
    unit: 'ms',
    target: 250,
    async measure() {
      const [frame, bare] = [await firstFrameMs(), await bareNodeMs()];
      return {
        value: frame - bare,
        detail: `${frame.toFixed(0)} ms against ${bare.toFixed(0)} ms`,
      };
    },
  },
  {
    name: 'CPU of a key press in a session of 10,000 blocks',
    unit: 'ms',
    target: 16,
    async measure() {
      const blocks = Array.from({ length: 10_000 }, (_, index) => ({
        id: `b${index}`,
        timestamp,
        type: 'assistant_text' as const,
        content: `Paragraph ${index} of a long session.`,
      }));
      const { store, app, assertDrawn } = drawnScreen(blocks);
      await nextFrame();
      const presses = 50;
      const idle = await cpuMs(async () => {
        for (let press = 0; press < presses; press++) await nextFrame();
      });
      const busy = await cpuMs(async () => {
        for (let press = 0; press < presses; press++) {
          store.dispatch({ type: 'press', press: { kind: 'text', text: 'x' } });
          await nextFrame();
        }
      });
      assertDrawn(presses);
      app.unmount();
      return { value: (busy - idle) / presses, detail: `${presses} presses, drawn by Ink` };
    },
  },
  {
    name: 'share of one core while 1,000 deltas a second stream',
    unit: 'x',
    target: 0.3,
    async measure() {
      const { store, app, assertDrawn } = drawnScreen([]);
      const block = { id: 't', timestamp, type: 'assistant_text' as const, content: '' };
      store.dispatch({ type: 'busy', isBusy: true });
      store.dispatch({
        type: 'stream',
        event: { type: 'block_start', conversationId: 'main', block },
      });
      const seconds = 3;
      const cpu = await cpuMs(async () => {
        for (let tick = 0; tick < seconds * 100; tick++) {
          for (let delta = 0; delta < 10; delta++) {
            const text = (tick * 10 + delta) % 60 === 59 ? 'words.\n\n' : 'some words ';
            store.dispatch({
              type: 'stream',
              event: { type: 'text_delta', conversationId: 'main', blockId: 't', delta: text },
            });
          }
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      });
      assertDrawn(20 * seconds);
      app.unmount();
      return {
        value: cpu / (seconds * 1000),
        detail: `${cpu.toFixed(0)} ms of CPU in ${seconds} s`,
      };
    },
  },
];
