import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compareFacts,
  factsOf,
  parseTranscriptFile,
  registeredAgent,
  toSteps,
  writeNewFile,
} from '@robota-sdk/agent-transcript/architectures';
import { type BenchRow, type BenchValue, ratioOf } from '../harness.ts';
import { writeClaudeTranscript } from './claude-transcript.ts';

const BYTES = 100_000_000;

export const rows: readonly BenchRow[] = [
  ...['claude-agent-sdk', 'codex', 'gemini-cli'].map((target) => ({
    name: `100 MB Claude Code session written for ${target}, against reading it`,
    unit: 'x' as const,
    target: 3,
    measure: () =>
      withSession((path, folder) =>
        ratioOf(
          () => convert(path, folder, target),
          () => parseTranscriptFile('claude-agent-sdk', path),
          3,
        ),
      ),
  })),
  {
    name: '100 MB Claude Code session written for codex, memory above an empty process',
    unit: 'MB',
    target: 300,
    measure: () => withSession(measureMemory),
  },
  {
    name: '100 MB Claude Code session written for codex and compared with what is read back, against reading it',
    unit: 'x',
    target: 6,
    measure: () =>
      withSession((path, folder) =>
        ratioOf(
          () => convertAndCompare(path, folder),
          () => parseTranscriptFile('claude-agent-sdk', path),
          3,
        ),
      ),
  },
];

async function convert(path: string, folder: string, target: string) {
  const steps = toSteps((await parseTranscriptFile('claude-agent-sdk', path)).blocks, {
    full: true,
  });
  const written = await writeSteps(steps, folder, target);
  rmSync(written);
}

async function convertAndCompare(path: string, folder: string) {
  const steps = toSteps((await parseTranscriptFile('claude-agent-sdk', path)).blocks, {
    full: true,
  });
  const facts = factsOf(steps);
  const written = await writeSteps(steps, folder, 'codex');
  const { blocks } = await parseTranscriptFile('codex', written);
  const { calls } = compareFacts(facts, factsOf(toSteps(blocks)));
  if (calls.kept !== calls.of) throw new Error(`${calls.kept} of ${calls.of} calls were kept`);
  rmSync(written);
}

async function writeSteps(steps: ReturnType<typeof toSteps>, folder: string, target: string) {
  const origin = { agent: 'claude', title: 'Claude Code', id: 'source' };
  const session = { id: crypto.randomUUID(), cwd: '/work', now: new Date(), origin };
  const file = join(folder, `rollout-2026-11-15T21-39-12-${session.id}.jsonl`);
  await writeNewFile(file, registeredAgent(target).writer?.lines(steps, session) ?? []);
  return file;
}

async function withSession(
  measure: (path: string, folder: string) => Promise<BenchValue> | BenchValue,
): Promise<BenchValue> {
  const folder = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  try {
    const path = join(folder, 'source.jsonl');
    await writeClaudeTranscript(path, BYTES);
    return await measure(path, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Difference in peak resident size between two processes, with and without the conversion. */
function measureMemory(path: string, folder: string): BenchValue {
  const [empty, full] = [peakOf('none', folder), peakOf(path, folder)];
  return { value: full - empty, detail: `${full.toFixed(0)} MB against ${empty.toFixed(0)} MB` };
}

function peakOf(path: string, folder: string): number {
  const script = `
    const agents = await import('@robota-sdk/agent-transcript/architectures');
    const { blocks } = await agents.parseTranscriptFile('claude-agent-sdk', ${JSON.stringify(path)});
    const origin = { agent: 'claude', title: 'Claude Code', id: 'source' };
    const session = { id: crypto.randomUUID(), cwd: '/work', now: new Date(), origin };
    const { writer } = agents.registeredAgent('codex');
    const lines = writer.lines(agents.toSteps(blocks), session);
    await agents.writeNewFile(${JSON.stringify(folder)} + '/' + session.id, lines);
    process.stdout.write(String(process.resourceUsage().maxRSS / 1000));`;
  const options = ['--conditions=robota-source', '--import', 'tsx', '--input-type=module'];
  return Number(execFileSync(process.execPath, [...options, '-e', script], { encoding: 'utf8' }));
}
