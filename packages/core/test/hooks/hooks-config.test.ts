import { type HookDefinition, mergeHooks, parseHooksConfig } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

describe('hook configuration', () => {
  it('is read as Claude Code writes it', () => {
    const written = {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [{ type: 'command', command: 'check.sh', timeout: 30, statusMessage: 'Checking' }],
        },
        {
          hooks: [
            {
              type: 'http',
              url: 'https://example.com/h',
              headers: { a: '$B' },
              allowedEnvVars: ['B'],
            },
          ],
          env: { X: 1 },
        },
      ],
      Stop: [
        {
          matcher: '',
          hooks: [
            { type: 'prompt', prompt: 'Done?', model: 'small' },
            { type: 'agent', prompt: 'verify', maxTurns: 3 },
          ],
        },
      ],
      TeammateIdle: [{ hooks: 'not ours' }],
    };

    expect(parseHooksConfig(written, 'settings.json')).toEqual({
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'check.sh', timeout: 30 }] },
        {
          hooks: [
            {
              type: 'http',
              url: 'https://example.com/h',
              headers: { a: '$B' },
              allowedEnvVars: ['B'],
            },
          ],
          env: { X: '1' },
        },
      ],
      Stop: [
        {
          matcher: '',
          hooks: [
            { type: 'prompt', prompt: 'Done?', model: 'small' },
            { type: 'agent', agent: 'verify', maxTurns: 3 },
          ],
        },
      ],
    });
  });

  it('may be missing', () => {
    expect([parseHooksConfig(undefined, 'x'), parseHooksConfig(null, 'x')]).toEqual([{}, {}]);
  });

  it.each([
    ['text', 'hooks is not an object'],
    [{ Stop: {} }, 'hooks.Stop is not a list'],
    [{ Stop: [{ matcher: 'x' }] }, 'hooks.Stop[0].hooks is not a list'],
    [{ Stop: [{ matcher: 1, hooks: [] }] }, 'hooks.Stop[0].matcher is not a text'],
    [
      { Stop: [{ hooks: [{ type: 'command' }] }] },
      'hooks.Stop[0].hooks[0].command is missing or not a text',
    ],
    [
      { Stop: [{ hooks: [{ type: 'magic' }] }] },
      'hooks.Stop[0].hooks[0].type is not one of command, http, prompt, agent, mcp_tool, function',
    ],
    [
      { Stop: [{ hooks: [{ type: 'http', url: '/x' }] }] },
      'hooks.Stop[0].hooks[0].url is not a URL',
    ],
    [
      { Stop: [{ hooks: [{ type: 'command', command: 'x', timeout: -1 }] }] },
      'hooks.Stop[0].hooks[0].timeout is not a positive number of seconds',
    ],
    [
      { Stop: [{ hooks: [{ type: 'command', command: 'x', required: 'yes' }] }] },
      'hooks.Stop[0].hooks[0].required is not true or false',
    ],
    [
      { Stop: [{ hooks: [{ type: 'function', run: 'x' }] }] },
      'hooks.Stop[0].hooks[0].run is not a function',
    ],
    [
      { Stop: [{ hooks: [{ type: 'agent', agent: 'a', maxTurns: 0 }] }] },
      'hooks.Stop[0].hooks[0].maxTurns is not a positive number',
    ],
  ])('that would lose a hook is refused: %j', (value, problem) => {
    expect(() => parseHooksConfig(value, 'settings.json')).toThrow(
      `Cannot read hooks from settings.json: ${problem}`,
    );
  });

  it('of several layers is joined, never replaced', () => {
    const group = (command: string) => ({
      hooks: [{ type: 'command', command } satisfies HookDefinition],
    });

    const merged = mergeHooks({ Stop: [group('user')] }, undefined, {
      Stop: [group('project')],
      SessionEnd: [group('end')],
    });

    expect(merged).toEqual({ Stop: [group('user'), group('project')], SessionEnd: [group('end')] });
  });
});
