import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderCapabilities, ToolSandbox } from '@robota-sdk/agent-core';
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { recordEvents } from './interactive/scripted-session.ts';
import { useTestPlace } from './sandbox-home.ts';

const place = useTestPlace();

function systemPromptSent(provider: ReturnType<typeof scriptedProvider>, request = 0): string {
  return provider.requests[request]?.[0]?.content ?? '';
}

describe('with cwd and provider alone', () => {
  it('offers the eight tools and a prompt about the place', async () => {
    place.write('AGENTS.md', 'Be kind.');
    const provider = scriptedProvider(says('hi'));
    const session = new InteractiveSession({ cwd: place.project, provider });

    await session.submit('hello');
    await session.shutdown();

    expect(provider.requestOptions[0]?.tools?.map(({ name }) => name)).toEqual([
      'Bash',
      'Read',
      'Write',
      'Edit',
      'Glob',
      'Grep',
      'WebFetch',
      'WebSearch',
      'BackgroundProcess',
      'BackgroundList',
      'BackgroundOutput',
      'BackgroundCancel',
      'Agent',
    ]);
    expect(systemPromptSent(provider)).toContain('## Agent Instructions\nBe kind.');
    expect(systemPromptSent(provider)).toContain(`## Working Directory\n${place.project}`);
    expect(systemPromptSent(provider)).not.toContain('## Web Search');
  });

  it('applies settings: language, model, mode, rules, hooks and variables', async () => {
    place.write('.robota/settings.json', {
      language: 'Korean',
      model: 'my-model',
      permissions: { allow: ['Bash(echo *)'] },
      env: { GREETING: "it's me" },
      hooks: {
        UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo "hook says $GREETING"' }] }],
      },
    });
    const provider = scriptedProvider(
      calls({ id: 'b', name: 'Bash', args: { command: 'echo "$GREETING"' } }),
      says('done'),
    );
    const session = new InteractiveSession({ cwd: place.project, provider, trust: true });

    await session.submit('hello');
    await session.shutdown();

    expect(systemPromptSent(provider)).toContain('Always respond in Korean.');
    expect(provider.requestOptions[0]?.model).toBe('my-model');
    expect(provider.requests[0]?.at(-1)?.content).toContain("hook says it's me");
    expect(provider.requests[1]?.at(-1)?.content).toContain("it's me");
  });

  it('tells which settings of an untrusted project are not applied', async () => {
    const file = place.write('.robota/settings.json', { permissions: { allow: ['Bash(*)'] } });
    const session = new InteractiveSession({ cwd: place.project, provider: scriptedProvider() });
    const seen = recordEvents(session, ['notice']);

    await session.whenReady();

    expect(session.getInactiveSettings()).toEqual([
      { file, field: 'permissions.allow', value: ['Bash(*)'] },
    ]);
    expect(seen).toMatchObject([['notice', { kind: 'trust' }]]);
    await session.shutdown();
  });

  it('instructs the model to search the web where the provider can', async () => {
    const off = { supported: false, enabled: false };
    const capabilities: ProviderCapabilities = {
      functionCalling: { supported: true },
      nativeWebTools: { webSearch: { supported: true, enabled: true }, webFetch: off },
    };
    const provider = { ...scriptedProvider(says('hi')), getCapabilities: () => capabilities };
    const session = new InteractiveSession({ cwd: place.project, provider });

    await session.whenReady();

    expect(session.getSystemPrompt()).toContain('must use the web_search tool');
    await session.shutdown();
  });
});

describe('given in code', () => {
  it('settings and context are not read from disk, however broken', async () => {
    place.write('.robota/settings.json', '{ broken');
    place.write('AGENTS.md', 'from disk');
    const provider = scriptedProvider(says('hi'));
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      config: { language: 'Latin', permissions: { deny: ['Read(x)'] } },
      context: { agentsMd: 'from code' },
      builtinTools: false,
      tools: [fakeTool('Only')],
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [{ type: 'function', run: () => ({ exitCode: 0, stdout: 'from a function' }) }],
          },
        ],
      },
    });

    await session.submit('hello');
    await session.shutdown();

    expect(systemPromptSent(provider)).toContain('from code');
    expect(systemPromptSent(provider)).not.toContain('from disk');
    expect(systemPromptSent(provider)).toContain('Latin');
    expect(provider.requestOptions[0]?.tools?.map(({ name }) => name)).toEqual(['Only']);
    expect(provider.requests[0]?.at(-1)?.content).toContain('from a function');
  });

  it('a bare session reads nothing', async () => {
    place.write('.robota/settings.json', '{ broken');
    place.write('AGENTS.md', 'from disk');
    const provider = scriptedProvider(says('hi'));
    const session = new InteractiveSession({ cwd: place.project, provider, bare: true });

    expect((await session.submit('hello')).status).toBe('completed');
    expect(systemPromptSent(provider)).not.toContain('from disk');
    await session.shutdown();
  });

  it('allowed and denied tools are rules', async () => {
    const provider = scriptedProvider(
      calls(
        { id: '1', name: 'Bash', args: { command: 'echo hi' } },
        { id: '2', name: 'Read', args: { filePath: 'x' } },
      ),
      says('done'),
    );
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      allowedTools: ['Bash'],
      deniedTools: ['Read'],
    });
    const seen = recordEvents(session, ['tool_end']);

    await session.submit('go');

    expect(seen.map(([, state]) => state)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ toolName: 'Bash', result: 'success' }),
        expect.objectContaining({ toolName: 'Read', result: 'denied' }),
      ]),
    );
    await session.shutdown();
  });

  it('a system prompt replaces ours and an appended one follows it', async () => {
    const provider = scriptedProvider(says('hi'));
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      systemPrompt: 'You are a poet.',
      appendSystemPrompt: 'Rhyme.',
    });

    await session.whenReady();

    expect(session.getSystemPrompt()).toBe('You are a poet.\n\nRhyme.');
    await session.shutdown();
  });

  it('extensions add tools, prompt sections and commands; one that fails is named and left out', async () => {
    const provider = scriptedProvider(says('hi'));
    const disposed: string[] = [];
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      builtinTools: false,
      tools: [fakeTool('Own')],
      extensions: [
        {
          name: 'good',
          extend: ({ tools }) => ({
            tools: [fakeTool(`Beside${tools.length}`)],
            promptSections: ['## Skills\n- juggling'],
            commandSources: [{ name: 'good', getCommands: () => [] }],
            dispose: () => void disposed.push('good'),
          }),
        },
        { name: 'bad', extend: () => Promise.reject(new Error('no manifest')) },
      ],
    });

    await session.submit('hello');
    await session.shutdown();

    expect(provider.requestOptions[0]?.tools?.map(({ name }) => name)).toEqual(['Own', 'Beside1']);
    expect(systemPromptSent(provider)).toContain('juggling');
    expect(session.getCommandSources().map(({ name }) => name)).toEqual(['good']);
    expect(session.getNotices()).toEqual([
      { kind: 'extension', message: 'bad could not be loaded: no manifest' },
    ]);
    expect(disposed).toEqual(['good']);
  });
});

describe('at run time', () => {
  it('model, mode, language and system prompt can be changed before and after the start', async () => {
    const provider = scriptedProvider(says('1'), says('2'), says('3'));
    const session = new InteractiveSession({ cwd: place.project, provider, model: 'first' });

    session.setModel('second');
    session.setPermissionMode('plan');
    await session.submit('one');
    session.setLanguage('Korean');
    await session.submit('two');
    session.setSystemPrompt('All new.');
    session.setModel('third');
    await session.submit('three');
    await session.shutdown();

    expect(provider.requestOptions.map(({ model }) => model)).toEqual([
      'second',
      'second',
      'third',
    ]);
    expect(session.getPermissionMode()).toBe('plan');
    expect(systemPromptSent(provider, 1)).toContain('Always respond in Korean.');
    expect(systemPromptSent(provider, 2)).toBe('All new.');
  });
});

it('the language of the answer survives a compaction', async () => {
  const provider = scriptedProvider(says('1'), says('summary'), says('2'));
  const session = new InteractiveSession({ cwd: place.project, provider, language: 'Korean' });

  await session.submit('one');
  await session.compact();
  await session.submit('two');
  await session.shutdown();

  expect(systemPromptSent(provider, 2)).toContain('Always respond in Korean.');
  expect(provider.requests[2]?.map(({ role }) => role)).toEqual(['system', 'assistant', 'user']);
});

it('compaction follows the instructions of CLAUDE.md and the threshold of the settings', async () => {
  place.write('CLAUDE.md', '## Compact Instructions\nKeep the file names.');
  place.writeHome('.robota/settings.json', {
    autoCompactThreshold: { 'my-model': 0.01 },
    model: 'my-model',
  });
  const full = { metadata: { inputTokens: 5_000, outputTokens: 10 } };
  const provider = scriptedProvider(says('1', full), says('summary'), says('2'));
  const session = new InteractiveSession({ cwd: place.project, provider });
  const seen = recordEvents(session, ['compact']);

  await session.submit('one');
  await session.submit('two');
  await session.shutdown();

  expect(provider.requests[1]?.[0]?.content).toContain('Keep the file names.');
  expect(seen).toMatchObject([['compact', { trigger: 'auto' }]]);
});

it('asks the provider for its own model when nobody names one', async () => {
  const provider = { ...scriptedProvider(says('hi')), model: 'own-model' };
  const session = new InteractiveSession({ cwd: place.project, provider });

  await session.submit('hello');
  await session.shutdown();

  expect(provider.requestOptions[0]?.model).toBe('own-model');
});

it('a relative directory is taken from where the process is', async () => {
  const before = process.cwd();
  process.chdir(place.project);
  const session = new InteractiveSession({ cwd: '.', provider: scriptedProvider(says('hi')) });
  process.chdir(before);

  expect((await session.submit('hello')).status).toBe('completed');
  expect(session.getCwd()).toBe(place.project);
  await session.shutdown();
});

describe('surroundings that are broken', () => {
  it('a missing directory is a clear error', async () => {
    const cwd = join(place.project, 'nowhere');
    const session = new InteractiveSession({ cwd, provider: scriptedProvider() });

    await expect(session.whenReady()).rejects.toMatchObject({
      code: 'invalid_cwd',
      message: `Cannot start a session: the directory ${cwd} does not exist`,
    });
    await session.shutdown();
  });

  it('a broken settings file fails the prompt, and once repaired the next one works', async () => {
    const file = place.write('.robota/settings.json', '{');
    const session = new InteractiveSession({
      cwd: place.project,
      provider: scriptedProvider(says('hi')),
    });

    const broken = await session.submit('one');
    place.write('.robota/settings.json', '{}');
    const repaired = await session.submit('two');

    expect(broken).toMatchObject({ status: 'failed', error: { code: 'invalid_settings', file } });
    expect(repaired.status).toBe('completed');
    await session.shutdown();
  });

  it('an id that could leave the directory is refused', () => {
    expect(
      () =>
        new InteractiveSession({
          cwd: place.project,
          provider: scriptedProvider(),
          sessionId: '../evil',
        }),
    ).toThrow(expect.objectContaining({ code: 'invalid_session_id' }));
  });
});

it('commands and files go to the sandbox, whose snapshot comes back on resume', async () => {
  const commands: string[] = [];
  const restored: string[] = [];
  const sandbox: ToolSandbox = {
    run: (command) => {
      commands.push(command);
      return Promise.resolve({
        stdout: 'inside',
        stderr: '',
        exitCode: 0,
        timedOut: false,
        droppedBytes: 0,
      });
    },
    readFile: () => Promise.resolve(new Uint8Array()),
    writeFile: () => Promise.resolve(),
    snapshot: () => Promise.resolve('snapshot-1'),
    restore: (id) => {
      restored.push(id);
      return Promise.resolve();
    },
  };
  mkdirSync(join(place.project, 'x'));
  const options = {
    cwd: realpathSync(place.project),
    sandbox,
    persistence: true,
    permissionMode: 'bypassPermissions',
  } as const;
  const provider = scriptedProvider(
    calls({ id: 'b', name: 'Bash', args: { command: 'ls' } }),
    says('done'),
  );
  const first = new InteractiveSession({ ...options, provider });
  await first.submit('go');
  await first.shutdown();

  const second = new InteractiveSession({
    ...options,
    provider: scriptedProvider(),
    resumeSessionId: first.sessionId,
  });
  await second.whenReady();
  await second.shutdown();

  expect(commands).toEqual(['ls']);
  expect(restored).toEqual(['snapshot-1']);
});
