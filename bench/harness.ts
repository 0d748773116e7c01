/** One measured guarantee. */
export interface BenchRow {
  readonly name: string;
  /** `x` is a ratio to a baseline of the same run; the others are absolute. */
  readonly unit: 'x' | 'ms' | 'MB' | 'KB' | 'px';
  readonly target: number;
  /** `most`: the value must not exceed the target; `least`: must reach it. */
  readonly bound?: 'most' | 'least';
  measure(): Promise<BenchValue> | BenchValue;
}

export interface BenchValue {
  readonly value: number;
  /** How the value was computed: times, sizes, the logger in use. */
  readonly detail: string;
}

/** The median time of `work` in milliseconds over `rounds` runs, after one warm-up. */
export async function medianMs(work: () => unknown, rounds = 9): Promise<number> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = process.hrtime.bigint();
    await work();
    times.push(Number(process.hrtime.bigint() - started) / 1e6);
  }
  return median(times);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Our cost divided by the baseline's, measured alternately so that noise affects both. */
export async function ratioOf(
  ours: () => unknown,
  baseline: () => unknown,
  rounds = 9,
): Promise<BenchValue> {
  await ours();
  await baseline();
  const ourTimes: number[] = [];
  const baseTimes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    baseTimes.push(await timeOnce(baseline));
    ourTimes.push(await timeOnce(ours));
  }
  const [mine, base] = [median(ourTimes), median(baseTimes)];
  return { value: mine / base, detail: `${mine.toFixed(3)} ms against ${base.toFixed(3)} ms` };
}

async function timeOnce(work: () => unknown): Promise<number> {
  const started = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - started) / 1e6;
}
