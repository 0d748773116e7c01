import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSession, PostgresNode } from '../../packages/archive/src/postgres/index.ts';
import { FileSessionLogger, Session, SessionStore } from '../../packages/session/src/index.ts';
import { findPostgres } from '../../packages/store/test/databases/servers.ts';
import { type BenchRow, type BenchValue, median, ratioOf } from '../harness.ts';
import { instantProvider, quietTerminal } from '../session/long-session.ts';
import { type BenchArchive, benchLine, openBenchArchive, sinksOf } from './shared-archive.ts';

const server = await findPostgres();
if (server === undefined)
  console.error('*** NOT RUN: the archive on PostgreSQL; set ROBOTA_TEST_POSTGRES_URL. ***');

const SESSIONS = 16;
const LINES = 4;
const FOLLOWERS = 1_000;
const TTL_MS = 1_000;
const LOOK_MS = 200;

/** Runs `measure` on a separate archive. */
function row(
  given: Omit<BenchRow, 'measure'>,
  measure: (place: BenchArchive) => Promise<BenchValue>,
): BenchRow {
  return {
    ...given,
    async measure() {
      const place = await openBenchArchive(server?.url ?? '');
      try {
        return await measure(place);
      } finally {
        await place.close();
      }
    },
  };
}

const all: readonly BenchRow[] = [
  row(
    {
      name: 'guarded append, of the speed of a bare insert',
      unit: 'x',
      target: 0.7,
      bound: 'least',
    },
    async (place) => {
      const [sink] = await sinksOf(place, 1);
      let [n, seq] = [0, 0];
      const guarded = async () => {
        for (let step = 0; step < 20; step++) await sink?.append(`${benchLine(++n)}\n`);
      };
      const bare = async () => {
        for (let step = 0; step < 20; step++) {
          seq += 1;
          const values = [seq, benchLine(seq)];
          await place.sql.unsafe(
            `INSERT INTO ${place.raw} VALUES (0, $1, $1, 'notice', $2)`,
            values,
            { prepare: true },
          );
        }
      };
      const alone = speedOf(await ratioOf(guarded, bare, 200));
      await place.elsewhere().listen();
      const heard = speedOf(await ratioOf(guarded, bare, 200));
      return {
        ...alone,
        detail: `${alone.detail}; ${heard.value.toFixed(2)} x while another node listens`,
      };
    },
  ),
  row(
    {
      name: `lines of ${SESSIONS} sessions together, of the speed of one bare insert of all`,
      unit: 'x',
      target: 0.55,
      bound: 'least',
    },
    async (place) => {
      const guarded = await manySessions(place);
      let seq = 0;
      const bare = async () => {
        const from = seq;
        seq += LINES;
        const places = Array.from({ length: SESSIONS * LINES }, (_unused, index) => index);
        await place.sql.unsafe(
          `INSERT INTO ${place.raw} SELECT * FROM unnest($1::bigint[], $2::bigint[], $2::bigint[], $3::text[], $4::text[])`,
          [
            places.map((index) => Math.floor(index / LINES)),
            places.map((index) => from + (index % LINES) + 1),
            places.map(() => 'notice'),
            places.map((index) => benchLine(index)),
          ],
          { prepare: true },
        );
      };
      return speedOf(await ratioOf(guarded, bare, 31));
    },
  ),
  row(
    {
      name: `lines of ${SESSIONS} sessions together, of the speed of bare inserts one by one`,
      unit: 'x',
      target: 1.5,
      bound: 'least',
    },
    async (place) => {
      const guarded = await manySessions(place);
      let seq = 0;
      const bare = async () => {
        const from = seq;
        seq += LINES;
        await Promise.all(
          Array.from({ length: SESSIONS }, async (_unused, sid) => {
            for (let step = 1; step <= LINES; step++) {
              const values = [sid, from + step, benchLine(step)];
              await place.sql.unsafe(
                `INSERT INTO ${place.raw} VALUES ($1, $2, $2, 'notice', $3)`,
                values,
                { prepare: true },
              );
            }
          }),
        );
      };
      return speedOf(await ratioOf(guarded, bare, 15));
    },
  ),
  row(
    {
      name: `a line until it reaches the median of ${FOLLOWERS} followers, of insert and notify`,
      unit: 'x',
      target: 4,
    },
    followed,
  ),
  row(
    {
      name: `take-over, lease of ${TTL_MS} ms, look every ${LOOK_MS} ms`,
      unit: 'ms',
      target: TTL_MS + LOOK_MS + 1_000,
    },
    takenOver,
  ),
  row({ name: 'open from a checkpoint, of a full replay', unit: 'x', target: 0.05 }, opened),
];

export const rows: readonly BenchRow[] = server === undefined ? [] : all;

/** Our speed relative to the baseline. */
function speedOf({ value, detail }: BenchValue): BenchValue {
  return { value: 1 / value, detail };
}

async function manySessions(place: BenchArchive): Promise<() => Promise<void>> {
  const sinks = await sinksOf(place, SESSIONS);
  let n = 0;
  return async () => {
    n += LINES;
    const text = Array.from(
      { length: LINES },
      (_unused, index) => `${benchLine(n - LINES + index + 1)}\n`,
    ).join('');
    await Promise.all(sinks.map(({ append }) => append(text)));
  };
}

/**
 * Followers are on another node. Each must receive every line once, in order. Rounds of both kinds alternate, so that
 * noise hits both.
 */
async function followed(place: BenchArchive): Promise<BenchValue> {
  const elsewhere = place.elsewhere();
  const sinks = await sinksOf(place, 10);
  const waits: number[] = [];
  const sent = new Map<string, number>();
  const places = new Map<number, number>();
  let told = 0;
  let onAllTold: () => void = () => undefined;
  const followings = Array.from({ length: FOLLOWERS }, (_unused, follower) => {
    const id = sinks[follower % sinks.length]?.id ?? '';
    return elsewhere.follow({
      id,
      after: 0,
      onLines: (lines) => {
        const now = performance.now();
        for (const line of lines) {
          const before = places.get(follower) ?? 0;
          if (line.place !== before + 1) throw new Error(`Line ${line.place} came after ${before}`);
          places.set(follower, line.place);
          waits.push(now - (sent.get(`${id} ${line.place}`) ?? now));
        }
        told += lines.length;
        if (told === FOLLOWERS) onAllTold();
      },
      onInbox: () => undefined,
      onError: () => undefined,
    });
  });
  await Promise.all(followings.map((following) => following.refresh()));
  const insertAndNotify = await bareNotify(place);
  for (let n = 1; n <= 20; n++) {
    told = 0;
    const allTold = new Promise<void>((resolve) => {
      onAllTold = resolve;
    });
    for (const { id, append } of sinks) {
      sent.set(`${id} ${n}`, performance.now());
      await append(`${benchLine(n)}\n`);
    }
    await allTold;
    for (let step = 0; step < 3; step++) await insertAndNotify.run();
  }
  await Promise.all(followings.map((following) => following.refresh()));
  const isWhole = [...places.values()].every((last) => last === 20) && places.size === FOLLOWERS;
  if (!isWhole) throw new Error('A follower did not receive everything');
  const bare = median(insertAndNotify.times);
  await Promise.all(followings.map((following) => following.stop()));
  const ours = median(waits);
  return {
    value: ours / bare,
    detail: `${ours.toFixed(1)} ms against ${bare.toFixed(1)} ms, no gap, no repeat`,
  };
}

async function bareNotify({ sql, raw }: BenchArchive) {
  const times: number[] = [];
  let onNotify: () => void = () => undefined;
  let seq = 0;
  await sql.listen('robota_bench', () => onNotify());
  const run = async () => {
    seq += 1;
    const started = performance.now();
    const notified = new Promise<void>((resolve) => {
      onNotify = resolve;
    });
    await sql.unsafe(
      `INSERT INTO ${raw} VALUES (-1, $1, $1, 'notice', $2)`,
      [seq, benchLine(seq)],
      {
        prepare: true,
      },
    );
    await sql.notify('robota_bench', String(seq));
    await notified;
    times.push(performance.now() - started);
  };
  return { times, run };
}

/** A dead node still has the claim of a session with an open turn. */
async function takenOver({ archive, sql, schema }: BenchArchive): Promise<BenchValue> {
  const times: number[] = [];
  const looking = new PostgresNode({ archive, name: 'looks', ttlMs: TTL_MS, lookMs: LOOK_MS });
  const found = new EventTarget();
  await looking.start({
    onWork: (id) =>
      void looking.claim(id).then((claim) => claim && found.dispatchEvent(new Event(id))),
    onInbox: () => undefined,
    onError: () => undefined,
  });
  try {
    for (let round = 0; round < 5; round++) {
      const id = crypto.randomUUID();
      await archive.create(id, {});
      const claimed = once(found, id);
      await sql.unsafe(
        `WITH dead AS (INSERT INTO "${schema}".node (id, name, until)
          VALUES (gen_random_uuid(), 'dead', clock_timestamp() + ${TTL_MS} * interval '1 ms') RETURNING id)
        UPDATE "${schema}".session SET owner = dead.id, fence = 1, is_open_turn = true FROM dead WHERE session.id = $1`,
        [id],
      );
      const started = performance.now();
      await claimed;
      times.push(performance.now() - started);
    }
  } finally {
    await looking.stop();
  }
  return { value: Math.max(...times), detail: `the longest of ${times.length}` };
}

async function opened({ archive, sql, schema }: BenchArchive): Promise<BenchValue> {
  const folder = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const folders = { sessions: join(folder, 'sessions'), logs: join(folder, 'logs') };
  try {
    await longLog(folders);
    const { bytes } = await importSession(archive, folders, 'long');
    await sql.unsafe(
      `INSERT INTO "${schema}".session (id, last_seq, last_n, bytes) SELECT 'whole', last_seq, last_n, bytes FROM "${schema}".session`,
    );
    await sql.unsafe(
      `INSERT INTO "${schema}".event SELECT w.sid, e.seq, e.fence, e.n, e.kind, e.data FROM "${schema}".event e, "${schema}".session w WHERE w.id = 'whole'`,
    );
    await sql.unsafe(
      `INSERT INTO "${schema}".payload SELECT w.sid, p.hash, p.data FROM "${schema}".payload p, "${schema}".session w WHERE w.id = 'whole'`,
    );
    const { value, detail } = await ratioOf(
      () => archive.open('long'),
      () => archive.open('whole'),
      5,
    );
    return { value, detail: `${detail}, log of ${(bytes / 1e6).toFixed(1)} MB` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Many turns, of which the conversation keeps only the last; the rest was cleared and is only in the log. */
async function longLog({ sessions, logs }: { sessions: string; logs: string }): Promise<void> {
  const session = new Session({
    sessionId: 'long',
    provider: instantProvider('a'.repeat(8_000)),
    tools: [],
    systemMessage: 'You help.',
    terminal: quietTerminal,
    sessionStore: new SessionStore(sessions, { logDir: logs }),
    sessionLogger: new FileSessionLogger(logs),
    autoCompactThreshold: false,
    contextMaxTokens: 10_000_000,
    vault: false,
  });
  for (let turn = 0; turn < 300; turn++) {
    await session.run('u'.repeat(200));
    if (turn % 20 === 19) session.clearHistory();
  }
  await session.shutdown();
}
