import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '../../packages/core/src/log/redact/redactor.ts';
import { type BenchRow, type BenchValue, ratioOf } from '../harness.ts';
import { writeClaudeTranscript } from '../transcript/claude-transcript.ts';
import { writeCodexTranscript } from '../transcript/codex-transcript.ts';
import { writeGeminiTranscript } from '../transcript/gemini-transcript.ts';

const SIZE = 4_000_000;
const redactor = createRedactor({ salt: 'bench' });

/** Parsed transcript lines of three agents, with source code as tool output. */
async function readTranscripts(): Promise<readonly unknown[]> {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  try {
    const lines: unknown[] = [];
    for (const write of [writeClaudeTranscript, writeCodexTranscript, writeGeminiTranscript]) {
      const path = join(directory, `${write.name}.jsonl`);
      await write(path, SIZE);
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        if (line !== '') lines.push(JSON.parse(line));
      }
    }
    return [...lines, ...toolOutputs()];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function toolOutputs(): readonly unknown[] {
  const code = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
  return [
    { type: 'tool_result', content: code },
    { type: 'tool_result', content: JSON.stringify({ stdout: code }) },
  ];
}

/** Each is repeated: unterminated beginnings, and complete secrets side by side. */
const HOSTILE = [
  '":\\\\\\\\',
  'token="token=\'',
  '-----BEGIN PRIVATE KEY-----\n ',
  'password password: ',
  '/eyJhbGciOiJIUzI1NiJ9.',
  'a://b:c@d ',
  'TOKEN=a1B2c3D4 ',
  'sk-a1B2c3D4e5F6g7H8i9 ',
];

async function worstHostile(): Promise<BenchValue> {
  let worst: BenchValue = { value: 0, detail: '' };
  for (const unit of HOSTILE) {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    const { value, detail } = await ratioOf(
      () => redactor.redactText(text),
      () => JSON.stringify(text),
      5,
    );
    if (value > worst.value) worst = { value, detail: `${JSON.stringify(unit)}: ${detail}` };
  }
  return worst;
}

/**
 * How CPU time grows when every hostile text is twice as long: the minimum of several runs, since other processes only
 * add to it. A test counts steps to show that no single text grows faster.
 */
function growth(): BenchValue {
  let [once, twice] = [0, 0];
  for (const unit of HOSTILE) {
    const text = unit.repeat(Math.ceil(500_000 / unit.length));
    let [least, leastTwice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 5; round++) {
      least = Math.min(least, processorMs(text));
      leastTwice = Math.min(leastTwice, processorMs(text + text));
    }
    once += least;
    twice += leastTwice;
  }
  return { value: twice / once, detail: `${once.toFixed(1)} ms, then ${twice.toFixed(1)} ms` };
}

function processorMs(text: string): number {
  // Collects garbage first, so that no run pays for another's.
  globalThis.gc?.();
  const started = process.cpuUsage();
  redactor.redactText(text);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

export const rows: readonly BenchRow[] = [
  {
    name: 'redaction of transcripts, against JSON.stringify of the same',
    unit: 'x',
    target: 8,
    async measure() {
      const lines = await readTranscripts();
      return ratioOf(
        () => lines.map((line) => redactor.redactValue(line)),
        () => lines.map((line) => JSON.stringify(line)),
      );
    },
  },
  {
    name: 'redaction of a streamed text in pieces of 12 characters, against redaction of the whole',
    unit: 'x',
    target: 20,
    measure() {
      const text = 'The function reads a key from the file and returns: nothing. '.repeat(5_000);
      return ratioOf(
        () => {
          const stream = redactor.createStream();
          for (let at = 0; at < text.length; at += 12) stream.push(text.slice(at, at + 12));
          stream.flush();
        },
        () => redactor.redactText(text),
      );
    },
  },
  {
    name: 'redaction of hostile text, against JSON.stringify of the same',
    unit: 'x',
    target: 600,
    measure: worstHostile,
  },
  {
    name: 'redaction of hostile text twice as long',
    unit: 'x',
    target: 2.2,
    measure: growth,
  },
];
