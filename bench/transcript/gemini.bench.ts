import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseTranscriptFile, readLastBlocks } from '@robota-sdk/agent-transcript/architectures';
import { type BenchRow, type BenchValue, medianMs, ratioOf } from '../harness.ts';

const MB = 1_000_000;

export const rows: readonly BenchRow[] = [
  {
    name: '100 MB Gemini transcript to blocks, against readFileSync + split + JSON.parse',
    unit: 'x',
    target: 1.5,
    measure: () =>
      withTranscript(100 * MB, (path) =>
        ratioOf(
          () => parseTranscriptFile('gemini-cli', path),
          () => parseEveryLine(path),
          5,
        ),
      ),
  },
  {
    name: '100 MB Gemini transcript to blocks, memory above an empty process',
    unit: 'MB',
    target: 200,
    measure: () => withTranscript(100 * MB, measureMemory),
  },
  {
    name: 'the last 50 blocks of a 1 GB Gemini transcript',
    unit: 'ms',
    target: 300,
    measure: () =>
      withTranscript(1000 * MB, async (path) => {
        const value = await medianMs(() => readLastBlocks('gemini-cli', path, 50), 5);
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
    const path = join(folder, 'session-2026-01-01T00-00-bench.jsonl');
    await writeTranscript(path, bytes);
    return await measure(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Turns of a prompt, a reply with a tool, its long result twice, and an answer, as the program writes them. */
async function writeTranscript(path: string, bytes: number): Promise<void> {
  const file = createWriteStream(path);
  const write = async (records: readonly object[]): Promise<number> => {
    const text = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
    if (!file.write(text)) await once(file, 'drain');
    return Buffer.byteLength(text);
  };
  let written = await write([
    { sessionId: 'bench', projectHash: 'p', startTime: at(0), kind: 'main' },
  ]);
  for (let turn = 1; written < bytes; turn++) written += await write(turnRecords(turn));
  file.end();
  await finished(file);
}

function turnRecords(turn: number): object[] {
  const callId = `read_file__read_file_${turn}_0`;
  const output = `${turn}: ${'a line of the file that was read\n'.repeat(60)}`;
  const answer = { functionResponse: { id: callId, name: 'read_file', response: { output } } };
  const tokens = { input: 1100, output: 25, cached: 0, thoughts: 20, tool: 0, total: 1145 };
  const thoughts = [{ subject: 'Plan', description: 'Read the file first.', timestamp: at(turn) }];
  const message = {
    id: `m${turn}`,
    timestamp: at(turn),
    type: 'gemini',
    content: 'Let me read it.',
    thoughts,
    tokens,
    model: 'gemini-x',
  };
  const call = {
    id: callId,
    name: 'read_file',
    args: { file_path: 'a.txt' },
    result: [answer],
    status: 'success',
    timestamp: at(turn),
    resultDisplay: '',
  };
  const touched = { $set: { lastUpdated: at(turn) } };
  return [
    {
      id: `u${turn}`,
      timestamp: at(turn),
      type: 'user',
      content: [{ text: `Please read the file, step ${turn}` }],
    },
    touched,
    message,
    touched,
    { ...message, toolCalls: [call] },
    { id: `r${turn}`, timestamp: at(turn), type: 'user', content: [answer] },
    touched,
    {
      id: `n${turn}`,
      timestamp: at(turn),
      type: 'gemini',
      content: 'It has many lines. '.repeat(20),
      thoughts: [],
      tokens,
      model: 'gemini-x',
    },
    touched,
  ];
}

function at(turn: number): string {
  return new Date(1_790_000_000_000 + turn * 1000).toISOString();
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
    const parsed = await parseTranscriptFile('gemini-cli', ${JSON.stringify(path)});
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
