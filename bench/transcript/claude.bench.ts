import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  applyStreamEvent,
  type ConversationState,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import { parseTranscriptFile, readLastBlocks } from '@robota-sdk/agent-transcript/architectures';
import { type BenchRow, type BenchValue, medianMs, ratioOf } from '../harness.ts';
import { writeClaudeTranscript } from './claude-transcript.ts';

const MB = 1_000_000;

export const rows: readonly BenchRow[] = [
  {
    name: 'folding ten times as many stream events (1 M against 100 k) costs ten times as much',
    unit: 'x',
    target: 13,
    measure: () => {
      foldEvents(100_000);
      const few = time(() => foldEvents(100_000));
      const many = time(() => foldEvents(1_000_000));
      const detail = `${many.toFixed(0)} ms for 1 M, ${few.toFixed(0)} ms for 100 k`;
      return { value: many / few, detail };
    },
  },
  {
    name: '100 MB Claude transcript to blocks, against readFileSync + split + JSON.parse',
    unit: 'x',
    target: 1.5,
    measure: () =>
      withTranscript(100 * MB, (path) =>
        ratioOf(
          () => parseTranscriptFile('claude-agent-sdk', path),
          () => parseEveryLine(path),
          5,
        ),
      ),
  },
  {
    name: '100 MB Claude transcript to blocks, memory above an empty process',
    unit: 'MB',
    target: 200,
    measure: () => withTranscript(100 * MB, measureMemory),
  },
  {
    name: 'the last 50 blocks of a 1 GB Claude transcript',
    unit: 'ms',
    target: 300,
    measure: () =>
      withTranscript(1000 * MB, async (path) => {
        const value = await medianMs(() => readLastBlocks('claude-agent-sdk', path, 50), 5);
        return { value, detail: 'median of 5' };
      }),
  },
];

async function withTranscript(
  bytes: number,
  measure: (path: string) => Promise<BenchValue> | BenchValue,
): Promise<BenchValue> {
  const folder = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  try {
    const path = join(folder, 'session.jsonl');
    await writeClaudeTranscript(path, bytes);
    return await measure(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function parseEveryLine(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** Two processes alike but for the reading: the difference of their highest resident sizes. */
function measureMemory(path: string): BenchValue {
  const [empty, full] = [peakOf('none'), peakOf(path)];
  return { value: full - empty, detail: `${full.toFixed(0)} MB against ${empty.toFixed(0)} MB` };
}

function peakOf(path: string): number {
  const script = `
    const { parseTranscriptFile } = await import('@robota-sdk/agent-transcript/architectures');
    const parsed = await parseTranscriptFile('claude-agent-sdk', ${JSON.stringify(path)});
    process.stdout.write(String(process.resourceUsage().maxRSS / 1000 + parsed.skipped.lines));`;
  const options = [
    '--conditions=robota-source',
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    script,
  ];
  return Number(execFileSync(process.execPath, options, { encoding: 'utf8' }));
}

/** Messages of 20 deltas each, so that the number of blocks grows with the number of events. */
function foldEvents(count: number): ConversationState {
  const timestamp = '2026-01-01T00:00:00.000Z';
  let state = EMPTY_CONVERSATION;
  for (let index = 0; index < count; index++) {
    const blockId = `block-${Math.floor(index / 20)}`;
    const event: StreamEvent =
      index % 20 === 0
        ? {
            type: 'block_start',
            block: { type: 'assistant_text', id: blockId, timestamp, content: '' },
            conversationId: 'main',
          }
        : { type: 'text_delta', blockId, delta: 'word ', conversationId: 'main' };
    state = applyStreamEvent(state, event);
  }
  return state;
}

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
