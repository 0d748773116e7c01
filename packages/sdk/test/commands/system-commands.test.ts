import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptedSession, settle } from '../interactive/scripted-session.ts';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
let session: InteractiveSession;

beforeEach(() => {
  session = new InteractiveSession({ session: scriptedSession('s-1'), cwd: '/work' });
});
afterEach(() => session.shutdown());

it('lists the twelve commands of the specification', () => {
  expect(session.listCommands().map(({ name }) => name)).toEqual([
    'help',
    'clear',
    'compact',
    'mode',
    'model',
    'language',
    'cost',
    'context',
    'permissions',
    'resume',
    'rename',
    ...['rewind', 'uncompact', 'pin', 'unpin'],
    'reset',
  ]);
});

it.each([
  ['clear', '', { message: 'Conversation cleared.', success: true }],
  [
    'compact',
    '',
    { message: 'Context compacted: 1% -> 1%', success: true, data: { before: 0.62, after: 0.62 } },
  ],
  ['mode', '', { message: 'Current mode: default', success: true, data: { mode: 'default' } }],
  [
    'mode',
    'plan',
    { message: 'Permission mode set to: plan', success: true, data: { mode: 'plan' } },
  ],
  [
    'mode',
    'yolo',
    {
      message: 'Invalid mode. Valid: plan | default | acceptEdits | bypassPermissions',
      success: false,
    },
  ],
  [
    'model',
    'gpt-5',
    { message: 'Model change requested: gpt-5', success: true, data: { modelId: 'gpt-5' } },
  ],
  ['model', '', { message: 'Usage: model <model-id>', success: false }],
  ['language', 'ko', { message: 'Language set to "ko".', success: true, data: { language: 'ko' } }],
  ['language', '', { message: 'Usage: language <code> (e.g., ko, en, ja, zh)', success: false }],
  [
    'cost',
    '',
    {
      message: 'Session: s-1\nMessages: 0',
      success: true,
      data: { sessionId: 's-1', messageCount: 0 },
    },
  ],
  [
    'context',
    '',
    {
      message: 'Context: 1,234 / 200,000 tokens (1%)',
      success: true,
      data: { usedTokens: 1234, maxTokens: 200_000, percentage: 0.62 },
    },
  ],
  [
    'permissions',
    '',
    {
      message: 'Permission mode: default\nNo session-approved tools.',
      success: true,
      data: { mode: 'default', sessionAllowed: [] },
    },
  ],
  [
    'resume',
    '',
    { message: 'Opening session picker...', success: true, data: { triggerResumePicker: true } },
  ],
  [
    'rename',
    ' my work ',
    { message: 'Session renamed to "my work".', success: true, data: { name: 'my work' } },
  ],
  ['rename', '', { message: 'Usage: rename <name>', success: false }],
  ['reset', '', { message: 'Reset requested.', success: true, data: { resetRequested: true } }],
])('/%s %s', async (name, args, result) => {
  expect(await session.executeCommand(name, args)).toEqual(result);
});

it('help names every command', async () => {
  const result = await session.executeCommand('help', '');

  expect(result?.message).toContain('Available commands:\n  help - Show available commands\n');
  expect(result?.data?.commands).toEqual(session.listCommands());
});

it('answers null for an unknown command', async () => {
  expect(await session.executeCommand('fly', '')).toBeNull();
});

it('does not clear or compact under a running prompt', async () => {
  void session.submit('hello');
  await settle();

  expect(await session.executeCommand('clear', '')).toEqual({
    success: false,
    message: 'Another prompt or command is already running. Wait for it to finish.',
  });
  expect((await session.executeCommand('context', ''))?.success).toBe(true);
  session.abort();
});

it('takes commands of the caller beside its own', async () => {
  const extended = new InteractiveSession({
    session: scriptedSession(),
    cwd: '/work',
    commands: [
      {
        name: 'hello',
        description: 'Greets',
        execute: (self, args) => ({ message: `${self.sessionId} ${args}`, success: true }),
      },
    ],
  });

  expect(extended.listCommands().at(-1)).toEqual({ name: 'hello', description: 'Greets' });
  expect(await extended.executeCommand('hello', ' you ')).toEqual({
    message: 'injected-1 you',
    success: true,
  });
});

it('a command that throws, or a session that cannot be assembled, is a failed command', async () => {
  const throwing = new InteractiveSession({
    session: scriptedSession('s-2'),
    cwd: '/work',
    commands: [
      {
        name: 'boom',
        description: 'Throws',
        execute() {
          throw new Error('no luck');
        },
      },
    ],
  });
  const homeless = new InteractiveSession({
    cwd: '/there/is/no/such/directory',
    provider: scriptedProvider(),
  });

  const results = [
    await throwing.executeCommand('boom'),
    await homeless.executeCommand('a-skill-perhaps'),
  ];
  await throwing.shutdown();
  await homeless.shutdown();

  expect(results).toEqual([
    { success: false, message: 'no luck' },
    { success: false, message: expect.stringContaining('does not exist') },
  ]);
});

it.each([
  [{}, 'provider'],
  [undefined, 'provider'],
  [{ cwd: '/work' }, 'provider'],
  [{ cwd: '/work', provider: {} }, 'provider'],
  [{ provider: scriptedProvider() }, 'cwd'],
])('says which option a session lacks: %j', (options, option) => {
  expect(() => new InteractiveSession(options as never)).toThrow(
    expect.objectContaining({ name: 'MissingOptionError', code: 'missing_option', option }),
  );
});

describe('on a real session', () => {
  const metadata = { inputTokens: 1_000, outputTokens: 100, model: 'claude-sonnet-4-5' };

  it('cost counts every request once, with its cause, and what it cost', async () => {
    const provider = scriptedProvider(
      calls({ id: 'a', name: 'Echo' }),
      says('done', { metadata }),
      says('a summary', { metadata }),
    );
    const real = new InteractiveSession({
      cwd: place.project,
      provider,
      model: 'claude-sonnet-4-5',
      tools: [fakeTool('Echo')],
      permissionMode: 'bypassPermissions',
    });
    await real.submit('go');
    await real.compact();

    const result = await real.executeCommand('cost', '');
    await real.shutdown();

    expect(result?.message.split('\n').slice(1)).toEqual([
      'Messages: 1',
      'claude-sonnet-4-5: 2,000 in, 200 out, 2 requests, of these 1 compaction, $0.0090',
    ]);
    expect(result?.data).toMatchObject({
      models: [
        { causes: { main: 1, compaction: 1 }, requests: 2, costUsd: expect.closeTo(0.009, 9) },
      ],
    });
  });

  it('compact makes room and clear forgets, in timeline and blocks too', async () => {
    const provider = scriptedProvider(says('a long answer'), says('summary'), says('fresh'));
    const real = new InteractiveSession({ cwd: place.project, provider });
    await real.submit('one');

    await real.executeCommand('compact', 'names');
    const kinds = real.getBlocks().map((block) => block.type);
    await real.executeCommand('clear', '');
    await real.submit('two');
    await real.shutdown();

    expect(kinds).toEqual(['user_message', 'assistant_text', 'system']);
    expect(JSON.stringify(provider.requests[1])).toContain('names');
    expect(provider.requests[2]?.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(real.getMessages().map(({ content }) => content)).toEqual(['two', 'fresh']);
    expect(real.getBlocks().map((block) => block.type)).toEqual(['user_message', 'assistant_text']);
  });
});
