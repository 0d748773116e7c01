import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Tool, ToolParameters } from '@robota-sdk/agent-core';
import {
  createBashTool,
  createGrepTool,
  createLocalSandbox,
  createReadTool,
  findConfinement,
  type LocalRunOptions,
} from '@robota-sdk/agent-tools';
import { type BenchRow, type BenchValue, ratioOf } from '../harness.ts';

const FILES = 50_000;
const FILES_A_FOLDER = 100;
const GIGABYTE = 1024 ** 3;

const confinement = await findConfinement();
if (!confinement.available)
  console.error(`*** NOT RUN: confined spawns; ${confinement.reason}. ***`);

export const rows: readonly BenchRow[] = [
  {
    name: 'Read of the last 2000 lines of a 1 GB file, additional memory',
    unit: 'MB',
    target: 50,
    measure: () => inFolder(measureRead),
  },
  {
    name: `Grep with the JavaScript engine over ${FILES} files, against grep -r`,
    unit: 'x',
    target: 5,
    measure: () => inFolder(measureGrep),
  },
  {
    name: 'Bash round trip, against a bare spawn of the same command',
    unit: 'x',
    target: 2,
    measure: measureBash,
  },
  ...(confinement.available ? confinedRows() : []),
];

function confinedRows(): readonly BenchRow[] {
  return [
    {
      name: 'confined spawn of true, against a bare spawn',
      unit: 'x',
      target: 4.5,
      measure: () => measureConfined('true', 60),
    },
    {
      name: 'confined spawn of node -e 1, against a bare spawn',
      unit: 'x',
      target: 1.5,
      measure: () => measureConfined('node -e 1', 15),
    },
  ];
}

/** The same unapproved command, confined and not confined. */
function measureConfined(command: string, repeats: number): Promise<BenchValue> {
  const options = {
    timeoutMs: 60_000,
    workingDirectory: process.cwd(),
    signal: new AbortController().signal,
    outputLimitBytes: 1_000,
  };
  const held: LocalRunOptions = { ...options, unasked: { confine: true } };
  const bare: LocalRunOptions = { ...options, unasked: { confine: false } };
  const sandbox = createLocalSandbox();
  return ratioOf(
    () => sandbox.run(command, held),
    () => sandbox.run(command, bare),
    repeats,
  );
}

async function measureGrep(folder: string): Promise<BenchValue> {
  const text = `${'some words of an ordinary line of text in a file\n'.repeat(20)}`;
  for (let file = 0; file < FILES; file++) {
    const inner = join(folder, `d${Math.floor(file / FILES_A_FOLDER)}`);
    if (file % FILES_A_FOLDER === 0) mkdirSync(inner);
    writeFileSync(join(inner, `f${file}.txt`), file % 1000 === 0 ? `${text}a needle here\n` : text);
  }
  const grep = createGrepTool({ engine: 'javascript', cwd: folder });
  const pattern = 'need[l]e \\w+';
  return ratioOf(
    () => execute(grep, { pattern }),
    () => promisify(execFile)('grep', ['-rlE', pattern, folder]),
    3,
  );
}

async function measureRead(folder: string): Promise<BenchValue> {
  const path = join(folder, 'large.txt');
  const line = 'a line of eighty characters, as there are many in logs and in generated files';
  const lines = Math.ceil(GIGABYTE / (line.length + 1));
  // Written by another process, so that its content is not in this process's memory.
  execFileSync('sh', ['-c', `yes '${line}' | head -n ${lines} > '${path}'`]);
  const read = createReadTool();
  await execute(read, { filePath: path, limit: 1 });

  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const started = performance.now();
  await execute(read, { filePath: path, offset: lines - 1999, limit: 2000 });
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  return {
    value: (Math.max(peak, process.memoryUsage.rss()) - before) / 1024 / 1024,
    detail: `${(statSync(path).size / GIGABYTE).toFixed(2)} GB in ${seconds.toFixed(1)} s`,
  };
}

function measureBash(): Promise<BenchValue> {
  const bash = createBashTool();
  const command = 'echo hello; cat /dev/null';
  return ratioOf(
    () => execute(bash, { command }),
    async () => {
      const child = spawn('/bin/bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.resume();
      child.stderr.resume();
      await once(child, 'close');
    },
    41,
  );
}

async function execute(tool: Tool, parameters: ToolParameters): Promise<void> {
  const { signal } = new AbortController();
  const toolName = tool.schema.name;
  const outcome = await tool.execute(parameters, {
    toolName,
    parameters,
    executionId: '1',
    signal,
  });
  if (!outcome.success) throw new Error(`${toolName} failed in the bench: ${outcome.error}`);
}

async function inFolder(measure: (folder: string) => Promise<BenchValue>): Promise<BenchValue> {
  const folder = mkdtempSync(join(tmpdir(), 'robota-bench-tools-'));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
