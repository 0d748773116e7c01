import { type HookDefinition, readHooksConfig } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

const guard: HookDefinition = { type: 'command', command: 'guard.sh' };

describe('one bad entry', () => {
  it.each([
    ['an unknown type', { type: 'magic' }, 'type is not one of'],
    ['a command without a text', { type: 'command', command: 7 }, 'command is missing'],
    ['no object', 'guard.sh', 'is not an object'],
    ['an MCP tool without a server', { type: 'mcp_tool', tool: 'x' }, 'server is missing'],
    ['arguments that are no list', { type: 'command', command: 'x', args: 'y' }, 'args is not a'],
  ])('is left out and named, and its neighbours guard on: %s', (_what, entry, problem) => {
    const { hooks, problems } = readHooksConfig({
      PreToolUse: [{ matcher: 'Bash', hooks: [entry, guard] }, { hooks: [guard] }],
    });

    expect(hooks).toEqual({
      PreToolUse: [{ matcher: 'Bash', hooks: [guard] }, { hooks: [guard] }],
    });
    expect(problems).toEqual([
      {
        field: expect.stringMatching(/^hooks\.PreToolUse\[0\]\.hooks\[0\]/),
        problem: expect.any(String),
        isLeftOut: true,
      },
    ]);
    expect(`${problems[0]?.field} ${problems[0]?.problem}`).toContain(problem);
  });

  it.each([
    ['timeout', -1],
    ['timeout', 'soon'],
    ['required', 'yes'],
    ['async', 1],
    ['once', 'true'],
    ['if', ['Bash']],
  ])('costs a hook only the field %s: %j', (field, value) => {
    const { hooks, problems } = readHooksConfig({
      Stop: [{ hooks: [{ ...guard, [field]: value }] }],
    });

    expect(hooks).toEqual({ Stop: [{ hooks: [guard] }] });
    expect(problems.map((each) => each.field)).toEqual([`hooks.Stop[0].hooks[0].${field}`]);
  });

  it('in the list of groups, or a list that is none, leaves the other events alone', () => {
    const { hooks, problems } = readHooksConfig({
      Stop: 'x',
      SessionEnd: [7, { hooks: [guard] }, { hooks: {} }, { matcher: 3, hooks: [guard] }],
    });

    expect(hooks).toEqual({ Stop: [], SessionEnd: [{ hooks: [guard] }] });
    expect(problems.map((each) => each.field)).toEqual([
      'hooks.Stop',
      'hooks.SessionEnd[0]',
      'hooks.SessionEnd[2].hooks',
      'hooks.SessionEnd[3].matcher',
    ]);
  });
});

describe('what Claude Code writes', () => {
  it('is read with every field it has, and nothing is said about it', () => {
    const written = {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            { type: 'command', command: 'a', timeout: '30', if: 'Bash(git *)', statusMessage: '…' },
            { type: 'command', command: 'node', args: ['x.js', 1], async: true, shell: 'bash' },
            {
              type: 'mcp_tool',
              server: 's',
              tool: 't',
              input: { path: `\${tool_input.file_path}` },
            },
            { type: 'command', command: 'b', once: true, timeout: null },
          ],
        },
        { matcher: null, hooks: [] },
      ],
    };

    expect(readHooksConfig(written)).toEqual({
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              { type: 'command', command: 'a', timeout: 30, if: 'Bash(git *)' },
              { type: 'command', command: 'node', args: ['x.js', '1'], async: true },
              {
                type: 'mcp_tool',
                server: 's',
                tool: 't',
                input: { path: `\${tool_input.file_path}` },
              },
              { type: 'command', command: 'b', once: true },
            ],
          },
          { hooks: [] },
        ],
      },
      problems: [],
    });
  });
});

describe('what was probably meant otherwise', () => {
  it.each([
    [
      { PreTolUse: [] },
      'hooks.PreTolUse is not an event, so its hooks never run; did you mean PreToolUse?',
    ],
    [{ Whatever: [] }, 'hooks.Whatever is not an event, so its hooks never run'],
    [
      { PermissionRequest: [] },
      'hooks.PermissionRequest is an event that never happens here, so its hooks never run',
    ],
    [
      { PermissionRequest: [], Stop: [], Setup: [], CwdChanged: null, FileChanged: [] },
      'hooks.PermissionRequest, hooks.Setup, hooks.FileChanged are events that never happen here, so their hooks never run',
    ],
    [
      { Stop: [{ matcher: '[', hooks: [] }] },
      'hooks.Stop[0].matcher is not a regular expression: [',
    ],
    [
      { Stop: [{ mathcer: 'Bash', hooks: [] }] },
      'hooks.Stop[0].mathcer is not a field; did you mean matcher?',
    ],
    [
      { Stop: [{ hooks: [{ ...guard, timout: 3 }] }] },
      'hooks.Stop[0].hooks[0].timout is not a field; did you mean timeout?',
    ],
  ])('is noticed: %j', (written, notice) => {
    const { problems } = readHooksConfig(written);

    expect(problems.map(({ field, problem }) => `${field} ${problem}`)).toEqual([notice]);
    expect(problems[0]?.isLeftOut).toBe(false);
  });
});

it('keeps types that an executor given in code runs', () => {
  const written = { Stop: [{ hooks: [{ type: 'audit', level: 3, timeout: 5 }] }] };

  expect(readHooksConfig(written, { customTypes: ['audit'] })).toEqual({
    hooks: written,
    problems: [],
  });
});
