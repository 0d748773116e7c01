import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { readFamily, takeInventory } from '@robota-sdk/agent-transcript/architectures';
import { rgPath } from '@vscode/ripgrep';
import { build } from 'esbuild';
import { type BenchRow, type BenchValue, median } from '../harness.ts';
import { writeGeneratedHome } from './generated-homes.ts';

/** Ten thousand sessions and a million blocks; set lower for a quick run. */
const SESSIONS = Number(process.env.ROBOTA_BENCH_SESSIONS ?? 10_000);
const BLOCKS = 105;

const home = mkdtempSync(join(tmpdir(), 'robota-bench-archive-'));
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
const catalogue = new SqliteCatalogue({ home, environment: {} });
let prepared: Promise<ColdIndex> | undefined;

interface ColdIndex {
  readonly parseCpu: number;
  readonly indexCpu: number;
  readonly textBytes: number;
  readonly rawBytes: number;
  readonly peakMb: number;
}

/** Writes the home, parses all of it once for comparison, and indexes it. */
function prepare(): Promise<ColdIndex> {
  prepared ??= index();
  return prepared;
}

async function index(): Promise<ColdIndex> {
  writeGeneratedHome(home, { sessions: SESSIONS, blocks: BLOCKS });
  const { families } = await takeInventory({ home, environment: {} });
  let textBytes = 0;
  const { blockText } = await import('../../packages/archive/src/reading/block-text.ts');
  const nothing = {
    redactText: (text: string) => text,
    redactValue: <Value>(value: Value) => value,
  };
  const parseCpu = await cpuMs(async () => {
    for (const family of families) await readFamily(family);
  });
  for (const family of families) {
    const { blocks } = await readFamily(family);
    for (const block of blocks)
      textBytes += Buffer.byteLength(blockText(block, nothing as never).text);
  }
  const child = await runChild('index-process');
  const { cpu, peakMb } = JSON.parse(child) as { cpu: number; peakMb: number };
  const rawBytes = families.reduce((sum, { bytes }) => sum + bytes, 0);
  return { parseCpu, indexCpu: cpu, textBytes, rawBytes, peakMb };
}

/** Bundled like the command line program, so that loading sources is not measured. */
async function bundle(name: string): Promise<string> {
  const folder = join(import.meta.dirname, `.bundle-${process.pid}`);
  bundles.add(folder);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    external: ['@photostructure/sqlite', '@pydantic/genai-prices'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    conditions: ['robota-source'],
    logLevel: 'silent',
  });
  return join(folder, `${name}.mjs`);
}

const bundles = new Set<string>();
process.once('exit', () => {
  for (const folder of bundles) rmSync(folder, { recursive: true, force: true });
});

async function runChild(name: string): Promise<string> {
  const result = spawnSync(process.execPath, [await bundle(name), home], { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${name} failed: ${result.stderr}`);
  return result.stdout;
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function wallMs(command: string, args: readonly string[]): number {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0 && status !== 1) throw new Error(`${command} failed: ${stderr}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

async function listAgainstNode(): Promise<BenchValue> {
  await prepare();
  const program = await bundle('list-process');
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < 15; round++) {
    bare.push(wallMs(process.execPath, ['-e', '0']));
    ours.push(wallMs(process.execPath, [program, home]));
  }
  const [mine, base] = [median(ours), median(bare)];
  return { value: mine / base, detail: `${mine.toFixed(0)} ms against ${base.toFixed(0)} ms bare` };
}

const QUERIES = [
  'config',
  'error handling',
  '"export declare"',
  'node_modules/typescript',
  '解析器',
  'depre*',
  'promise -async',
  'ReadableStream',
  'utf-8',
  'createReadStream',
];

async function searchAgainstRipgrep(): Promise<BenchValue> {
  await prepare();
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    for (const text of QUERIES) {
      const started = process.hrtime.bigint();
      await catalogue.search({ text });
      times.push(Number(process.hrtime.bigint() - started) / 1e6);
    }
  }
  const greps = Array.from({ length: 7 }, () =>
    wallMs(rgPath, [
      '-lF',
      'config',
      '--hidden',
      '--no-ignore',
      join(home, '.claude'),
      join(home, '.codex'),
      join(home, '.gemini'),
    ]),
  );
  const sorted = times.sort((one, other) => one - other);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  const rg = median(greps);
  return {
    value: p95 / rg,
    detail: `p95 ${p95.toFixed(1)} ms, median ${median(times).toFixed(1)} ms, with snippets, against ${rg.toFixed(0)} ms`,
  };
}

function databaseBytes(): number {
  const folder = join(home, '.robota');
  return readdirSync(folder)
    .filter((name) => name.startsWith('catalogue.sqlite'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function sweepAgainstWalk(): Promise<BenchValue> {
  await prepare();
  await catalogue.refresh();
  const [ours, walks]: [number[], number[]] = [[], []];
  for (let round = 0; round < 9; round++) {
    walks.push(await cpuMs(async () => walkAndStat(home)));
    ours.push(await cpuMs(() => catalogue.refresh()));
  }
  const [mine, base] = [median(ours), median(walks)];
  return { value: mine / base, detail: `${mine.toFixed(0)} ms CPU against ${base.toFixed(0)} ms` };
}

function walkAndStat(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += walkAndStat(path);
    else bytes += statSync(path).size;
  }
  return bytes;
}

/** From the last byte of an appended answer until search finds it. */
async function appendToFound(): Promise<BenchValue> {
  await prepare();
  const { families } = await takeInventory({ home, environment: {}, agents: ['claude'] });
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const path = families[round]?.path ?? '';
    const last = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '{}';
    const { uuid: parentUuid, ...line } = JSON.parse(last) as { uuid: string };
    const text = `freshword${round}`;
    const message = {
      id: `msg_fresh${round}`,
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
    };
    appendFileSync(
      path,
      `${JSON.stringify({ ...line, parentUuid, uuid: `fresh-${round}`, message })}\n`,
    );
    const started = process.hrtime.bigint();
    await catalogue.refresh();
    const { sessions } = await catalogue.search({ text });
    if (sessions.length !== 1) throw new Error('The appended answer was not found');
    times.push(Number(process.hrtime.bigint() - started) / 1e6);
  }
  return { value: median(times), detail: 'refresh and search after an append' };
}

async function usageAgainstParse(): Promise<BenchValue> {
  const { parseCpu } = await prepare();
  const cpu: number[] = [];
  for (let round = 0; round < 9; round++) cpu.push(await cpuMs(() => catalogue.usage()));
  const mine = median(cpu);
  return {
    value: mine / parseCpu,
    detail: `${mine.toFixed(0)} ms CPU against ${parseCpu.toFixed(0)} ms to parse all, which a tool without an index does`,
  };
}

export const rows: readonly BenchRow[] = [
  {
    name: `first index of ${SESSIONS} sessions against parsing them`,
    unit: 'x',
    target: 3,
    async measure() {
      const { indexCpu, parseCpu, rawBytes } = await prepare();
      return {
        value: indexCpu / parseCpu,
        detail: `${indexCpu.toFixed(0)} ms CPU against ${parseCpu.toFixed(0)} ms, ${(rawBytes / 1e6).toFixed(0)} MB`,
      };
    },
  },
  {
    name: 'memory of the first index',
    unit: 'MB',
    target: 250,
    async measure() {
      const { peakMb } = await prepare();
      return { value: peakMb, detail: 'peak resident set of the whole process' };
    },
  },
  {
    name: 'database against the text it finds',
    unit: 'x',
    target: 0.5,
    async measure() {
      const { textBytes } = await prepare();
      await catalogue.list();
      const bytes = databaseBytes();
      return {
        value: bytes / textBytes,
        detail: `${(bytes / 1e6).toFixed(1)} MB for ${(textBytes / 1e6).toFixed(1)} MB`,
      };
    },
  },
  { name: 'list as a process against bare Node', unit: 'x', target: 2.2, measure: listAgainstNode },
  {
    name: 'search (p95) against ripgrep over the files',
    unit: 'x',
    target: 0.1,
    measure: searchAgainstRipgrep,
  },
  {
    name: 'sweep with nothing changed against walk and stat',
    unit: 'x',
    target: 3,
    measure: sweepAgainstWalk,
  },
  { name: 'appended answer found', unit: 'ms', target: 1000, measure: appendToFound },
  { name: 'usage against parsing everything', unit: 'x', target: 0.1, measure: usageAgainstParse },
];
