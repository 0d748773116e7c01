import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type BenchRow, type BenchValue, median } from '../harness.ts';
import { anthropicStream, serve } from './wire.ts';

const ROUNDS = 11;

const ENTRY = `
import { createUserMessage } from '@robota-sdk/agent-core';
import { AnthropicProvider } from '@robota-sdk/agent-provider/anthropic';
const provider = new AnthropicProvider({ apiKey: 'key', baseURL: process.argv[2], model: 'claude-sonnet-4-5' });
const reply = await provider.chat([createUserMessage('hi')], { maxTokens: 100 });
if (!reply.content) process.exit(1);
`;

/** Import and first request of a bundle, in a fresh process, above what Node itself takes. */
async function measure(): Promise<BenchValue> {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-provider-'));
  const server = await serve(anthropicStream(5));
  try {
    const script = join(directory, 'entry.mjs');
    const empty = join(directory, 'empty.mjs');
    await bundle(script);
    writeFileSync(empty, '');
    await timeProcess(script, server.url);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await timeProcess(empty, server.url));
      ours.push(await timeProcess(script, server.url));
    }
    const [with_, without] = [median(ours), median(bare)];
    return {
      value: with_ - without,
      detail: `${with_.toFixed(0)} ms against ${without.toFixed(0)} ms of bare Node`,
    };
  } finally {
    server.close();
    rmSync(directory, { recursive: true });
  }
}

async function bundle(outfile: string): Promise<void> {
  await build({
    stdin: { contents: ENTRY, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minify: true,
    conditions: ['source'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    outfile,
    logLevel: 'error',
  });
}

/** Milliseconds of one process under a clean environment. */
function timeProcess(script: string, url: string): Promise<number> {
  const started = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, url], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('exit', (code) => {
      if (code === 0) resolve(Number(process.hrtime.bigint() - started) / 1e6);
      else reject(new Error(`The bundled provider exited with ${code}`));
    });
  });
}

export const rows: readonly BenchRow[] = [
  {
    name: 'import and first request of the anthropic provider, bundled, above bare Node',
    unit: 'ms',
    target: 120,
    measure,
  },
];
