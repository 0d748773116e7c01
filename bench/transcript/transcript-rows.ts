import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentArchitectureType } from '@robota-sdk/agent-transcript';
import { parseTranscriptFile, readLastBlocks } from '@robota-sdk/agent-transcript/architectures';
import { type BenchRow, type BenchValue, medianMs, ratioOf } from '../harness.ts';

const MB = 1_000_000;

/** One agent's transcripts: their title, and how to write one of a given size. */
export interface TranscriptKind {
  readonly type: AgentArchitectureType;
  readonly title: string;
  readonly fileName: string;
  write(path: string, bytes: number): Promise<void>;
}

/** The rows for every agent's transcripts. */
export function transcriptRows(kind: TranscriptKind): readonly BenchRow[] {
  const { type, title } = kind;
  return [
    {
      name: `100 MB ${title} to blocks, against readFileSync + split + JSON.parse`,
      unit: 'x',
      target: 1.5,
      measure: () =>
        withTranscript(kind, 100 * MB, (path) =>
          ratioOf(
            () => parseTranscriptFile(type, path),
            () => parseEveryLine(path),
            5,
          ),
        ),
    },
    {
      name: `100 MB ${title} to blocks, memory above an empty process`,
      unit: 'MB',
      target: 200,
      measure: () => withTranscript(kind, 100 * MB, (path) => measureMemory(type, path)),
    },
    {
      name: `the last 50 blocks of a 1 GB ${title}`,
      unit: 'ms',
      target: 300,
      measure: () =>
        withTranscript(kind, 1000 * MB, async (path) => {
          const value = await medianMs(() => readLastBlocks(type, path, 50), 5);
          return { value, detail: 'median of 5' };
        }),
    },
  ];
}

async function withTranscript(
  kind: TranscriptKind,
  bytes: number,
  measure: (path: string) => Promise<BenchValue> | BenchValue,
): Promise<BenchValue> {
  const folder = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  try {
    const path = join(folder, kind.fileName);
    await kind.write(path, bytes);
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

/** Difference in peak resident size between two processes, with and without reading. */
function measureMemory(type: AgentArchitectureType, path: string): BenchValue {
  const [empty, full] = [peakOf(type, 'none'), peakOf(type, path)];
  return { value: full - empty, detail: `${full.toFixed(0)} MB against ${empty.toFixed(0)} MB` };
}

function peakOf(type: AgentArchitectureType, path: string): number {
  const script = `
    const { parseTranscriptFile } = await import('@robota-sdk/agent-transcript/architectures');
    const parsed = await parseTranscriptFile('${type}', ${JSON.stringify(path)});
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
