import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../../test/bundle-program.ts';
import { claudePath, claudeTurn, temporaryHome, writeLines } from '../generated-home.ts';

function openCatalogue(home: string): SqliteCatalogue {
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  return catalogue;
}

function fill(home: string, sessions: number): void {
  for (let number = 0; number < sessions; number++) {
    const id = `s${number}`;
    const turn = {
      id: `t${number}`,
      prompt: `Task ${number}`,
      answer: `needle ${'word '.repeat(50)}`,
    };
    writeLines(claudePath(home, id), claudeTurn(turn, { sessionId: id }));
  }
}

/** Documents, spans, places and requests must belong to each other, whatever happened. */
async function faultsOf(catalogue: SqliteCatalogue) {
  return catalogue.inspect((database) => ({
    spansWithoutSession: database.rows(
      'select first from span where session not in (select id from session)',
    ),
    sessionsWithoutPlace: database.rows(
      'select id from session where id not in (select session from place)',
    ),
    requestsWithoutSession: database.rows(
      'select session from usage where session not in (select id from session)',
    ),
    wordsOutside: database.rows(
      `select rowid as id from words where words match 'needle' and not exists
         (select 1 from span where first <= words.rowid / 2 and last >= words.rowid / 2)`,
    ),
  }));
}

const SOUND = {
  spansWithoutSession: [],
  sessionsWithoutPlace: [],
  requestsWithoutSession: [],
  wordsOutside: [],
};

describe('a catalogue whose process is killed while it indexes', () => {
  it('is sound, and complete after the next refresh', async () => {
    const { file: program, remove } = await bundleProgram(
      join(import.meta.dirname, 'refresh-child.ts'),
    );
    onTestFinished(remove);
    const home = temporaryHome();
    fill(home, 450);
    for (const after of [1, 150, 230, 401]) {
      const child = spawn(process.execPath, [program, home], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let done = 0;
      for await (const chunk of child.stdout) {
        done += String(chunk).split('\n').length - 1;
        if (done >= after) child.kill('SIGKILL');
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');

      const catalogue = new SqliteCatalogue({ home, environment: {} });
      expect(await faultsOf(catalogue)).toEqual(SOUND);
      await catalogue.close();
    }

    const catalogue = openCatalogue(home);
    const report = await catalogue.refresh();

    expect(report).toMatchObject({ status: 'complete', sessions: 450 });
    expect(await faultsOf(catalogue)).toEqual(SOUND);
    expect((await catalogue.usage()).total.requests).toBe(450);
  }, 120_000);
});

describe('a catalogue file', () => {
  const file = (home: string) => join(home, '.robota/catalogue.sqlite');

  it('is built anew when it is deleted', async () => {
    const home = temporaryHome();
    fill(home, 3);
    const first = new SqliteCatalogue({ home, environment: {} });
    await first.refresh();
    await first.close();
    for (const name of readdirSync(join(home, '.robota'))) rmSync(join(home, '.robota', name));

    const catalogue = openCatalogue(home);
    const empty = await catalogue.list();
    await catalogue.refresh();

    expect(empty.sessions).toEqual([]);
    expect((await catalogue.list()).sessions).toHaveLength(3);
  });

  it.each([
    [
      'no database at all',
      (path: string) =>
        writeFileSync(path, 'not a database, but long enough to look at '.repeat(400)),
    ],
    [
      'damaged pages',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.fill(0xa5, 8192, bytes.length);
        writeFileSync(path, bytes);
      },
    ],
    ['cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 9000))],
    ['empty', (path: string) => writeFileSync(path, '')],
  ])('that is %s costs no answer', async (_, damage) => {
    const home = temporaryHome();
    fill(home, 3);
    const first = new SqliteCatalogue({ home, environment: {} });
    await first.refresh();
    await first.close();
    damage(file(home));
    for (const suffix of ['-wal', '-shm']) rmSync(`${file(home)}${suffix}`, { force: true });

    const catalogue = openCatalogue(home);
    await catalogue.refresh();

    expect((await catalogue.list()).sessions).toHaveLength(3);
    expect((await catalogue.search({ text: 'needle' })).sessions).toHaveLength(3);
  });

  it('of another version is built anew, and the ledger outlives it', async () => {
    const home = temporaryHome();
    fill(home, 3);
    const first = openCatalogue(home);
    await first.refresh();
    rmSync(claudePath(home, 's1'));
    await first.refresh();
    const before = await first.usage();
    await first.inspect((database) => database.exec('pragma user_version = 999'));
    await first.close();

    const catalogue = openCatalogue(home);
    await catalogue.refresh();

    expect((await catalogue.list()).sessions).toHaveLength(2);
    expect(await catalogue.usage()).toEqual(before);
  });

  it('is refreshed although its lock is no database', async () => {
    const home = temporaryHome();
    fill(home, 1);
    const catalogue = openCatalogue(home);
    await catalogue.refresh();
    fill(home, 2);
    writeFileSync(join(home, '.robota/catalogue.lock'), 'not a database at all '.repeat(9));

    expect(await catalogue.refresh()).toMatchObject({ status: 'complete', sessions: 2 });
  });

  it('can be read by its owner alone, and nothing is written into homes of agents', async () => {
    const home = temporaryHome();
    fill(home, 2);
    const before = readdirSync(join(home, '.claude'), { recursive: true });
    const catalogue = openCatalogue(home);
    await catalogue.refresh();

    expect(statSync(file(home)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home, '.claude'), { recursive: true })).toEqual(before);
    expect(existsSync(join(home, '.codex'))).toBe(false);
  });
});

describe('a ledger with lines that nobody wrote', () => {
  it('counts the others', async () => {
    const home = temporaryHome();
    fill(home, 2);
    const catalogue = openCatalogue(home);
    await catalogue.refresh();
    const before = (await catalogue.usage()).total;
    rmSync(claudePath(home, 's1'));
    await catalogue.refresh();
    const path = join(home, '.robota/usage-ledger.jsonl');
    const [whole = ''] = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    const session = JSON.parse(whole) as { requests: object[] };
    const [request] = session.requests;
    const wrong = [
      { type: 'claude-agent-sdk', id: 'x', requests: [] },
      { ...session, id: 'x', requests: [null] },
      { ...session, id: 'x', requests: [{ ...request, key: 'junk' }] },
      { ...session, id: 'x', requests: [{ ...request, key: '9'.repeat(19) }] },
      { ...session, id: 'x', requests: [{ ...request, input: '1' }] },
      { ...session, id: 'x', cwd: 7 },
      'text',
    ].map((line) => JSON.stringify(line));
    appendFileSync(path, `${wrong.join('\n')}\n\u0000\u0001{`);
    await catalogue.rebuild();

    expect((await catalogue.usage()).total).toEqual(before);
    expect((await catalogue.deletions()).map(({ id }) => id)).toEqual(['s1']);
  });
});

describe('a session that comes back', () => {
  it('counts once', async () => {
    const home = temporaryHome();
    fill(home, 2);
    const kept = readFileSync(claudePath(home, 's1'));
    const catalogue = openCatalogue(home);
    await catalogue.refresh();
    rmSync(claudePath(home, 's1'));
    await catalogue.refresh();
    writeFileSync(claudePath(home, 's1'), kept);
    await catalogue.refresh();

    expect((await catalogue.usage()).total.requests).toBe(2);
    expect((await catalogue.list()).sessions).toHaveLength(2);
  });
});
