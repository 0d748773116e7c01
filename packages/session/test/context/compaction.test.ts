import {
  type ContextWindowState,
  createAssistantMessage,
  type HookInput,
  type HooksConfig,
  type Message,
  type Provider,
} from '@robota-sdk/agent-core';
import {
  assertStrictHistory,
  calls,
  fails,
  fakeTool,
  says,
  scriptedProvider,
  strictProvider,
} from '@robota-sdk/agent-core/testing';
import { type CompactEvent, CompactionOrchestrator } from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { RecordingLogger, startSession } from '../session-kit.ts';

const used = (inputTokens: number) => ({ metadata: { inputTokens, outputTokens: 0 } });

function shape(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => `${role}: ${content ?? ''}`);
}

describe('compact', () => {
  it('keeps the system message and puts the summary after it', async () => {
    const provider = scriptedProvider(says('Blue.'), says('They like blue.'));
    const session = startSession(provider);
    await session.run('My favourite colour?');

    await session.compact();

    expect(shape(session.getHistory())).toEqual([
      'system: You help.',
      'assistant: [Context Summary]\nThey like blue.',
    ]);
    const [prompt] = provider.requests[1] ?? [];
    expect(provider.requests[1]).toHaveLength(1);
    expect(prompt?.content).toContain('user: My favourite colour?');
    expect(prompt?.content).not.toContain('You help.');
  });

  it('summarizes tool calls and their results, long ones shortened', async () => {
    const provider = scriptedProvider(
      calls({ id: 'c1', name: 'Read', args: { filePath: 'a.ts' } }),
      says('Read.'),
      says('summary'),
    );
    const session = startSession(provider, {
      tools: [fakeTool('Read', () => `head${'x'.repeat(20_000)}tail`)],
      permissionMode: 'bypassPermissions',
    });
    await session.run('Read it');

    await session.compact();

    const prompt = String(provider.requests[2]?.[0]?.content);
    expect(prompt).toContain('assistant called Read: {"filePath":"a.ts"}');
    expect(prompt).toMatch(/tool result \(Read\): head.*characters left out.*tail/s);
    expect(prompt.length).toBeLessThan(5000);
  });

  it('asks for what the instructions focus on; those of the call win', async () => {
    const provider = scriptedProvider(says('1'), says('s1'), says('2'), says('s2'));
    const session = startSession(provider, { compactInstructions: 'Keep the paths.' });
    await session.run('one');
    await session.compact();
    await session.run('two');
    await session.compact('Keep the names.');

    expect(provider.requests[1]?.[0]?.content).toContain('Additional focus:\nKeep the paths.');
    expect(provider.requests[3]?.[0]?.content).toContain('Additional focus:\nKeep the names.');
    expect(provider.requests[3]?.[0]?.content).not.toContain('Keep the paths.');
  });

  it('does nothing when nothing is new', async () => {
    const provider = scriptedProvider(says('1'), says('summary'));
    const session = startSession(provider);
    await session.compact();
    await session.run('one');
    await session.compact();
    const history = session.getHistory();

    await session.compact();

    expect(provider.requests).toHaveLength(2);
    expect(session.getHistory()).toEqual(history);
  });

  it('leaves the history as it was when the summary fails or is empty', async () => {
    const session = startSession(scriptedProvider(says('1'), fails(new Error('down')), says('  ')));
    await session.run('one');
    const history = session.getHistory();

    await expect(session.compact()).rejects.toThrow('down');
    await expect(session.compact()).rejects.toThrow('the model gave no summary');

    expect(session.getHistory()).toEqual(history);
  });

  it('leaves the history as it was when it is aborted', async () => {
    let chats = 0;
    const provider: Provider = {
      name: 'slow',
      chat: (_messages, options = {}) => {
        chats += 1;
        if (chats === 1) return Promise.resolve(createAssistantMessage('1'));
        return new Promise((_resolve, reject) => {
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
          session.abort();
        });
      },
    };
    const session = startSession(provider);
    await session.run('one');
    const history = session.getHistory();

    await expect(session.compact()).rejects.toMatchObject({ name: 'AbortError' });

    expect(session.getHistory()).toEqual(history);
    expect(session.isRunning()).toBe(false);
  });

  it('tells its callbacks and the log, and streams nothing of the summary', async () => {
    const deltas: string[] = [];
    const summaries: string[] = [];
    const events: CompactEvent[] = [];
    const updates: ContextWindowState[] = [];
    const sessionLogger = new RecordingLogger();
    const provider = scriptedProvider(says('1', used(500)), says('the summary'));
    const session = startSession(provider, {
      sessionLogger,
      onTextDelta: (delta) => deltas.push(delta),
      onCompact: (summary) => summaries.push(summary),
      onCompactEvent: (event) => events.push(event),
      onContextUpdate: (state) => updates.push(state),
    });
    await session.run('one');

    await session.compact();

    expect(deltas).toEqual(['1']);
    expect(summaries).toEqual(['the summary']);
    expect(events).toEqual([
      { trigger: 'manual', before: updates[1], after: session.getContextState() },
    ]);
    expect(sessionLogger.all('context_compact')).toMatchObject(events);
    expect(updates.at(-1)).toEqual(events[0]?.after);
    expect(JSON.stringify(sessionLogger.all('text_delta'))).not.toContain('summary');
  });

  it('counts what the summary cost, apart from the answers', async () => {
    const provider = scriptedProvider(says('1', used(500)), says('summary', used(70)));
    const session = startSession(provider, { model: 'm' });
    await session.run('one');

    await session.compact();

    expect(session.getUsage()).toMatchObject([
      { model: 'm', requests: 2, causes: { main: 1, compaction: 1 }, usage: { inputTokens: 570 } },
    ]);
  });

  it('is accepted by strict providers afterwards', async () => {
    const provider = strictProvider(scriptedProvider(says('1'), says('summary'), says('2')));
    const session = startSession(provider);
    await session.run('one');
    await session.compact();

    await expect(session.run('two')).resolves.toBe('2');
    assertStrictHistory(session.getHistory());
  });
});

describe('hooks', () => {
  it('hear before and after with the trigger and the summary', async () => {
    const heard: unknown[] = [];
    const listen = (event: 'PreCompact' | 'PostCompact'): HooksConfig => ({
      [event]: [
        {
          hooks: [
            {
              type: 'function',
              run: ({
                hook_event_name,
                trigger,
                compact_summary,
                custom_instructions,
              }: HookInput) => {
                const said = { trigger, compact_summary, custom_instructions };
                heard.push([hook_event_name, JSON.parse(JSON.stringify(said))]);
                return { exitCode: 0 };
              },
            },
          ],
        },
      ],
    });
    const session = startSession(scriptedProvider(says('1'), says('summary')), {
      hooks: { ...listen('PreCompact'), ...listen('PostCompact') },
    });
    await session.run('one');

    await session.compact('focus');

    expect(heard).toEqual([
      ['PreCompact', { trigger: 'manual', custom_instructions: 'focus' }],
      ['PostCompact', { trigger: 'manual', compact_summary: 'summary' }],
    ]);
  });

  it('may keep a compaction from happening', async () => {
    const provider = scriptedProvider(says('1'));
    const session = startSession(provider, {
      hooks: {
        PreCompact: [{ hooks: [{ type: 'function', run: () => ({ exitCode: 2, stderr: 'no' }) }] }],
      },
    });
    await session.run('one');
    const history = session.getHistory();

    await session.compact();

    expect(session.getHistory()).toEqual(history);
    expect(provider.requests).toHaveLength(1);
  });
});

describe('auto-compaction', () => {
  it('makes room at the start of a run, before the prompt', async () => {
    const events: CompactEvent[] = [];
    const provider = strictProvider(
      scriptedProvider(says('1', used(900)), says('summary'), says('2', used(100))),
    );
    const session = startSession(provider, {
      contextMaxTokens: 1000,
      onCompactEvent: (event) => events.push(event),
    });
    await session.run('one');

    await session.run('two');

    expect(shape(session.getHistory())).toEqual([
      'system: You help.',
      'assistant: [Context Summary]\nsummary',
      'user: two',
      'assistant: 2',
    ]);
    expect(events).toMatchObject([{ trigger: 'auto', before: { usedTokens: 900 } }]);
  });

  it('follows a threshold that was changed since, and can be switched off', async () => {
    const provider = scriptedProvider(
      says('1', used(900)),
      says('2', used(900)),
      says('s'),
      says('3'),
    );
    const session = startSession(provider, { contextMaxTokens: 1000, autoCompactThreshold: false });
    await session.run('one');
    await session.run('two');
    expect(session.getAutoCompactThreshold()).toBe(false);
    session.setAutoCompactThreshold(0.9);

    await session.run('three');

    expect(session.getHistory()).toHaveLength(4);
    expect(session.getAutoCompactThreshold()).toBe(0.9);
  });

  it('refuses a threshold out of range', () => {
    const open = () => startSession(scriptedProvider(), { autoCompactThreshold: 1.5 });

    expect(open).toThrow(RangeError);
  });

  it('makes room between rounds without splitting a call from its result', async () => {
    const provider = scriptedProvider(
      calls({ id: 'c1', name: 'Step' }),
      calls({ id: 'c2', name: 'Step' }, { id: 'c3', name: 'Step' }),
      says('They made a first step.', used(100)),
      says('Done.', used(200)),
    );
    const sizes = [100, 900];
    const counting: Provider = {
      name: 'counting',
      async chat(messages, options) {
        const reply = await provider.chat(messages, options);
        const inputTokens = reply.metadata?.inputTokens ?? sizes.shift() ?? 0;
        return { ...reply, metadata: { inputTokens, outputTokens: 0 } } as Message;
      },
    };
    const events: CompactEvent[] = [];
    const session = startSession(strictProvider(counting), {
      tools: [fakeTool('Step', () => 'stepped')],
      permissionMode: 'bypassPermissions',
      contextMaxTokens: 1000,
      onCompactEvent: (event) => events.push(event),
    });

    await expect(session.run('Take steps')).resolves.toBe('Done.');

    expect(shape(session.getHistory())).toEqual([
      'system: You help.',
      'assistant: [Context Summary]\nThey made a first step.',
      'user: Take steps',
      'assistant: ',
      'tool: stepped',
      'tool: stepped',
      'assistant: Done.',
    ]);
    expect(events).toMatchObject([{ trigger: 'auto' }]);
    expect(events[0]?.after.usedTokens).toBeLessThan(900);
    assertStrictHistory(session.getHistory());
  });

  it('that fails is told, and the run goes on with the long history', async () => {
    const notices: string[] = [];
    const provider = scriptedProvider(
      says('1', used(900)),
      fails(new Error('no')),
      says('2', used(10)),
    );
    const session = startSession(provider, {
      contextMaxTokens: 1000,
      onNotice: ({ message }) => notices.push(message),
    });
    await session.run('one');

    await expect(session.run('two')).resolves.toBe('2');

    expect(session.getHistory()).toHaveLength(5);
    expect(notices).toEqual(['The conversation could not be compacted and stays as it is: no']);
  });
});

it('the orchestrator summarizes by itself what it is given', async () => {
  const provider = scriptedProvider(says('short'));
  const orchestrator = new CompactionOrchestrator({ getProvider: () => provider });

  await expect(orchestrator.compact([createAssistantMessage('long')])).resolves.toBe('short');
});
