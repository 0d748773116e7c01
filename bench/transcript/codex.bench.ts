import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTranscriptFile, readLastBlocks } from '@robota-sdk/agent-transcript/architectures';
import { type BenchRow, type BenchValue, medianMs, ratioOf } from '../harness.ts';
import { writeCodexTranscript } from './codex-transcript.ts';

const MB = 1_000_000;

export const rows: readonly BenchRow[] = [
  {
    name: '100 MB Codex rollout to blocks, against readFileSync + split + JSON.parse',
    unit: 'x',
    target: 1.5,
    measure: () =>
      withRollout(100 * MB, (path) =>
        ratioOf(
          () => parseTranscriptFile('codex', path),
          () => parseEveryLine(path),
          5,
        ),
      ),
  },
  {
    name: '100 MB Codex rollout to blocks, memory above an empty process',
    unit: 'MB',
    target: 200,
    measure: () => withRollout(100 * MB, measureMemory),
  },
  {
    name: 'the last 50 blocks of a 1 GB Codex rollout',
    unit: 'ms',
    target: 300,
    measure: () =>
      withRollout(1000 * MB, async (path) => {
        const value = await medianMs(() => readLastBlocks('codex', path, 50), 5);
        return { value, detail: 'median of 5' };
      }),
  },
];

async function withRollout(
  bytes: number,
  measure: (path: string) => Promise<BenchValue> | BenchValue,
): Promise<BenchValue> {
  const folder = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  try {
    const path = join(
      folder,
      'rollout-2026-11-15T21-39-12-01a1e126-6565-7fc3-909b-adcb84138417.jsonl',
    );
    await writeCodexTranscript(path, bytes);
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
    const parsed = await parseTranscriptFile('codex', ${JSON.stringify(path)});
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
