import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { WebSocket, WebSocketServer } from 'ws';
import type { BenchRow, BenchValue } from '../harness.ts';

const FOLLOWERS = 1_000;
const EVENTS = 200;
const PAUSE_MS = 25;

/** Send time of each text, and its latency to each follower. */
class Stopwatch {
  readonly #left = new Map<number, number>();
  readonly delays: number[] = [];

  leaves(index: number): string {
    this.#left.set(index, performance.now());
    return `<${index}>`;
  }

  arrives(text: string): void {
    const left = this.#left.get(Number(/<(\d+)>/.exec(text)?.[1]));
    if (left !== undefined) this.delays.push(performance.now() - left);
  }

  p99(): number {
    const sorted = this.delays.sort((left, right) => left - right);
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Clients of a bare server that sends the same texts to all of them. */
async function bareBroadcast(): Promise<number> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const watch = new Stopwatch();
  const clients = await Promise.all(
    Array.from({ length: FOLLOWERS }, async () => {
      const client = new WebSocket(`ws://127.0.0.1:${port}`);
      client.on('message', (data) => watch.arrives(String(data)));
      await once(client, 'open');
      return client;
    }),
  );
  for (let index = 0; index < EVENTS; index++) {
    const text = JSON.stringify({ type: 'stream_event', event: { delta: watch.leaves(index) } });
    for (const client of server.clients) client.send(text);
    await pause();
  }
  while (watch.delays.length < FOLLOWERS * EVENTS) await pause();
  for (const client of clients) client.terminate();
  server.close();
  return watch.p99();
}

/** One follower: resumes from its position after a reconnect. */
class BenchFollower {
  readonly numbers: string[] = [];
  readonly #url: string;
  readonly #watch: Stopwatch;
  #socket: WebSocket | undefined;

  constructor(url: string, watch: Stopwatch) {
    this.#url = url;
    this.#watch = watch;
  }

  async connect(): Promise<void> {
    const after = this.numbers.at(-1);
    const socket = new WebSocket(after === undefined ? this.#url : `${this.#url}/?after=${after}`);
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(String(data)));
    await once(socket, 'open');
  }

  async reconnect(): Promise<void> {
    this.#socket?.removeAllListeners('message');
    this.#socket?.terminate();
    await this.connect();
  }

  close(): void {
    this.#socket?.terminate();
  }

  #receive(text: string): void {
    const message = JSON.parse(text);
    if (['init', 'snapshot'].includes(message.type)) return;
    this.numbers.push(`${message.seq}.${message.part}`);
    if (message.event?.type === 'text_delta') this.#watch.arrives(message.event.delta);
  }
}

/** The same through a session, every follower forced to reconnect once. */
async function followedSession(): Promise<{ p99: number; faults: number; events: number }> {
  const cwd = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const watch = new Stopwatch();
  const provider: Provider = {
    name: 'ticking',
    async chat(_messages, { onTextDelta } = {}) {
      for (let index = 0; index < EVENTS; index++) {
        onTextDelta?.(watch.leaves(index));
        await pause();
      }
      return createAssistantMessage('done');
    },
  };
  const session = new InteractiveSession({ cwd, provider, bare: true, persistence: false });
  const transport = createWsTransport({ port: 0, token: false });
  session.attachTransport(transport);
  await transport.start();
  const followers = Array.from(
    { length: FOLLOWERS },
    () => new BenchFollower(transport.getUrl(), watch),
  );
  await Promise.all(followers.map((follower) => follower.connect()));
  const asked = session.submit('go');
  for (const follower of followers) {
    while (follower.numbers.length === 0) await pause();
    await follower.reconnect();
  }
  await asked;
  const isDone = (follower: BenchFollower) => follower.numbers.length >= expected(followers);
  const deadline = performance.now() + 10_000;
  while (!followers.every(isDone) && performance.now() < deadline) await pause();
  const events = expected(followers);
  // All followers must have received the same events; a difference shows a lost, repeated or reordered one.
  const [reference] = followers;
  const faults = followers.filter(
    ({ numbers }) =>
      new Set(numbers).size !== events ||
      numbers.some((number, index) => number !== reference?.numbers[index]),
  ).length;
  for (const follower of followers) follower.close();
  await transport.stop();
  await session.shutdown();
  rmSync(cwd, { recursive: true, force: true });
  return { p99: watch.p99(), faults, events };
}

function expected(followers: readonly BenchFollower[]): number {
  return Math.max(...followers.map(({ numbers }) => numbers.length));
}

let measured: Promise<{ bare: number; p99: number; faults: number; events: number }> | undefined;
const measureOnce = () => {
  measured ??= bareBroadcast().then(async (bare) => ({ bare, ...(await followedSession()) }));
  return measured;
};

export const rows: readonly BenchRow[] = [
  {
    name: `p99 of an event to ${FOLLOWERS} followers against a bare ws broadcast, through ${FOLLOWERS} reconnects`,
    unit: 'x',
    target: 5,
    async measure(): Promise<BenchValue> {
      const { bare, p99, events } = await measureOnce();
      const detail = `${p99.toFixed(1)} ms against ${bare.toFixed(1)} ms; ${events} events`;
      return { value: p99 / bare, detail };
    },
  },
  {
    name: `followers of ${FOLLOWERS} that missed, repeated or disordered an event (x = count)`,
    unit: 'x',
    target: 0,
    async measure(): Promise<BenchValue> {
      const { faults, events } = await measureOnce();
      return { value: faults, detail: `${events} events each, one forced reconnect each` };
    },
  },
];
