import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  claudeLines,
  claudePath,
  codexHeader,
  codexPath,
  codexTurn,
  writeLines,
} from '../../packages/archive/test/generated-home.ts';
import { installAgents } from '../../tools/install-agents.mjs';
import { median } from '../harness.ts';
import {
  type Measured,
  type Start,
  startDecliningServer,
  untilArrival,
  untilEnd,
} from './measure.ts';
import { PEER_PROGRAMS, PEERS, type Peer, type Refusal } from './peers.ts';

const ROUNDS = 3;
const LONG_TURNS = 120;
const SESSIONS = 500;
const LONG_ID = '5d2f8a30-2222-4333-8444-00000000cafe';
const ROBOTA = join(import.meta.dirname, '../../apps/cli/bin/robota.cjs');

/** Runs Robota and programs from npm on the same tasks, offline, and prints a table. */
export async function runPeers(): Promise<void> {
  installAgents(PEER_PROGRAMS);
  const root = mkdtempSync(join(tmpdir(), 'robota-peers-'));
  const server = await startDecliningServer();
  try {
    const homes = {
      empty: join(root, 'empty'),
      long: join(root, 'long'),
      full: join(root, 'full'),
    };
    for (const home of Object.values(homes)) mkdirSync(home);
    const ids = writeLongSession(homes.long);
    writeManySessions(homes.full);
    const end = (start: Start) => untilEnd(start);
    const arrive = (start: Start) => untilArrival(start, server);
    const columns = PEERS.map((peer) => peer.name);
    const add = (name: string, cells: readonly string[]) => {
      console.log(`| ${[name, ...cells].join(' | ')} |`);
    };
    console.log(`| | ${columns.join(' | ')} |\n|---|${'---|'.repeat(columns.length)}`);
    const versions = await each((peer) => peer.version(homes.empty), end);
    add('`--version`, ms', versions.map(milliseconds));
    const prints = await each((peer) => peer.print(homes.empty, server.url), arrive);
    add('print mode until the prompt is sent, ms', prints.map(milliseconds));
    add('memory until then, MB', prints.map(megabytes));
    const resumes = await each((peer) => peer.resume(homes.long, server.url, ids), arrive);
    add(`the same in a session of ${LONG_TURNS} turns, ms`, resumes.map(milliseconds));
    const lists = await each((peer) => peer.list(homes.full), end);
    add(`list ${2 * SESSIONS} sessions of Claude Code and Codex, ms`, lists.map(milliseconds));
    const searches = await each((peer) => peer.search(homes.full), end);
    add('find a word in them, ms', searches.map(milliseconds));
    const usages = await each((peer) => peer.usage(homes.full), end);
    add('tokens and cost of them by day, ms', usages.map(milliseconds));
    console.log(
      `Medians of ${ROUNDS} after one that is not counted; load of the machine ${loadavg()[0]?.toFixed(1)}.`,
    );
  } finally {
    server.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Cell = Measured | Refusal;

/** Alternates between the programs, so that noise affects all of them. */
async function each(
  work: (peer: Peer) => Start | Refusal,
  measure: (start: Start) => Promise<Measured>,
): Promise<Cell[]> {
  const runs = PEERS.map(() => [] as Measured[]);
  const refusals: (Refusal | undefined)[] = PEERS.map(() => undefined);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, peer] of PEERS.entries()) {
      if (refusals[at] !== undefined) continue;
      const start = work(peer);
      if (typeof start === 'string') {
        refusals[at] = start;
        continue;
      }
      try {
        const result = await measure(start);
        if (round > 0) runs[at]?.push(result);
      } catch (error) {
        refusals[at] = 'failed';
        console.error(`${peer.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return runs.map((values, at) => refusals[at] ?? middle(values));
}

function middle(values: readonly Measured[]): Measured {
  return { ms: median(values.map(({ ms }) => ms)), mb: median(values.map(({ mb }) => mb)) };
}

const milliseconds = (cell: Cell) => (typeof cell === 'string' ? cell : cell.ms.toFixed(0));
const megabytes = (cell: Cell) => (typeof cell === 'string' ? cell : cell.mb.toFixed(0));

/** Writes a Claude Code session and hands it over to the others, so that every program has the same one. */
function writeLongSession(home: string): Record<string, string> {
  const turns = Array.from({ length: LONG_TURNS }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    prompt: `Do step ${at}.`,
    answer: `Step ${at} is done. ${'More about it. '.repeat(20)}`,
    tool: { command: `cat step-${at}.txt`, output: `line of step ${at}\n`.repeat(100) },
  }));
  const path = claudePath(home, LONG_ID, home.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(dirname(path), { recursive: true });
  writeLines(path, claudeLines(turns, { sessionId: LONG_ID, cwd: home }));
  return {
    claude: LONG_ID,
    codex: handedOver(home, 'codex'),
    gemini: handedOver(home, 'gemini'),
    robota: handedOver(home, 'robota'),
  };
}

function handedOver(home: string, agent: string): string {
  const args =
    agent === 'robota'
      ? ['sessions', 'fork', `claude:${LONG_ID}`]
      : ['resume', `claude:${LONG_ID}`, '--as', agent, '--json'];
  const said = execFileSync(process.execPath, [ROBOTA, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home },
    encoding: 'utf8',
  });
  if (agent === 'robota') return said.trim().split(/\s+/).at(-1) ?? '';
  return (JSON.parse(said) as { id: string }).id;
}

function writeManySessions(home: string): void {
  for (let at = 0; at < SESSIONS; at++) {
    const digits = String(at).padStart(12, '0');
    const turns = Array.from({ length: 5 }, (_, turn) => ({
      id: `${at}-${turn}`,
      prompt: `Step ${turn} of ${at}, find the needle.`,
      answer: 'It is done, as you asked, and here is what was found on the way. '.repeat(5),
      tool: { command: 'ls', output: 'one\ntwo\n'.repeat(50) },
    }));
    const claude = `5d2f8a30-2222-4333-8444-${digits}`;
    writeLines(claudePath(home, claude), claudeLines(turns, { sessionId: claude, cwd: home }));
    const codex = `019a0000-0000-7000-8000-${digits}`;
    const lines = turns.flatMap((turn) => codexTurn(turn));
    writeLines(codexPath(home, codex), [codexHeader(codex, home), ...lines]);
  }
}
