import type { HookEvent, HookFunction, HookInput, HooksConfig } from '@robota-sdk/agent-core';
import { fails, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { SessionStore } from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { RecordingLogger, startSession, temporaryDirectory } from './session-kit.ts';

function on(event: HookEvent, run: HookFunction): HooksConfig {
  return { [event]: [{ hooks: [{ type: 'function', run }] }] };
}

/** Hooks that keep what they were told and say nothing. */
function listening(...events: HookEvent[]): { hooks: HooksConfig; heard: HookInput[] } {
  const heard: HookInput[] = [];
  const run: HookFunction = (input) => {
    heard.push(input);
    return { exitCode: 0 };
  };
  return { heard, hooks: Object.assign({}, ...events.map((event) => on(event, run))) };
}

describe('SessionStart', () => {
  it('fires once, when the session is made', async () => {
    const { hooks, heard } = listening('SessionStart');
    const session = startSession(scriptedProvider(says('1'), says('2')), {
      hooks,
      sessionId: 's1',
      cwd: '/project',
      source: 'resume',
    });
    await session.run('a');
    await session.run('b');

    expect(heard).toEqual([
      {
        session_id: 's1',
        cwd: '/project',
        hook_event_name: 'SessionStart',
        permission_mode: 'default',
        source: 'resume',
      },
    ]);
  });

  it('is waited for: its output is in the first prompt and in no other', async () => {
    const provider = scriptedProvider(says('1'), says('2'));
    let release: () => void = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const session = startSession(provider, {
      hooks: on('SessionStart', async () => {
        await slow;
        return { exitCode: 0, stdout: 'It is Monday.' };
      }),
    });
    const first = session.run('Hello');
    release();
    await first;
    await session.run('Again');

    const prompts = provider.requests.map((request) => request.at(-1)?.content);
    expect(prompts).toEqual([
      '<system-reminder>\nIt is Monday.\n</system-reminder>\nHello',
      'Again',
    ]);
  });
});

it('a start hook that hangs gives way to an abort and to the shutdown', async () => {
  const hooks = on('SessionStart', () => new Promise(() => {}));
  const waiting = startSession(scriptedProvider(), { hooks });
  const unused = startSession(scriptedProvider(), { hooks });
  const running = waiting.run('Hello');
  waiting.abort();

  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await expect(unused.shutdown()).resolves.toBeUndefined();
});

describe('UserPromptSubmit', () => {
  it('hears what the user typed and adds to the prompt', async () => {
    const heard: unknown[] = [];
    const provider = scriptedProvider(says('1'));
    const session = startSession(provider, {
      hooks: on('UserPromptSubmit', ({ prompt, user_message }) => {
        heard.push([prompt, user_message]);
        return { exitCode: 0, stdout: 'Be brief.' };
      }),
    });

    await session.run('expanded prompt', '/skill');

    expect(heard).toEqual([['/skill', '/skill']]);
    expect(provider.requests[0]?.at(-1)?.content).toBe(
      '<system-reminder>\nBe brief.\n</system-reminder>\nexpanded prompt',
    );
  });

  it('may block: the model is not asked and the prompt is not kept', async () => {
    const provider = scriptedProvider(says('1'));
    const session = startSession(provider, {
      hooks: on('UserPromptSubmit', ({ prompt }) =>
        prompt === 'bad' ? { exitCode: 2, stderr: 'not that' } : { exitCode: 0 },
      ),
    });

    await expect(session.run('bad')).rejects.toThrow('Blocked by hook: not that');

    expect(provider.requests).toHaveLength(0);
    expect(session.getHistory()).toHaveLength(1);
    await expect(session.run('good')).resolves.toBe('1');
  });
});

describe('Stop', () => {
  it('fires after each answer with the answer', async () => {
    const { hooks, heard } = listening('Stop');
    const answer = 'long '.repeat(200);
    const sessionStore = new SessionStore(temporaryDirectory());
    const session = startSession(scriptedProvider(says(answer)), {
      hooks,
      sessionStore,
      sessionId: 's1',
    });
    await session.run('Hello');

    expect(heard).toMatchObject([
      {
        response: answer.slice(0, 500),
        last_assistant_message: answer,
        stop_hook_active: false,
        transcript_path: sessionStore.getFilePath('s1'),
      },
    ]);
  });

  it('may send the model back to work, and is told that it did', async () => {
    const active: unknown[] = [];
    const provider = scriptedProvider(says('Done?'), says('Now tested.'));
    const session = startSession(provider, {
      hooks: on('Stop', ({ stop_hook_active }) => {
        active.push(stop_hook_active);
        return stop_hook_active ? { exitCode: 0 } : { exitCode: 2, stderr: 'Run the tests.' };
      }),
    });

    await expect(session.run('Do it')).resolves.toBe('Now tested.');

    expect(active).toEqual([false, true]);
    expect(provider.requests[1]?.at(-1)?.content).toContain('Run the tests.');
    expect(session.getMessageCount()).toBe(1);
  });

  it('cannot keep a turn going for ever', async () => {
    const notices: string[] = [];
    const session = startSession(
      scriptedProvider(...Array.from({ length: 20 }, () => says('Done.'))),
      {
        hooks: on('Stop', () => ({ exitCode: 2, stderr: 'again' })),
        onNotice: ({ message }) => notices.push(message),
      },
    );

    await expect(session.run('Do it')).resolves.toBe('Done.');

    expect(notices).toEqual([expect.stringContaining('objected 6 times')]);
  });
});

it('StopFailure fires with the reason when the model fails', async () => {
  const { hooks, heard } = listening('StopFailure', 'Stop');
  const session = startSession(scriptedProvider(fails(new Error('overloaded'))), { hooks });

  await expect(session.run('Hello')).rejects.toThrow('overloaded');

  expect(heard).toMatchObject([
    { hook_event_name: 'StopFailure', reason: 'overloaded', stop_hook_active: false },
  ]);
});

it('SessionEnd fires once with the reason', async () => {
  const { hooks, heard } = listening('SessionEnd');
  const session = startSession(scriptedProvider(), { hooks });
  await session.shutdown({ reason: 'prompt_input_exit' });
  await session.shutdown({ reason: 'other' });

  expect(heard.map(({ reason }) => reason)).toEqual(['prompt_input_exit']);
});

it('a subagent fires its own two events and no Stop', async () => {
  const { hooks, heard } = listening(
    'SessionStart',
    'SessionEnd',
    'Stop',
    'SubagentStart',
    'SubagentStop',
  );
  const session = startSession(scriptedProvider(says('Found.')), {
    hooks,
    subagent: { agentId: 'a1', agentType: 'Explore', transcriptPath: '/logs/a1.jsonl' },
  });
  await session.run('Find it');
  await session.shutdown();

  const agent = { agent_id: 'a1', agent_type: 'Explore', agent_transcript_path: '/logs/a1.jsonl' };
  expect(heard).toMatchObject([
    { hook_event_name: 'SubagentStart', ...agent },
    { hook_event_name: 'SubagentStop', ...agent, last_assistant_message: 'Found.' },
  ]);
});

it('what hooks say to people is passed on as a notice', async () => {
  const notices: unknown[] = [];
  const session = startSession(scriptedProvider(says('1')), {
    hooks: on('UserPromptSubmit', () => ({
      exitCode: 0,
      stdout: JSON.stringify({ systemMessage: 'Quota at 80 %.' }),
    })),
    onNotice: (notice) => notices.push(notice),
  });

  await session.run('Hello');

  expect(notices).toEqual([{ level: 'info', message: 'Quota at 80 %.' }]);
});

it('a hook that hangs or prints garbage does not stop the turn, and is told', async () => {
  const notices: string[] = [];
  const sessionLogger = new RecordingLogger();
  const session = startSession(scriptedProvider(says('1')), {
    sessionLogger,
    hooks: {
      UserPromptSubmit: [
        {
          hooks: [
            { type: 'function', timeout: 0.01, run: () => new Promise(() => {}) },
            { type: 'function', run: () => ({ exitCode: 0, stdout: '{"hookSpecificOutput":' }) },
          ],
        },
      ],
    },
    onNotice: ({ message }) => notices.push(message),
  });

  await expect(session.run('Hello')).resolves.toBe('1');

  expect(notices[0]).toContain('timed out');
  expect(sessionLogger.names()).toContain('hook');
});
