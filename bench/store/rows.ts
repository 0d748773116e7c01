import { type AtomicSessionStore, createSessionStore } from '@robota-sdk/agent-store';
import type { ClosableAdapter } from '../../packages/store/test/databases/test-database.ts';
import { type BenchRow, type BenchValue, median, ratioOf } from '../harness.ts';
import { idOf, LARGE, SMALL, spread, userOf } from './sessions.ts';

/** The same statements as our adapter, sent with the bare driver. */
export interface RawDriver {
  touch(index: number, step: number): unknown;
  attach(index: number, step: number): unknown;
  findByUser(userId: string): unknown;
}

export interface LoadedDatabase {
  readonly adapter: ClosableAdapter;
  readonly raw: RawDriver;
  drop(): Promise<void>;
}

export interface Subject {
  readonly name: string;
  /** Minimum fraction of the raw driver's speed. */
  readonly target: number;
  load(count: number): Promise<LoadedDatabase>;
}

/** Calls timed together, to make the clock's cost negligible. */
const BATCH = 100;
const STALE = 20;
const HOUR = 3_600_000;

export function storeRows(subject: Subject): readonly BenchRow[] {
  const databases = new Databases(subject);
  const at = `${LARGE.toLocaleString('en')} sessions on ${subject.name}`;
  const speed = (name: string, measure: BenchRow['measure']): BenchRow => ({
    name: `${name} at ${at}, of the raw driver's speed`,
    unit: 'x',
    target: subject.target,
    bound: 'least',
    measure,
  });
  return [
    speed('touch', () => databases.speedOf((store, index) => store.touch(idOf(index)), 'touch')),
    speed('attach', () =>
      databases.speedOf(
        (store, index, step) => store.attachSurface(idOf(index), `new-${step}`),
        'attach',
      ),
    ),
    speed('find by user', () => databases.speedOfFind()),
    {
      name: `find by user at ${at}, against ${SMALL.toLocaleString('en')}`,
      unit: 'x',
      target: 2,
      measure: () => databases.growthOfFind(),
    },
    {
      name: `sweep of ${STALE} stale at ${at}, against ${SMALL.toLocaleString('en')}`,
      unit: 'x',
      target: 2,
      measure: () => databases.growthOfSweep(),
    },
  ];
}

class Databases {
  readonly #subject: Subject;
  #large: Promise<LoadedDatabase> | undefined;
  #small: Promise<LoadedDatabase> | undefined;
  #step = 0;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async speedOf(
    ours: (store: AtomicSessionStore, index: number, step: number) => Promise<unknown>,
    method: 'touch' | 'attach',
  ): Promise<BenchValue> {
    const { adapter, raw } = await this.#loadLarge();
    const store = createSessionStore({ adapter });
    const batch = async (work: (index: number, step: number) => unknown): Promise<void> => {
      for (let call = 0; call < BATCH; call++) {
        const step = this.#step++;
        await work(spread(step, LARGE), step);
      }
    };
    return inverse(
      await ratioOf(
        () => batch((index, step) => ours(store, index, step)),
        () => batch((index, step) => raw[method](index, step)),
        25,
      ),
    );
  }

  async speedOfFind(): Promise<BenchValue> {
    const { adapter, raw } = await this.#loadLarge();
    const store = createSessionStore({ adapter });
    return inverse(
      await ratioOf(
        () => this.#users(LARGE, (userId) => store.find({ userId })),
        () => this.#users(LARGE, (userId) => raw.findByUser(userId)),
        25,
      ),
    );
  }

  async growthOfFind(): Promise<BenchValue> {
    const [large, small] = [await this.#loadLarge(), await this.#loadSmall()];
    return ratioOf(
      () => this.#users(LARGE, (userId) => large.adapter.fetchMany({ userId })),
      () => this.#users(SMALL, (userId) => small.adapter.fetchMany({ userId })),
      25,
    );
  }

  /** The last row: drops both databases afterwards. */
  async growthOfSweep(): Promise<BenchValue> {
    const [large, small] = [await this.#loadLarge(), await this.#loadSmall()];
    const times: { large: number[]; small: number[] } = { large: [], small: [] };
    for (let round = 0; round < 12; round++) {
      times.small.push(await this.#timeSweep(small, SMALL));
      times.large.push(await this.#timeSweep(large, LARGE));
    }
    await Promise.all([large.drop(), small.drop()]);
    const [mine, base] = [median(times.large), median(times.small)];
    return { value: mine / base, detail: `${mine.toFixed(3)} ms against ${base.toFixed(3)} ms` };
  }

  async #timeSweep({ adapter }: LoadedDatabase, count: number): Promise<number> {
    const longAgo = new Date(Date.now() - 2 * HOUR).toISOString();
    for (let stale = 0; stale < STALE; stale++) {
      const index = spread(this.#step++, count);
      await adapter.update(idOf(index), { state: 'active', lastActivityAt: longAgo });
    }
    const started = process.hrtime.bigint();
    const swept = await createSessionStore({ adapter }).sweepStale(HOUR);
    const ms = Number(process.hrtime.bigint() - started) / 1e6;
    if (swept.length !== STALE)
      throw new Error(`Swept ${swept.length} sessions instead of ${STALE}`);
    return ms;
  }

  async #users(count: number, work: (userId: string) => unknown): Promise<void> {
    for (let call = 0; call < BATCH; call++) await work(userOf(spread(this.#step++, count)));
  }

  #loadLarge(): Promise<LoadedDatabase> {
    this.#large ??= this.#subject.load(LARGE);
    return this.#large;
  }

  #loadSmall(): Promise<LoadedDatabase> {
    this.#small ??= this.#subject.load(SMALL);
    return this.#small;
  }
}

function inverse({ value, detail }: BenchValue): BenchValue {
  return { value: 1 / value, detail: `${detail} for ${BATCH} calls` };
}
