import { EventEmitter } from 'node:events';
import {
  Agent,
  createAssistantMessage,
  type EngineEventCallback,
  type Provider,
} from '@robota-sdk/agent-core';
import { type BenchRow, type BenchValue, median, ratioOf } from '../harness.ts';

const DELTAS = 200_000;
const QUESTION = 'q'.repeat(500);
const ANSWER = 'a'.repeat(500);

/** The engine only: no log, no store, a counting listener. */
export const rows: readonly BenchRow[] = [
  {
    name: 'turn 1,000 of a conversation against turn 10',
    unit: 'x',
    target: 1.2,
    measure: measureGrowth,
  },
  {
    name: 'one streamed delta against EventEmitter.emit',
    unit: 'x',
    target: 6,
    measure: () => measureDelta(),
  },
  {
    name: 'one streamed delta, also reported as an event, against EventEmitter.emit',
    unit: 'x',
    target: 6,
    measure: () => measureDelta(() => {}),
  },
  {
    name: 'estimate after one more message: 100,000 messages against 1,000',
    unit: 'x',
    target: 1.5,
    measure: measureEstimate,
  },
];

const echo: Provider = {
  name: 'echo',
  chat: async (_messages, options) => {
    options?.onTextDelta?.(ANSWER);
    return createAssistantMessage(ANSWER);
  },
};

async function measureGrowth(): Promise<BenchValue> {
  await turnTimes(300);
  const early: number[] = [];
  const late: number[] = [];
  for (let repeat = 0; repeat < 12; repeat++) {
    const times = await turnTimes(1_010);
    late.push(...times.slice(990));
    for (let fresh = 0; fresh < 2; fresh++) early.push(...(await turnTimes(20)).slice(5, 15));
  }
  const [small, large] = [median(early), median(late)];
  return {
    value: large / small,
    detail: `${large.toFixed(2)} us against ${small.toFixed(2)} us, counting listener`,
  };
}

/** Microseconds of each turn of a new conversation. */
async function turnTimes(turns: number): Promise<number[]> {
  let events = 0;
  const onEvent = (): void => {
    events += 1;
  };
  const agent = new Agent({ provider: echo, model: 'claude-opus-4-6', onEvent });
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const started = process.hrtime.bigint();
    await agent.run(QUESTION);
    times.push(Number(process.hrtime.bigint() - started) / 1e3);
  }
  if (events < turns) throw new Error('The engine reported nothing');
  return times;
}

async function measureDelta(onEvent?: EngineEventCallback): Promise<BenchValue> {
  let received = 0;
  const listen = (delta: string): void => {
    received += delta.length;
  };
  const provider: Provider = {
    name: 'stream',
    chat: async (_messages, options) => {
      for (let index = 0; index < DELTAS; index++) options?.onTextDelta?.('word ');
      return createAssistantMessage('done');
    },
  };
  const emitter = new EventEmitter().on('delta', listen);
  const value = await ratioOf(
    async () => {
      const agent = new Agent({ provider, timeout: 60_000, ...(onEvent && { onEvent }) });
      await agent.run('go', { onTextDelta: listen });
    },
    () => {
      for (let index = 0; index < DELTAS; index++) emitter.emit('delta', 'word ');
    },
    15,
  );
  if (received === 0) throw new Error('No listener received the deltas');
  return value;
}

async function measureEstimate(): Promise<BenchValue> {
  const [small, large] = [agentWith(1_000), agentWith(100_000)];
  const grow = (agent: Agent) => (): void => {
    for (let count = 0; count < 200; count++) {
      agent.injectMessage('user', QUESTION);
      agent.getContextEstimate();
    }
  };
  return await ratioOf(grow(large), grow(small), 25);
}

function agentWith(messages: number): Agent {
  const agent = new Agent({ provider: echo });
  for (let count = 0; count < messages; count++) agent.injectMessage('user', QUESTION);
  return agent;
}
