import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChatOptions,
  createAssistantMessage,
  type Message,
  type Provider,
  ProviderError,
  type Tool,
  type ToolCall,
} from '@robota-sdk/agent-core';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { SessionStore } from '@robota-sdk/agent-session';
import fc from 'fast-check';

/** What the model does in one round. */
export interface Reply {
  readonly thinking: readonly string[];
  readonly text: readonly string[];
  readonly calls: readonly CallKind[];
  readonly before: 'nothing' | 'retry' | 'failure';
}

export type CallKind = 'ok' | 'failed' | 'thrown' | 'denied' | 'unknown' | 'large' | 'subagent';

/** Something a person does with a session. */
export type Step =
  | { readonly kind: 'prompt'; readonly display: boolean; readonly replies: readonly Reply[] }
  | { readonly kind: 'abort'; readonly during: 'text' | 'tool' }
  | { readonly kind: 'compact' | 'clear' | 'rewind' | 'model' | 'mode' | 'rename' };

const words = fc.array(
  fc.constantFrom('Well, ', 'it is ', 'x'.repeat(70), '\n\n', 'ünïcode ', 'done.'),
  {
    maxLength: 5,
  },
);

const reply: fc.Arbitrary<Reply> = fc.record({
  thinking: fc.array(fc.constantFrom('hm ', 'so '), { maxLength: 2 }),
  text: words,
  calls: fc.array(
    fc.constantFrom<CallKind>('ok', 'failed', 'thrown', 'denied', 'unknown', 'large', 'subagent'),
    { maxLength: 3 },
  ),
  before: fc.constantFrom('nothing', 'nothing', 'nothing', 'retry', 'failure'),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('prompt' as const),
      display: fc.boolean(),
      replies: fc.array(reply, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('abort' as const),
      during: fc.constantFrom('text' as const, 'tool' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('compact', 'clear', 'rewind', 'model', 'mode', 'rename'),
    }) as fc.Arbitrary<Step>,
  },
);

export const steps = fc.array(step, { minLength: 1, maxLength: 7 });

/** Everything of everything, for the tests of the test. */
export const EVERYTHING: readonly Step[] = [
  {
    kind: 'prompt',
    display: true,
    replies: [
      {
        thinking: ['hm '],
        text: ['Well, ', 'x'.repeat(70)],
        calls: ['ok', 'denied', 'subagent'],
        before: 'retry',
      },
      { thinking: ['so '], text: ['it is ', 'done.'], calls: [], before: 'nothing' },
    ],
  },
  { kind: 'model' },
  { kind: 'mode' },
  { kind: 'rename' },
  { kind: 'compact' },
  { kind: 'prompt', display: false, replies: [failing()] },
  { kind: 'abort', during: 'text' },
  { kind: 'rewind' },
  { kind: 'clear' },
  { kind: 'prompt', display: false, replies: [saying('After it all.')] },
];

function failing(): Reply {
  return { ...saying(''), before: 'failure' };
}

function saying(text: string): Reply {
  return { thinking: [], text: [text], calls: [], before: 'nothing' };
}

/** A session on files that a scripted model answers. */
export class Scenario {
  readonly directory = mkdtempSync(join(tmpdir(), 'robota-spine-'));
  readonly logDirectory = join(this.directory, 'logs');
  readonly store = new SessionStore(join(this.directory, 'sessions'), {
    logDir: this.logDirectory,
  });
  readonly session: InteractiveSession;
  #replies: Reply[] = [];
  #calls = 0;
  #onChat: () => void = () => undefined;
  #onTool: () => void = () => undefined;

  constructor() {
    this.session = new InteractiveSession({
      cwd: this.directory,
      provider: this.#provider(),
      sessionStore: this.store,
      logDirectory: this.logDirectory,
      config: {},
      context: {},
      tools: [this.#tool('Work'), this.#tool('Forbidden')],
      agents: [],
      deniedTools: ['Forbidden'],
      permissionMode: 'bypassPermissions',
      retry: { baseDelayMs: 1, maxDelayMs: 1 },
      systemPrompt: 'You help. '.repeat(20),
    });
  }

  get logFile(): string {
    return join(this.logDirectory, `${this.session.sessionId}.jsonl`);
  }

  async take(step: Step): Promise<void> {
    const { session } = this;
    switch (step.kind) {
      case 'prompt':
        return this.#prompt(step);
      case 'abort':
        return this.#abort(step.during);
      case 'compact':
        this.#replies = [saying('A summary of it.')];
        await session.compact().catch(() => undefined);
        return;
      case 'clear':
        return session.clearHistory();
      case 'rewind':
        return this.#rewind();
      case 'model':
        return session.setModel(`model-${this.#calls}`);
      case 'mode':
        return session.setPermissionMode('acceptEdits');
      case 'rename':
        return session.setName(`name ${this.#calls}`);
    }
  }

  async close(): Promise<void> {
    await this.session.shutdown();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async #prompt({ replies, display }: Step & { kind: 'prompt' }): Promise<void> {
    const input = `Prompt ${this.#calls} ${'with many words '.repeat(6)}`;
    this.#replies = [...replies];
    await this.session.submit(input, display ? `/short ${this.#calls}` : input);
  }

  async #abort(during: 'text' | 'tool'): Promise<void> {
    const calls: CallKind[] = during === 'tool' ? ['ok'] : [];
    this.#replies = [{ ...saying('Half of '), calls }, saying('Never said.')];
    if (during === 'text') this.#onChat = () => this.session.abort();
    else this.#onTool = () => this.session.abort();
    await this.session.submit('Stop me');
    this.#onChat = () => undefined;
    this.#onTool = () => undefined;
  }

  async #rewind(): Promise<void> {
    await this.session.whenReady();
    const engine = this.session.getSession() as unknown as {
      truncateHistory(length: number): void;
      getHistory(): Message[];
    };
    const prompts = engine
      .getHistory()
      .flatMap(({ role }, index) => (role === 'user' ? [index] : []));
    const last = prompts.at(-1);
    if (last !== undefined) engine.truncateHistory(last);
  }

  #provider(): Provider {
    return {
      name: 'scripted',
      chat: async (_messages, options = {}) => this.#answer(options),
    };
  }

  async #answer(options: ChatOptions): Promise<Message> {
    const next = this.#replies.shift() ?? saying('Nothing more.');
    if (next.before === 'failure') throw new Error('The model is gone.');
    if (next.before === 'retry') {
      this.#replies.unshift({ ...next, before: 'nothing' });
      throw new ProviderError('busy', {
        provider: 'scripted',
        kind: 'overloaded',
        isRetryable: true,
      });
    }
    const native = { provider: 'scripted', payloadKind: 'stream_event' as const };
    for (const [sequence, piece] of next.thinking.entries()) {
      options.onThinkingDelta?.(piece);
      const payload = { type: 'thinking', index: 0, delta: { text: piece } };
      options.onProviderNativeRawPayload?.({ ...native, payload, sequence });
    }
    for (const [sequence, piece] of next.text.entries()) {
      options.onTextDelta?.(piece);
      const payload = { type: 'delta', index: 0, delta: { text: piece } };
      options.onProviderNativeRawPayload?.({ ...native, payload, sequence });
      this.#onChat();
      if (options.signal?.aborted) break;
    }
    const toolCalls = next.calls.map((kind) => this.#call(kind));
    return createAssistantMessage(next.text.join(''), {
      ...(next.thinking.length > 0 && {
        parts: [
          { type: 'thinking', text: next.thinking.join('') },
          { type: 'text', text: next.text.join('') },
        ],
      }),
      ...(toolCalls.length > 0 && { toolCalls }),
      metadata: { inputTokens: 100, outputTokens: 7, model: 'scripted-1' },
    });
  }

  #call(kind: CallKind): ToolCall {
    this.#calls += 1;
    const id = `call_${this.#calls}`;
    const named = { denied: 'Forbidden', unknown: 'Missing', subagent: 'Agent' } as const;
    const name = named[kind as keyof typeof named] ?? 'Work';
    const args = kind === 'subagent' ? { prompt: 'Help me', subagent_type: 'Explore' } : { kind };
    return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  }

  #tool(name: string): Tool {
    return {
      schema: {
        name,
        description: `Does ${name}.`,
        parameters: { type: 'object', properties: {} },
      },
      execute: async ({ kind }) => {
        this.#onTool();
        if (kind === 'thrown') throw new Error('The tool broke.');
        if (kind === 'failed') return { success: false, error: 'No such thing.' };
        return { success: true, data: kind === 'large' ? 'y'.repeat(2_000) : 'fine' };
      },
    };
  }
}
