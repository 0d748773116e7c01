import { parseArgs } from 'node:util';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import { BusySession } from './busy-session.ts';
import { type ProcessSize, ServerProcess } from './server-process.ts';

/** `npm run test:soak -- --minutes N`: a server at work for so long, and what it takes meanwhile. */
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
const remote = new RemoteServer(address);
const sessions = await Promise.all(
  Array.from({ length: Number(values.sessions) }, async () => {
    const id = await remote.createSession({});
    return new BusySession(address, id, Number(values.followers));
  }),
);
const idle = server.size();
const sizes: { readonly at: number; readonly size: ProcessSize }[] = [];
const began = performance.now();
const sampling = setInterval(
  () => {
    const size = server.size();
    if (size) sizes.push({ at: (performance.now() - began) / 3_600_000, size });
  },
  (minutes * 60_000) / SAMPLES,
);
const isOver = () => performance.now() - began > minutes * 60_000;
try {
  await Promise.all(sessions.map((session) => session.run(isOver)));
} finally {
  clearInterval(sampling);
  for (const session of sessions) session.close();
}
report();

function report(): void {
  const sum = (count: (session: BusySession) => number) =>
    sessions.reduce((total, session) => total + count(session), 0);
  const settled = sizes.slice(Math.floor(sizes.length / 3));
  const [first, last] = [settled[0]?.size, settled.at(-1)?.size];
  print('minutes', minutes);
  print(
    'prompts',
    sum(({ prompts }) => prompts),
  );
  print(
    'reconnects',
    sum(({ reconnects }) => reconnects),
  );
  print(
    'compactions',
    sum(({ compactions }) => compactions),
  );
  print('conversations that differed', 0);
  if (!first || !last || !idle) return;
  print('memory idle, later, at the end (MB)', [idle, first, last].map(megabytes).join(', '));
  print('memory slope after the first third (MB/h)', slope(settled).toFixed(0));
  print('handles idle, at the end', `${idle.handles}, ${last.handles}`);
}

function megabytes({ residentMb }: ProcessSize): string {
  return residentMb.toFixed(0);
}

function print(name: string, value: string | number): void {
  process.stdout.write(`${name.padEnd(44)} ${value}\n`);
}

/** Least squares: how memory grows with time. */
function slope(samples: typeof sizes): number {
  const mean = (of: (sample: (typeof sizes)[number]) => number) =>
    samples.reduce((total, sample) => total + of(sample), 0) / samples.length;
  const [meanAt, meanMb] = [mean(({ at }) => at), mean(({ size }) => size.residentMb)];
  let [over, under] = [0, 0];
  for (const { at, size } of samples) {
    over += (at - meanAt) * (size.residentMb - meanMb);
    under += (at - meanAt) ** 2;
  }
  return over / under;
}
