import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  type AssembledSessionOptions,
  InteractiveSession,
  type PermissionRequest,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

describe('once', () => {
  it('hears one event and no more; off takes it back', async () => {
    const session = new InteractiveSession({
      cwd: place.project,
      provider: scriptedProvider(says('one two', { deltas: ['one ', 'two'] })),
    });
    const heard: string[] = [];
    const never = (delta: string) => heard.push(`never ${delta}`);
    session.once('text_delta', (delta) => heard.push(delta)).once('text_delta', never);
    session.off('text_delta', never);

    await session.submit('count');
    await session.shutdown();

    expect(heard).toEqual(['one ']);
  });
});

describe('tools given in code', () => {
  const offered = async (options: Partial<AssembledSessionOptions>) => {
    const provider = scriptedProvider(says('Hi.'));
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      bare: true,
      ...options,
    });
    await session.submit('hi');
    await session.shutdown();
    return provider.requestOptions[0]?.tools ?? [];
  };

  it('stand beside the built-in ones, and take the place of one of the same name', async () => {
    const tools = await offered({ tools: [fakeTool('Weather'), fakeTool('Bash')] });

    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Read', 'Write', 'Weather']));
    expect(names.filter((name) => name === 'Bash')).toHaveLength(1);
    expect(tools.find(({ name }) => name === 'Bash')?.description).toBe(
      fakeTool('Bash').schema.description,
    );
  });

  it('are all there is without the built-in ones', async () => {
    const tools = await offered({ builtinTools: false, tools: [fakeTool('Weather')] });

    expect(tools.map(({ name }) => name)).toEqual(['Weather']);
  });
});

describe('a permission handler', () => {
  const asked = calls({ id: 'w', name: 'Write', args: { filePath: 'a.txt', content: 'x' } });

  it('may have a call run with other parameters, which everybody is told of', async () => {
    const session = new InteractiveSession({
      cwd: place.project,
      provider: scriptedProvider(asked, says('done')),
      permissionHandler: (_tool, args) => ({ allow: true, input: { ...args, content: 'y' } }),
    });

    const answers: unknown[] = [];
    session.on('permission_resolved', ({ answer }) => answers.push(answer));

    await session.submit('write');
    await session.shutdown();

    expect(readFileSync(join(place.project, 'a.txt'), 'utf8')).toBe('y');
    expect(answers).toEqual([{ allow: true, input: { filePath: 'a.txt', content: 'y' } }]);
  });

  it('cannot lead a call around a rule that denies it', async () => {
    const session = new InteractiveSession({
      cwd: place.project,
      provider: scriptedProvider(asked, says('done')),
      deniedTools: ['Write(secret.txt)'],
      permissionHandler: (_tool, args) => ({
        allow: true,
        input: { ...args, filePath: 'secret.txt' },
      }),
    });

    await session.submit('write');
    const result = session.getBlocks().find(({ type }) => type === 'tool_result');
    await session.shutdown();

    expect(result).toMatchObject({ isError: true });
    expect(existsSync(join(place.project, 'secret.txt'))).toBe(false);
  });

  it('is told why it is asked', async () => {
    const requests: PermissionRequest[] = [];
    const session = new InteractiveSession({
      cwd: place.project,
      provider: scriptedProvider(asked, says('done')),
      permissionHandler: (_tool, _args, request) => requests.push(request) === 0,
    });

    await session.submit('write');
    await session.shutdown();

    expect(requests).toMatchObject([
      { toolName: 'Write', toolCallId: 'w', explanation: { decision: 'approve' } },
    ]);
  });
});

describe('hooks as functions', () => {
  it('are told typed facts and answer in plain fields', async () => {
    const provider = scriptedProvider(
      calls({ id: '1', name: 'Echo', args: { text: 'hi' } }),
      says('done'),
    );
    const told: string[] = [];
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      permissionMode: 'bypassPermissions',
      tools: [fakeTool('Echo', ({ text }) => `said ${text}`)],
      hooks: {
        UserPromptSubmit: [({ prompt }) => ({ additionalContext: `${prompt.length} letters` })],
        PreToolUse: [
          { matcher: 'Bash', run: () => ({ block: 'never asked' }) },
          {
            matcher: 'Echo',
            run: ({ tool_input, tool_use_id }) => {
              told.push(tool_use_id);
              return { updatedInput: { text: `${String(tool_input.text)}!` } };
            },
          },
        ],
        PostToolUse: [({ tool_output }) => void told.push(tool_output)],
        SessionEnd: [
          { hooks: [{ type: 'function', run: () => ({ exitCode: told.push('end') - 3 }) }] },
        ],
      },
    });

    await session.submit('hello');
    await session.shutdown();

    expect(told).toEqual(['1', 'said hi!', 'end']);
    expect(provider.requests[0]?.at(-1)?.content).toContain('5 letters');
  });

  it('block with a reason, end a run, and are named when they throw', async () => {
    const provider = scriptedProvider(calls({ id: '1', name: 'Echo' }), says('done'));
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      permissionMode: 'bypassPermissions',
      tools: [fakeTool('Echo')],
      hooks: {
        PreToolUse: [() => ({ block: 'not on Sundays' })],
        Stop: [
          async () => {
            throw new Error('hook is tired');
          },
        ],
      },
    });

    await session.submit('hello');
    await session.shutdown();

    expect(provider.requests[1]?.at(-1)?.content).toContain('not on Sundays');
    expect(
      session
        .getNotices()
        .map(({ message }) => message)
        .join(),
    ).toContain('hook is tired');
  });
});

describe('bare', () => {
  it('reads nothing, however broken, and takes plugins, skills, agents and hooks from code', async () => {
    for (const file of ['.robota/settings.json', '.claude/settings.json', '.mcp.json']) {
      place.write(file, '{ broken');
    }
    for (const file of ['trust.json', 'settings.json', 'plugins/registry.json', 'trust']) {
      place.writeHome(`.robota/${file}`, '{ broken');
    }
    for (const file of [
      'AGENTS.md',
      'CLAUDE.md',
      '.claude/skills/a/SKILL.md',
      '.robota/agents/a.md',
    ])
      place.write(file, '---\nname: disk\ndescription: from disk\n---\nfrom disk');
    const provider = scriptedProvider(says('hi'));
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      bare: true,
      settings: { language: 'Latin' },
      plugins: [
        {
          manifest: { name: 'circus', version: '1.0.0', description: 'A circus' },
          systemPrompt: 'Be funny.',
          tools: [fakeTool('Honk')],
          agents: [{ name: 'clown', description: 'Falls', systemPrompt: 'Fall.' }],
        },
      ],
      skills: [{ name: 'juggle', description: 'Juggles', body: 'Throw.' }],
    });

    await session.submit('hello');
    await session.shutdown();

    const system = String(provider.requests[0]?.[0]?.content);
    const tools = provider.requestOptions[0]?.tools ?? [];
    expect(session.getNotices()).toEqual([]);
    expect(system).not.toContain('from disk');
    expect(system).toContain('Be funny.');
    expect(system).toContain('juggle');
    expect(system).toContain('Latin');
    expect(tools.map(({ name }) => name)).toContain('Honk');
    expect(JSON.stringify(tools.find(({ name }) => name === 'Agent'))).toContain('clown');
  });
});
