import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { UsageGrouping } from '@robota-sdk/agent-archive';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  appendLines,
  claudeLines,
  claudePath,
  claudeTurn,
  codexHeader,
  codexPath,
  codexTurn,
  geminiHeader,
  geminiPath,
  geminiTurn,
  piHeader,
  piPath,
  piTurn,
  temporaryHome,
  writeLines,
} from '../generated-home.ts';

/** What can happen to the transcripts of one session, and to the catalogue that looks at them. */
type Step =
  | {
      readonly what:
        | 'append'
        | 'rewrite'
        | 'tear'
        | 'delete'
        | 'move'
        | 'twin'
        | 'fork'
        | 'subagent';
      readonly on: number;
    }
  | { readonly what: 'refresh' }
  | { readonly what: 'interrupt'; readonly after: number }
  | { readonly what: 'kill'; readonly after: number };

const SESSIONS = 6;
const WORDS = ['alpha', 'beta', 'gamma', 'delta', '解析', 'src/index.ts'];

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constantFrom(
          'append',
          'append',
          'append',
          'rewrite',
          'tear',
          'delete',
          'move',
          'twin',
          'fork',
          'subagent',
        ),
        on: fc.nat(SESSIONS - 1),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ what: 'refresh' } as const) },
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constantFrom('interrupt', 'kill'), after: fc.nat(3) }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 24 },
);

it('is what a reading of everything from scratch gives, after whatever has happened', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (happened) => {
      const home = temporaryHome();
      const world = new World(home);
      let clock = 1_800_000_000_000;
      const open = (directory: string) =>
        new SqliteCatalogue({ home, directory, environment: {}, now: () => clock++ });
      const own = join(home, 'kept');
      let catalogue = open(own);
      for (const step of happened) {
        if (step.what === 'refresh') await catalogue.refresh();
        else if (step.what === 'interrupt') await interrupted(catalogue, step.after);
        else if (step.what === 'kill') {
          await killed(catalogue, step.after);
          await catalogue.close();
          catalogue = open(own);
        } else world.change(step.what, step.on);
      }
      await catalogue.refresh();

      const fresh = open(join(home, 'fresh'));
      const ledger = join(own, 'usage-ledger.jsonl');
      mkdirSync(join(home, 'fresh'), { recursive: true });
      if (existsSync(ledger)) cpSync(ledger, join(home, 'fresh/usage-ledger.jsonl'));
      await fresh.refresh();

      expect(await contentsOf(catalogue)).toEqual(await contentsOf(fresh));
      await catalogue.close();
      await fresh.close();
      rmSync(home, { recursive: true, force: true });
    }),
    { numRuns: 40, seed: 20_261_116 },
  );
}, 120_000);

async function interrupted(catalogue: SqliteCatalogue, after: number): Promise<void> {
  const stop = new AbortController();
  await catalogue.refresh({
    signal: stop.signal,
    onProgress: ({ done }) => done > after && stop.abort(),
  });
}

/** A throw in the middle of a transaction leaves behind what a kill does. */
async function killed(catalogue: SqliteCatalogue, after: number): Promise<void> {
  const onProgress = ({ done }: { readonly done: number }) => {
    if (done > after) throw new Error('killed');
  };
  await catalogue
    .refresh({ onProgress })
    .catch((error: Error) => expect(error.message).toBe('killed'));
}

async function contentsOf(catalogue: SqliteCatalogue) {
  const { sessions } = await catalogue.list({ limit: 1000 });
  const groupings: UsageGrouping[] = ['day', 'model', 'agent', 'project', 'session', 'cause'];
  const usage = await Promise.all(groupings.map((by) => catalogue.usage({ by, timeZone: 'UTC' })));
  const found = await Promise.all(
    WORDS.map((text) => catalogue.search({ text, limit: 1000, hitsPerSession: 1000 })),
  );
  const rows = await catalogue.inspect((database) =>
    database.rows(
      'select type, native_id, path, digest, orphan, hidden, twin, gone is null as here from session order by 1, 2, 3',
    ),
  );
  return {
    sessions: sessions.map(({ isLive: _isLive, ...session }) => session),
    usage: usage.map(({ rows: list, ...report }) => ({
      ...report,
      rows: list.map(roundCost),
      total: roundCost(report.total),
    })),
    hits: found.map((page) =>
      page.sessions
        .map(({ session, hits }) => [
          session.type,
          session.id,
          hits.map(({ blockId, thread }) => `${thread} ${blockId}`).sort(),
        ])
        .sort(),
    ),
    rows,
  };
}

/** Sums of the same numbers in another order differ in the last place. */
function roundCost<Sum extends { readonly costUsd: number }>(sum: Sum): Sum {
  return { ...sum, costUsd: Number(sum.costUsd.toFixed(9)) };
}

/** Sessions of four agents that go on, are written anew, torn, deleted, moved and forked. */
class World {
  readonly #home: string;
  #turn = 0;

  constructor(home: string) {
    this.#home = home;
  }

  change(what: string, on: number): void {
    const path = this.#pathOf(on);
    if (what === 'append') this.#append(on, path);
    else if (what === 'delete') rmSync(path, { force: true });
    else if (what === 'twin') this.#twin(path);
    else if (what === 'fork') this.#fork(on);
    else if (what === 'subagent') this.#subagent(on);
    else if (existsSync(path)) this.#damage(what, path, on);
  }

  /** A copy of the file in another project, which is gone when it happens again. */
  #twin(path: string): void {
    const twin = join(`${dirname(path)}-twin`, basename(path));
    if (existsSync(twin)) rmSync(twin);
    else if (existsSync(path)) {
      mkdirSync(dirname(twin), { recursive: true });
      cpSync(path, twin);
    }
  }

  #damage(what: string, path: string, on: number): void {
    if (what === 'tear') truncateSync(path, Math.floor(readFileSync(path).length * 0.7));
    else if (what === 'rewrite') {
      rmSync(path);
      this.#append(on, path);
    } else if (what === 'move' && on < 2) {
      const folder = dirname(path);
      const other = `${folder}-moved`;
      if (existsSync(other)) rmSync(other, { recursive: true });
      renameSync(folder, other);
    }
  }

  #append(on: number, path: string): void {
    const id = `s${on}`;
    const turn = this.#next();
    const isNew = !existsSync(path) || readFileSync(path).length === 0;
    const before = isNew ? undefined : lastUuid(path);
    switch (on % 4) {
      case 0:
      case 1:
        appendLines(
          path,
          claudeTurn(turn, { sessionId: id, parent: before ?? null, cwd: `/code/${on}` }),
        );
        break;
      case 2:
        appendLines(path, [...(isNew ? [codexHeader(threadOf(on))] : []), ...codexTurn(turn)]);
        break;
      default:
        if (on === 3)
          appendLines(path, [...(isNew ? [geminiHeader(geminiOf(on))] : []), ...geminiTurn(turn)]);
        else appendLines(path, [...(isNew ? [piHeader(id)] : []), ...piTurn(turn)]);
    }
  }

  #fork(on: number): void {
    const path = this.#pathOf(0);
    if (!existsSync(path)) return;
    const copy = claudePath(this.#home, `fork${on}`, '-work-0');
    const lines = readFileSync(path, 'utf8').split('\n').flatMap(parsed);
    writeLines(
      copy,
      lines.map((line) => ({
        ...line,
        sessionId: `fork${on}`,
        ...(on % 2 && { forkedFrom: { sessionId: 's0' } }),
      })),
    );
  }

  #subagent(on: number): void {
    const id = `s${on % 2}`;
    const lines = claudeLines([this.#next()], { sessionId: id }).map((line) => ({
      ...line,
      isSidechain: true,
      agentId: `a${on}`,
    }));
    const project = dirname(this.#pathOf(on % 2));
    const nested = join(project, id, 'subagents', `agent-a${on}.jsonl`);
    writeLines(on < 3 ? nested : join(project, `agent-a${on}.jsonl`), lines);
  }

  #pathOf(on: number): string {
    if (on === 0 || on === 1) {
      const path = claudePath(this.#home, `s${on}`, `-work-${on}`);
      return existsSync(path) || !existsSync(`${dirname(path)}-moved`)
        ? path
        : path.replace(`-work-${on}`, `-work-${on}-moved`);
    }
    if (on === 4 || on === 5)
      return on === 4 ? claudePath(this.#home, 's4', '-work-4') : piPath(this.#home, 's5');
    return on === 2 ? codexPath(this.#home, threadOf(on)) : geminiPath(this.#home, geminiOf(on));
  }

  #next() {
    const number = this.#turn++;
    const word = WORDS[number % WORDS.length];
    const at = new Date(1_793_000_000_000 + number * 3_600_000).toISOString();
    return {
      id: `t${number}`,
      prompt: `Prompt ${number} about ${word}`,
      answer: `Answer ${WORDS[(number * 5 + 1) % WORDS.length]}`,
      ...(number % 3 === 0 && { tool: { command: `run ${word}`, output: `out ${number}` } }),
      at,
    };
  }
}

function lastUuid(path: string): string | undefined {
  const lines = readFileSync(path, 'utf8').split('\n').flatMap(parsed);
  return lines.findLast((line) => 'uuid' in line)?.uuid as string | undefined;
}

function parsed(line: string): Record<string, unknown>[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Record<string, unknown>];
  } catch {
    // Torn by an earlier step.
    return [];
  }
}

function threadOf(on: number): string {
  return `01a1e126-6565-7fc3-909b-adcb8413841${on}`;
}

function geminiOf(on: number): string {
  return `88de189${on}-1111-4222-8333-444444444444`;
}
