import {
  Agent,
  type ChatOptions,
  type Clock,
  createAssistantMessage,
  createToolMessage,
  createUserMessage,
  type EngineEvent,
  type Message,
  type Provider,
  ProviderError,
} from '@robota-sdk/agent-core';
import { assertStrictRequest, fakeTool } from '@robota-sdk/agent-core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Graces and waits end as soon as everything else has had its turn. */
const instantClock: Clock = {
  sleep: async (_milliseconds, signal) => {
    await Promise.resolve();
    signal?.throwIfAborted();
  },
  startTimer: (_milliseconds, fire) => {
    const immediate = setImmediate(fire);
    return { stop: () => clearImmediate(immediate) };
  },
};

const TOOLS = ['Good', 'Throws', 'Never', 'Huge', 'Circular', 'Nothing', 'Fails', 'Picky'] as const;

const toolCall = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'call_1', '', '  '),
  type: fc.constant('function' as const),
  function: fc.record({
    name: fc.constantFrom(...TOOLS, 'Missing', '', 'bad name!', 'x'.repeat(90)),
    arguments: fc.constantFrom('{}', '{"x":1}', '{oops', '[]', '', 'null', '"text"', '{"x":'),
  }),
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant('speak' as const),
    deltas: fc.array(fc.constantFrom('Hello', ' ', '', 'world'), { maxLength: 3 }),
    toolCalls: fc.array(toolCall, { maxLength: 4 }),
    thought: fc.constantFrom('', 'hm'),
    state: fc.constantFrom('complete' as const, 'complete' as const, 'interrupted' as const),
  }),
  fc.record({
    kind: fc.constant('fail' as const),
    deltas: fc.array(fc.constantFrom('Par', 'tial'), { maxLength: 2 }),
    isRetryable: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('garbage' as const),
    reply: fc.constantFrom(
      undefined,
      null,
      'text',
      { role: 'user', content: 'no' },
      { role: 'assistant', content: 5 },
      { role: 'assistant', content: 'x', toolCalls: 'many' },
      { role: 'assistant', content: null, toolCalls: [null] },
      { role: 'assistant', content: null, toolCalls: [{ function: { name: 'Good' } }] },
      { role: 'assistant', content: '' },
    ),
  }),
  fc.record({ kind: fc.constant('hang' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const script = fc.record({
  steps: fc.array(step, { maxLength: 6 }),
  /** After how many events the run is aborted; most runs are not. */
  abortAfter: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat({ max: 40 })),
  maxRounds: fc.constantFrom(0, 1, 2, 3),
  /** After how many events the listener fails. */
  failAfter: fc.oneof(
    { weight: 4, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
    { weight: 1, arbitrary: fc.nat({ max: 30 }) },
  ),
});

type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

describe('the history after a run', () => {
  it('pairs every tool call with one result, whatever model, tools and people do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 3 }), async (scripts) => {
        const stage = new Stage();

        for (const each of scripts) await stage.play(each);
        await stage.play({ steps: [], abortAfter: Infinity, maxRounds: 0, failAfter: Infinity });

        expect(stage.refusals).toEqual([]);
        expect(stage.agent.isRunning()).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('is made sound when it was restored or injected broken', async () => {
    const saved = fc.array(
      fc.oneof(
        fc.constantFrom('Hi', '').map((text) => createUserMessage(text)),
        fc
          .array(toolCall, { maxLength: 3 })
          .map((wanted) => createAssistantMessage(null, { toolCalls: wanted })),
        fc.constantFrom('a', 'b', 'c', 'call_1', '').map((id) => createToolMessage('r', id)),
        fc.constant(createAssistantMessage('Well', { state: 'interrupted' })),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(saved, saved, async (restored, injected) => {
        const stage = new Stage();
        stage.agent.restoreMessages(restored);
        for (const message of injected) {
          const { id, timestamp, role: type } = message;
          stage.agent.addHistoryEntry({ id, timestamp, category: 'chat', type, data: message });
        }

        await stage.play({ steps: [], abortAfter: Infinity, maxRounds: 0, failAfter: Infinity });

        expect(stage.refusals).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

/** An agent whose model follows scripts and whose requests and history are checked at every turn. */
class Stage {
  readonly refusals: string[] = [];
  readonly agent: Agent;
  #steps: Step[] = [];
  #controller = new AbortController();

  constructor() {
    const abort = (): void => this.#controller.abort();
    const provider: Provider = {
      name: 'generated',
      chat: async (messages, options = {}) => {
        this.#check(() => assertStrictRequest(messages));
        return (await act(this.#steps.shift(), options, abort)) as Message;
      },
    };
    this.agent = new Agent({
      provider,
      tools: TOOLS.map((name) => fakeTool(name, (parameters) => perform(name, parameters, abort))),
      clock: instantClock,
      contextMaxTokens: 50_000,
    });
  }

  async play({ steps, abortAfter, maxRounds, failAfter }: Script): Promise<void> {
    this.#steps = [...steps];
    this.#controller = new AbortController();
    const controller = this.#controller;
    const earlier = new Set(this.agent.getHistory().map((message) => message.id));
    const events: EngineEvent[] = [];
    let shown = '';
    const onEvent = (event: EngineEvent): void => {
      if (events.length === abortAfter) controller.abort();
      events.push(event);
      if (events.length === failAfter + 1) throw new Error('The listener failed.');
    };
    const onTextDelta = (delta: string): void => {
      shown += delta;
    };
    const { signal } = controller;
    await this.agent
      .run('Go', { signal, maxExecutionRounds: maxRounds, onEvent, onTextDelta })
      .catch((error: unknown) => expect(error).toBeInstanceOf(Error));
    const history = this.agent.getHistory();
    this.#check(() => assertPaired(history));
    const said = history.filter((message) => !earlier.has(message.id) && !isRepair(message));
    this.#check(() => expect(textOf(said)).toBe(shown));
    if (failAfter === Infinity) this.#check(() => assertReported(said, events));
  }

  #check(assertion: () => void): void {
    try {
      assertion();
    } catch (error) {
      this.refusals.push((error as Error).message);
    }
  }
}

async function act(next: Step | undefined, options: ChatOptions, abort: () => void) {
  if (next === undefined) {
    options.onTextDelta?.('Done.');
    return createAssistantMessage('Done.');
  }
  if (next.kind === 'garbage') return next.reply;
  if (next.kind === 'hang') {
    options.onTextDelta?.('Hang on');
    abort();
    return new Promise(() => {});
  }
  for (const delta of next.deltas) {
    options.onTextDelta?.(delta);
    await Promise.resolve();
  }
  if (next.kind === 'fail') {
    const { isRetryable } = next;
    throw new ProviderError('busy', { provider: 'generated', kind: 'overloaded', isRetryable });
  }
  const { toolCalls, state, thought, deltas } = next;
  if (thought !== '') options.onThinkingDelta?.(thought);
  return createAssistantMessage(deltas.join(''), { toolCalls, state });
}

function perform(name: (typeof TOOLS)[number], parameters: unknown, abort: () => void) {
  const loop: Record<string, unknown> = { parameters };
  loop.self = loop;
  switch (name) {
    case 'Throws':
      throw new Error('It broke.');
    case 'Never':
      abort();
      return new Promise<never>(() => {});
    case 'Huge':
      return 'x'.repeat(2_000_000);
    case 'Circular':
      return { success: true, data: loop };
    case 'Nothing':
      return undefined as unknown as string;
    case 'Fails':
      return { success: false, error: 'No such file', errorCode: 'missing' };
    default:
      return '';
  }
}

function assertPaired(history: readonly Message[]): void {
  const ids = new Set<string>();
  for (let index = 0; index < history.length; index++) {
    const message = history[index] as Message;
    if (message.role === 'tool') throw new Error(`Result ${message.toolCallId} has no call.`);
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) {
      index += 1;
      const result = history[index];
      if (ids.has(call.id)) throw new Error(`The id ${call.id} is taken.`);
      ids.add(call.id);
      if (result?.role !== 'tool' || result.toolCallId !== call.id) {
        throw new Error(`Call ${call.id} has no result.`);
      }
    }
  }
}

function isRepair(message: Message): boolean {
  return message.metadata?.errorCode === 'outcome_unknown';
}

function textOf(messages: readonly Message[]): string {
  return messages.map((message) => (message.role === 'assistant' ? message.content : '')).join('');
}

/** Every call was requested once and answered once, before its result was said. */
function assertReported(said: readonly Message[], events: readonly EngineEvent[]): void {
  for (const message of said) {
    if (message.role !== 'tool') continue;
    const id = message.toolCallId;
    const order = events
      .filter(
        (event) =>
          ('toolCallId' in event && event.toolCallId === id) ||
          (event.type === 'tool_message_committed' && event.message.toolCallId === id),
      )
      .map((event) => event.type);
    expect(order).toEqual([
      'tool_execution_request',
      'tool_execution_result',
      'tool_message_committed',
    ]);
  }
}
