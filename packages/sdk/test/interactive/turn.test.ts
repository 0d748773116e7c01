import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  calls,
  fails,
  fakeTool,
  says,
  scriptedProvider,
  thinks,
} from '@robota-sdk/agent-core/testing';
import { InteractiveSession, type PermissionRequest } from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  type ConversationState,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { recordEvents } from './scripted-session.ts';

const place = useTestPlace();
const usage = { inputTokens: 100, outputTokens: 7 };

describe('a prompt with a tool', () => {
  it('tells its story in order and keeps it in the timeline', async () => {
    const provider = scriptedProvider(
      calls({ id: 'a', name: 'Echo', args: { text: 'hi' } }),
      says('It said hi.', { deltas: ['It said ', 'hi.'], metadata: usage }),
    );
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      tools: [fakeTool('Echo', () => 'hi')],
      permissionMode: 'bypassPermissions',
    });
    const seen = recordEvents(session, [
      'user_message',
      'thinking',
      'tool_start',
      'tool_end',
      'text_delta',
      'complete',
      'context_update',
    ]);

    const outcome = await session.submit('say hi');

    expect(seen.map(([name]) => name)).toEqual([
      'user_message',
      'thinking',
      'context_update',
      'tool_start',
      'tool_end',
      'text_delta',
      'text_delta',
      'context_update',
      'complete',
      'context_update',
      'thinking',
    ]);
    expect(session.getFullHistory().map(({ category, type }) => `${category}/${type}`)).toEqual([
      'chat/user',
      'event/tool-start',
      'event/tool-end',
      'event/tool-summary',
      'chat/assistant',
      'event/usage-summary',
    ]);
    expect(outcome).toMatchObject({
      status: 'completed',
      result: {
        response: 'It said hi.',
        toolSummaries: [
          { name: 'Echo', args: 'hi', toolName: 'Echo', firstArg: 'hi', result: 'success' },
        ],
        usage: {
          kind: 'exact',
          scope: 'turn',
          promptTokens: 100,
          completionTokens: 7,
          totalTokens: 107,
        },
      },
    });
    await session.shutdown();
  });

  it('has the entries of the specification in its timeline', async () => {
    const provider = scriptedProvider(
      calls({ id: 'a', name: 'Echo', args: { text: 'hi' } }),
      says('ok'),
    );
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      tools: [fakeTool('Echo')],
      permissionMode: 'bypassPermissions',
    });

    await session.submit('go');

    const events = session.getFullHistory().filter((entry) => entry.category === 'event');
    expect(events.map(({ data }) => data)).toMatchObject([
      { toolName: 'Echo', firstArg: 'hi', isRunning: true },
      { toolName: 'Echo', firstArg: 'hi', isRunning: false, result: 'success' },
      { toolSummaries: [{ toolName: 'Echo' }], tools: [{ toolName: 'Echo' }], summary: 'Echo(hi)' },
    ]);
    await session.shutdown();
  });
});

it('separates the text before and after a tool by a blank line', async () => {
  const looking = calls({ id: 'a', name: 'Echo' });
  const provider = scriptedProvider(
    looking.kind === 'message'
      ? {
          ...looking,
          message: { ...looking.message, content: 'Let me look.' },
          deltas: ['Let me look.'],
        }
      : looking,
    says('Done.'),
  );
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    tools: [fakeTool('Echo')],
    permissionMode: 'bypassPermissions',
  });
  const seen = recordEvents(session, ['text_delta']);

  await session.submit('go');

  expect(seen.map(([, delta]) => delta)).toEqual(['Let me look.', '\n\n', 'Done.']);
  expect(session.getStreamingText()).toBe('Let me look.\n\nDone.');
  expect(session.getBlocks().at(-1)).toMatchObject({ content: 'Done.' });
  await session.shutdown();
});

it('never mixes up parallel calls of one tool', async () => {
  let releaseSlow: (text: string) => void = () => undefined;
  const slow = new Promise<string>((resolve) => {
    releaseSlow = resolve;
  });
  const provider = scriptedProvider(
    calls(
      { id: 'slow', name: 'Look', args: { at: 'slow' } },
      { id: 'quick', name: 'Look', args: { at: 'quick' } },
    ),
    says('seen'),
  );
  const look = fakeTool('Look', ({ at }) => (at === 'slow' ? slow : 'quick result'));
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    tools: [look],
    permissionMode: 'bypassPermissions',
  });
  const ended: unknown[][] = [];
  session.on('tool_end', (state) => {
    ended.push([state.toolCallId, state.firstArg, state.toolResultData]);
    if (state.toolCallId === 'quick') releaseSlow('slow result');
  });

  await session.submit('look twice');

  expect(ended).toEqual([
    ['quick', 'quick', 'quick result'],
    ['slow', 'slow', 'slow result'],
  ]);
  expect(
    session.getActiveTools().map(({ toolCallId, isRunning }) => [toolCallId, isRunning]),
  ).toEqual([
    ['slow', false],
    ['quick', false],
  ]);
  await session.shutdown();
});

describe('permissions', () => {
  const writeCall = () =>
    scriptedProvider(
      calls({ id: 'w', name: 'Write', args: { filePath: 'a.txt', content: 'text' } }),
      says('done'),
    );

  it('shows a call that nobody could approve as denied', async () => {
    const session = new InteractiveSession({ cwd: place.project, provider: writeCall() });
    const seen = recordEvents(session, ['tool_start', 'tool_end']);

    await session.submit('write it');

    expect(seen).toMatchObject([
      ['tool_start', { toolName: 'Write', firstArg: 'a.txt', isRunning: true }],
      ['tool_end', { toolName: 'Write', isRunning: false, result: 'denied' }],
    ]);
    await session.shutdown();
  });

  it('puts the question to every surface and takes the first answer only', async () => {
    const session = new InteractiveSession({ cwd: place.project, provider: writeCall() });
    const asked: PermissionRequest[] = [];
    const answers: boolean[] = [];
    session.on('permission_request', (request) => {
      asked.push(request);
      answers.push(session.answerPermission(request.requestId, true));
    });
    session.on('permission_request', (request) => {
      answers.push(session.answerPermission(request.requestId, false));
    });
    const resolved = recordEvents(session, ['permission_resolved']);

    await session.submit('write it');

    expect(asked).toMatchObject([
      {
        toolName: 'Write',
        toolCallId: 'w',
        toolArgs: { filePath: 'a.txt' },
        explanation: { decision: 'approve' },
      },
    ]);
    expect(answers).toEqual([true, false]);
    expect(resolved).toEqual([
      ['permission_resolved', { requestId: asked[0]?.requestId, answer: true }],
    ]);
    expect(readFileSync(join(place.project, 'a.txt'), 'utf8')).toBe('text');
    await session.shutdown();
  });

  it('lets a handler in code decide, and denies when it fails', async () => {
    const session = new InteractiveSession({
      cwd: place.project,
      provider: writeCall(),
      permissionHandler: () => {
        throw new Error('handler bug');
      },
    });
    const seen = recordEvents(session, ['tool_end', 'error']);

    await session.submit('write it');

    expect(seen).toMatchObject([
      [
        'error',
        {
          message: 'The permission handler failed for Write; the call was denied. handler bug',
        },
      ],
      ['tool_end', { result: 'denied' }],
    ]);
    await session.shutdown();
  });

  it('denies what is still open when the turn is aborted', async () => {
    const session = new InteractiveSession({ cwd: place.project, provider: writeCall() });
    session.on('permission_request', () => session.abort());

    const outcome = await session.submit('write it');

    expect(outcome.status).toBe('interrupted');
    expect(session.getPendingPermissions()).toEqual([]);
    await session.shutdown();
  });

  it('lets go of a question whose handler never answers when the turn is aborted', async () => {
    const session = new InteractiveSession({
      cwd: place.project,
      provider: writeCall(),
      permissionHandler: () => new Promise<boolean>(() => undefined),
    });
    const resolved = recordEvents(session, ['permission_resolved']);
    session.on('permission_request', () => session.abort());

    const outcome = await session.submit('write it');

    expect([outcome.status, session.getPendingPermissions()]).toEqual(['interrupted', []]);
    expect(resolved).toMatchObject([['permission_resolved', { answer: false, by: 'abort' }]]);
    await session.shutdown();
  });

  it('keeps a rule allowed for the project in the local settings', async () => {
    const local = place.write('.robota/settings.local.json', { language: 'en' });
    const session = new InteractiveSession({
      cwd: place.project,
      provider: writeCall(),
      permissionHandler: () => ({ allow: 'project', pattern: 'Write(*.txt)' }),
    });

    await session.submit('write it');
    await session.shutdown();

    expect(JSON.parse(readFileSync(local, 'utf8'))).toEqual({
      language: 'en',
      permissions: { allow: ['Write(*.txt)'] },
    });
  });

  it('lets the agent read its own configuration folders without asking', async () => {
    place.write('.agents/notes.md', 'my notes');
    const provider = scriptedProvider(
      calls({ id: 'r', name: 'Read', args: { filePath: '.agents/notes.md' } }),
      says('read'),
    );
    const session = new InteractiveSession({ cwd: place.project, provider });
    const seen = recordEvents(session, ['tool_end']);

    await session.submit('read');

    expect(seen).toMatchObject([['tool_end', { result: 'success' }]]);
    await session.shutdown();
  });
});

it('shows what an Edit changed, with three lines around it', async () => {
  place.write(
    'code.txt',
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', ''].join('\n'),
  );
  const provider = scriptedProvider(
    calls({
      id: 'e',
      name: 'Edit',
      args: { filePath: 'code.txt', oldString: 'ive', newString: 'INE\nmore' },
    }),
    says('edited'),
  );
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    permissionMode: 'acceptEdits',
  });

  await session.submit('edit');

  const [tool] = session.getActiveTools();
  expect(tool?.diffFile).toBe('code.txt');
  expect(tool?.diffLines?.map(({ type, text, lineNumber }) => [type, lineNumber, text])).toEqual([
    ['hunk', 2, '@@ -2,7 +2,8 @@'],
    ['context', 2, 'two'],
    ['context', 3, 'three'],
    ['context', 4, 'four'],
    ['remove', 5, 'five'],
    ['add', 5, 'fINE'],
    ['add', 6, 'more'],
    ['context', 7, 'six'],
    ['context', 8, 'seven'],
    ['context', 9, 'eight'],
  ]);
  await session.shutdown();
});

describe('stream events', () => {
  it('rise by one and fold to the blocks the session has', async () => {
    const provider = scriptedProvider(
      thinks('Let me look.', calls({ id: 'a', name: 'Echo', args: { text: 'hi' } })),
      says('It said hi.', { deltas: ['It said ', 'hi.'] }),
    );
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      tools: [fakeTool('Echo', () => 'hi')],
      permissionMode: 'bypassPermissions',
    });
    const events: StreamEvent[] = [];
    const numbers: number[] = [];
    session.on('stream_event', (event, sequence) => {
      events.push(event);
      numbers.push(sequence);
    });

    await session.submit('the whole prompt', '/short');

    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
    expect(session.getLastSequence()).toBeGreaterThanOrEqual(numbers.at(-1) ?? 0);
    const folded = events.reduce(applyStreamEvent, EMPTY_CONVERSATION);
    expect(session.getBlocks()).toEqual(folded.blocks);
    expect(folded.blocks).toMatchObject([
      { type: 'user_message', content: '/short' },
      { type: 'thinking', content: 'Let me look.' },
      { type: 'tool_use', toolName: 'Echo', input: { text: 'hi' }, status: 'success' },
      { type: 'tool_result', toolUseId: 'a', output: 'hi', isError: false },
      { type: 'assistant_text', content: 'It said hi.' },
    ]);
    await session.shutdown();
  });

  it('are told to one who joins in the middle from where the conversation stands', async () => {
    const provider = scriptedProvider(says('abcd', { deltas: ['a', 'b', 'c', 'd'] }));
    const session = new InteractiveSession({ cwd: place.project, provider });
    let joined: ConversationState | undefined;
    session.on('text_delta', (delta) => {
      if (delta !== 'b') return;
      joined = session.getConversation();
      session.on('stream_event', (event) => {
        joined = applyStreamEvent(joined ?? EMPTY_CONVERSATION, event);
      });
    });

    await session.submit('go');

    expect(joined?.blocks).toEqual(session.getBlocks());
    expect(joined?.blocks.at(-1)).toMatchObject({ content: 'abcd' });
    await session.shutdown();
  });

  it('show text that is still streaming in the blocks', async () => {
    const provider = scriptedProvider(says('abc', { deltas: ['a', 'b', 'c'] }));
    const session = new InteractiveSession({ cwd: place.project, provider });
    const seen: unknown[] = [];
    session.on('text_delta', () => {
      seen.push([session.getStreamingText(), session.getBlocks().at(-1)]);
    });

    await session.submit('go');

    expect(seen).toMatchObject([
      ['a', { content: 'a' }],
      ['ab', { content: 'ab' }],
      ['abc', { content: 'abc' }],
    ]);
    await session.shutdown();
  });
});

it('tells a provider failure as error event and block, and goes on', async () => {
  const provider = scriptedProvider(fails(new Error('bad request')), says('better'));
  const session = new InteractiveSession({ cwd: place.project, provider });
  const seen = recordEvents(session, ['error']);

  const failed = await session.submit('one');
  const next = await session.submit('two');

  expect(failed).toMatchObject({ status: 'failed', error: { message: 'bad request' } });
  expect(next.status).toBe('completed');
  expect(seen).toHaveLength(1);
  expect(session.getBlocks()).toMatchObject([
    { type: 'user_message', content: 'one' },
    { type: 'system', subtype: 'error', message: 'bad request' },
    { type: 'user_message', content: 'two' },
    { type: 'assistant_text', content: 'better' },
  ]);
  await session.shutdown();
});

it('never crashes for an error that nobody listens to', async () => {
  const session = new InteractiveSession({
    cwd: place.project,
    provider: scriptedProvider(fails(new Error('bad'))),
  });

  expect((await session.submit('one')).status).toBe('failed');
  await session.shutdown();
});

it('can be aborted while it is still being put together', async () => {
  const provider = scriptedProvider(says('never'));
  const session = new InteractiveSession({ cwd: place.project, provider });

  const submitted = session.submit('hello');
  session.abort();

  expect((await submitted).status).toBe('interrupted');
  expect(provider.requests).toHaveLength(0);
  await session.shutdown();
});
