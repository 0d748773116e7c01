import { setInterval } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BusySeat } from './busy-seat.ts';
import { type ProcessSize, ServerProcess } from './server-process.ts';

interface Sample {
  /** Hours since the start. */
  readonly at: number;
  readonly heapMb: number;
  readonly size: ProcessSize | undefined;
}

/** `npm run test:soak -- --minutes N`: a busy server for N minutes, and its memory meanwhile. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    sessions: { type: 'string', default: '6' },
    followers: { type: 'string', default: '4' },
  },
});
const minutes = Number(values.minutes);
const SAMPLES = 60;

await using server = await ServerProcess.start();
const address = { url: server.url, token: server.token };
const seats = Array.from(
  { length: Number(values.sessions) },
  () => new BusySeat(address, Number(values.followers)),
);
const idle = await measure();
const samples: Sample[] = [];
const began = performance.now();
const sampling = new AbortController();
const sampled = sample();
try {
  await Promise.all(seats.map((seat) => seat.run(isOver)));
} finally {
  sampling.abort();
}
await sampled;
report();

function isOver(): boolean {
  return performance.now() - began > minutes * 60_000;
}

async function measure(): Promise<Sample> {
  const heapMb = await server.heapMb();
  return { at: (performance.now() - began) / 3_600_000, heapMb, size: server.size() };
}

async function sample(): Promise<void> {
  const every = (minutes * 60_000) / SAMPLES;
  const ticks = setInterval(every, undefined, { signal: sampling.signal });
  try {
    for await (const _ of ticks) samples.push(await measure());
  } catch (error) {
    if (!sampling.signal.aborted) throw error;
  }
}

function report(): void {
  const sum = (count: (seat: BusySeat) => number) =>
    seats.reduce((total, seat) => total + count(seat), 0);
  print('minutes', minutes);
  print(
    'prompts',
    sum(({ prompts }) => prompts),
  );
  print(
    'sessions',
    sum(({ sessions }) => sessions),
  );
  print(
    'reconnects',
    sum(({ reconnects }) => reconnects),
  );
  print(
    'compactions',
    sum(({ compactions }) => compactions),
  );
  // A difference would have ended the run with an error.
  print(
    'conversations compared, none of which differed',
    sum(({ comparisons }) => comparisons),
  );
  const settled = samples.slice(Math.floor(samples.length / 3));
  const [first, last] = [settled[0], settled.at(-1)];
  if (!first || !last) return;
  const three = (of: (each: Sample) => number | undefined) =>
    [idle, first, last].map((each) => of(each)?.toFixed(0) ?? '?').join(', ');
  print(
    'heap idle, after a third, at the end (MB)',
    three(({ heapMb }) => heapMb),
  );
  print(
    'heap slope after the first third (MB/h)',
    slope(settled, ({ heapMb }) => heapMb),
  );
  print(
    'resident idle, after a third, at the end (MB)',
    three(({ size }) => size?.residentMb),
  );
  print(
    'resident slope after the first third (MB/h)',
    slope(settled, ({ size }) => size?.residentMb ?? 0),
  );
  print(
    'handles idle, after a third, at the end',
    three(({ size }) => size?.handles),
  );
}

function print(name: string, value: string | number): void {
  process.stdout.write(`${name.padEnd(48)} ${value}\n`);
}

/** Growth of a size over time, by least squares. */
function slope(settled: readonly Sample[], of: (each: Sample) => number): string {
  const mean = (read: (each: Sample) => number) =>
    settled.reduce((total, each) => total + read(each), 0) / settled.length;
  const [meanAt, meanSize] = [mean(({ at }) => at), mean(of)];
  let [over, under] = [0, 0];
  for (const each of settled) {
    over += (each.at - meanAt) * (of(each) - meanSize);
    under += (each.at - meanAt) ** 2;
  }
  return (over / under).toFixed(0);
}
