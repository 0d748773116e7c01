import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type BenchRow, type BenchValue, median } from '../harness.ts';
import { anthropicStream, serve } from './wire.ts';

const ROUNDS = 11;

const OURS = `
import { createUserMessage } from '@robota-sdk/agent-core';
import { AnthropicProvider } from '@robota-sdk/agent-provider/anthropic';
const provider = new AnthropicProvider({ apiKey: 'key', baseURL: process.argv[2], model: 'claude-sonnet-4-5' });
const reply = await provider.chat([createUserMessage('hi')], { maxTokens: 100 });
if (!reply.content) process.exit(1);
`;

/** The provider package only, with Node's `fetch`. */
const PACKAGE = `
import { createAnthropic } from '@ai-sdk/anthropic';
const model = createAnthropic({ apiKey: 'key', baseURL: process.argv[2] + '/v1' })('claude-sonnet-4-5');
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
const { stream } = await model.doStream({ prompt, maxOutputTokens: 100 });
for await (const part of stream);
`;

/** Time of a fresh process above bare Node until the first reply, alternating both. */
async function measure(): Promise<BenchValue> {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-provider-'));
  const server = await serve(anthropicStream(5));
  try {
    const scripts = ['empty', 'ours', 'package'].map((name) => join(directory, `${name}.mjs`));
    const [empty = '', ours = '', alone = ''] = scripts;
    writeFileSync(empty, '');
    await bundle(OURS, ours);
    await bundle(PACKAGE, alone);
    const times = new Map(scripts.map((script): [string, number[]] => [script, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const script of scripts) times.get(script)?.push(await timeProcess(script, server.url));
    }
    const of = (script: string) => median(times.get(script) ?? []);
    const [bare, mine, theirs] = [of(empty), of(ours) - of(empty), of(alone) - of(empty)];
    return {
      value: mine / theirs,
      detail: `${mine.toFixed(0)} ms against ${theirs.toFixed(0)} ms, above ${bare.toFixed(0)} ms of bare Node`,
    };
  } finally {
    server.close();
    rmSync(directory, { recursive: true });
  }
}

async function bundle(contents: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minify: true,
    conditions: ['robota-source'],
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
    name: 'import and first request of the anthropic provider, bundled, against its package with the global fetch',
    unit: 'x',
    target: 1,
    measure,
  },
];
