import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookFunction, HooksConfig, ToolOutcome } from '@robota-sdk/agent-core';
import {
  calls,
  fakeTool,
  type ScriptedReply,
  says,
  scriptedProvider,
} from '@robota-sdk/agent-core/testing';
import {
  PermissionEnforcer,
  type PermissionResult,
  type Session,
  type SessionOptions,
  type ToolExecutionEvent,
} from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import {
  quietTerminal,
  RecordingLogger,
  startSession,
  temporaryDirectory,
} from '../session-kit.ts';

type MessageReply = Extract<ScriptedReply, { kind: 'message' }>;

interface Played {
  readonly session: Session;
  readonly events: ToolExecutionEvent[];
  /** What the model read of each tool call. */
  readonly results: string[];
  readonly logger: RecordingLogger;
}

/** One turn in which the model calls `names` one after another in a batch each. */
async function play(
  names: readonly (string | readonly [string, object])[],
  options: Partial<SessionOptions>,
): Promise<Played> {
  const replies = names.map((wanted, index) => {
    const [name, args] = typeof wanted === 'string' ? [wanted, {}] : wanted;
    return calls({ id: `c${index + 1}`, name, args });
  });
  const events: ToolExecutionEvent[] = [];
  const logger = new RecordingLogger();
  const session = startSession(scriptedProvider(...replies, says('Done.')), {
    sessionLogger: logger,
    onToolExecution: (event) => events.push(event),
    ...options,
  });
  await session.run('Go');
  const results = session
    .getHistory()
    .flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  return { session, events, results, logger };
}

function hook(event: 'PreToolUse' | 'PostToolUse', run: HookFunction): HooksConfig {
  return { [event]: [{ hooks: [{ type: 'function', run }] }] };
}

function hookJson(value: object): HookFunction {
  return () => ({ exitCode: 0, stdout: JSON.stringify(value) });
}

describe('a call that needs approval', () => {
  it('asks the permission handler first and runs when it says yes', async () => {
    const asked: unknown[] = [];
    const tool = fakeTool('Deploy', () => 'deployed');

    const { results, events } = await play([['Deploy', { to: 'prod' }]], {
      tools: [tool],
      permissionHandler: async (name, args) => {
        asked.push([name, args]);
        return true;
      },
      promptForApproval: () => {
        throw new Error('asked twice');
      },
    });

    expect(asked).toEqual([['Deploy', { to: 'prod' }]]);
    expect(results).toEqual(['deployed']);
    expect(events).toEqual([
      { type: 'start', toolName: 'Deploy', toolArgs: { to: 'prod' }, toolCallId: 'c1' },
      {
        type: 'end',
        toolName: 'Deploy',
        toolArgs: { to: 'prod' },
        toolCallId: 'c1',
        success: true,
        toolResultData: 'deployed',
      },
    ]);
  });

  it('asks at the terminal when there is no handler', async () => {
    const terminals: unknown[] = [];

    const { results, session } = await play(['Deploy'], {
      tools: [fakeTool('Deploy')],
      promptForApproval: async (terminal, name) => {
        terminals.push(typeof terminal.prompt, name);
        return true;
      },
    });

    expect(terminals).toEqual(['function', 'Deploy']);
    expect(results).toEqual(['done']);
    expect(session.getSessionAllowedTools()).toEqual([]);
  });

  it('is denied when nobody can be asked, with a start and an end', async () => {
    const tool = fakeTool('Deploy');

    const { results, events, logger } = await play(['Deploy'], { tools: [tool] });

    expect(tool.received).toEqual([]);
    expect(results[0]).toContain('Permission denied');
    expect(events.map(({ type, toolCallId }) => [type, toolCallId])).toEqual([
      ['start', 'c1'],
      ['end', 'c1'],
    ]);
    expect(events[1]).toMatchObject({
      success: false,
      denied: true,
      errorCode: 'denied',
      reason: expect.stringContaining('Permission denied'),
    });
    expect(logger.names()).toContain('tool_denied');
  });

  it.each<[string, PermissionResult]>([
    ['false', false],
    ['something else', 'yes' as never],
    ['nothing', undefined as never],
    ['an unknown scope', { allow: 'forever', pattern: 'Deploy' } as never],
  ])('is denied when the answer is %s', async (_name, answer) => {
    const tool = fakeTool('Deploy');

    const { results } = await play(['Deploy'], {
      tools: [tool],
      permissionHandler: async () => answer,
    });

    expect(tool.received).toEqual([]);
    expect(results[0]).toContain('Permission denied');
  });

  it('is denied with the words of the person', async () => {
    const { results } = await play(['Deploy'], {
      tools: [fakeTool('Deploy')],
      permissionHandler: async () => ({ deny: 'Run the tests first.' }),
    });

    expect(results).toEqual(['Error: Permission denied. Run the tests first.']);
  });

  it('fails as a result when the handler throws', async () => {
    const { results } = await play(['Deploy'], {
      tools: [fakeTool('Deploy')],
      permissionHandler: () => Promise.reject(new Error('the prompt broke')),
    });

    expect(results).toEqual(['Error: the prompt broke']);
  });

  it('stops waiting for an answer when the run is aborted', async () => {
    const tool = fakeTool('Deploy');
    const events: ToolExecutionEvent[] = [];
    const session = startSession(scriptedProvider(calls({ id: 'c1', name: 'Deploy' })), {
      tools: [tool],
      onToolExecution: (event) => events.push(event),
      permissionHandler: () => {
        session.abort();
        return new Promise(() => {});
      },
    });

    await expect(session.run('Go')).rejects.toMatchObject({ name: 'AbortError' });

    expect(tool.received).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'end', errorCode: 'interrupted', success: false });
    expect(session.getHistory().at(-1)).toMatchObject({ role: 'tool', toolCallId: 'c1' });
  });
});

describe('session grants', () => {
  it('allow the whole tool after allow-session and ask only once', async () => {
    let asked = 0;

    const { results, session } = await play(['Deploy', 'Deploy'], {
      tools: [fakeTool('Deploy')],
      permissionHandler: async () => {
        asked += 1;
        return 'allow-session';
      },
    });

    expect(asked).toBe(1);
    expect(results).toEqual(['done', 'done']);
    expect(session.getSessionAllowedTools()).toEqual(['Deploy']);
    session.clearSessionAllowedTools();
    expect(session.getSessionAllowedTools()).toEqual([]);
  });

  it('allow only what a pattern covers', async () => {
    const asked: unknown[] = [];
    const commands = ['npm test', 'npm run build', 'rm -rf build'];

    const { session } = await play(
      commands.map((command) => ['Bash', { command }] as const),
      {
        tools: [fakeTool('Bash')],
        permissionHandler: async (_name, { command }) => {
          asked.push(command);
          return { allow: 'session', pattern: 'Bash(npm *)' };
        },
      },
    );

    expect(asked).toEqual(['npm test', 'rm -rf build']);
    expect(session.getSessionAllowedTools()).toEqual(['Bash(npm *)']);
  });

  it('hand a pattern for the project to whoever keeps it', async () => {
    const kept: string[] = [];

    await play([['Bash', { command: 'npm test' }]], {
      tools: [fakeTool('Bash')],
      permissionHandler: async () => ({ allow: 'project', pattern: 'Bash(npm test)' }),
      onProjectGrant: (pattern) => kept.push(pattern),
    });

    expect(kept).toEqual(['Bash(npm test)']);
  });

  it('answer the parallel calls that were waiting behind the one that was asked for', async () => {
    let asked = 0;
    const provider = scriptedProvider(
      calls(
        { id: 'c1', name: 'Deploy' },
        { id: 'c2', name: 'Deploy' },
        { id: 'c3', name: 'Deploy' },
      ),
      says('Done.'),
    );
    const session = startSession(provider, {
      tools: [fakeTool('Deploy')],
      permissionHandler: async () => {
        asked += 1;
        return 'allow-session';
      },
    });

    await session.run('Go');

    expect(asked).toBe(1);
  });
});

describe('rules and modes', () => {
  it('let allowed calls run without asking and stop denied ones in every mode', async () => {
    const tool = fakeTool('Bash');

    const { results } = await play(
      [
        ['Bash', { command: 'ls' }],
        ['Bash', { command: 'rm -rf /' }],
      ],
      {
        tools: [tool],
        permissionMode: 'bypassPermissions',
        permissions: { allow: ['Bash(ls)'], deny: ['Bash(rm *)'] },
      },
    );

    expect(tool.received).toEqual([{ command: 'ls' }]);
    expect(results[1]).toMatch(/^Error: Permission denied\. /);
  });

  it('follow a change of the mode at once', async () => {
    const tool = fakeTool('Write', () => 'written');
    const provider = scriptedProvider(
      calls({ id: 'c1', name: 'Write', args: { filePath: 'a.txt' } }),
      says('No.'),
      calls({ id: 'c2', name: 'Write', args: { filePath: 'a.txt' } }),
      says('Yes.'),
    );
    const session = startSession(provider, {
      tools: [tool],
      cwd: temporaryDirectory(),
      permissionMode: 'plan',
    });
    await session.run('Write');
    session.setPermissionMode('acceptEdits');

    await session.run('Write');

    expect(session.getPermissionMode()).toBe('acceptEdits');
    expect(tool.received).toHaveLength(1);
  });

  it('judge what a call really touches, not only what it says', async () => {
    const [directory, outside] = [temporaryDirectory(), temporaryDirectory()];
    writeFileSync(join(outside, 'secret.txt'), 'x');
    symlinkSync(join(outside, 'secret.txt'), join(directory, 'link.txt'));
    const tool = {
      ...fakeTool('Read'),
      touches: async () => [{ kind: 'read' as const, target: join(outside, 'secret.txt') }],
    };

    const { results } = await play([['Read', { filePath: join(directory, 'link.txt') }]], {
      tools: [tool],
      cwd: directory,
      permissions: { deny: [`Read(/${join(outside, '**')})`] },
    });

    expect(results[0]).toContain('Permission denied');
  });

  it('take the mode from the trust level when none is given', () => {
    const mode = (defaultTrustLevel: 'safe' | 'moderate' | 'full') =>
      startSession(scriptedProvider(), { defaultTrustLevel }).getPermissionMode();

    expect([mode('safe'), mode('moderate'), mode('full')]).toEqual([
      'plan',
      'default',
      'acceptEdits',
    ]);
    expect(startSession(scriptedProvider()).getPermissionMode()).toBe('default');
  });

  it('refuse a mode that does not exist', () => {
    const session = startSession(scriptedProvider());

    expect(() => session.setPermissionMode('yolo' as never)).toThrow(
      'Invalid permission mode "yolo". Valid: plan | default | acceptEdits | bypassPermissions',
    );
    expect(() => startSession(scriptedProvider(), { permissionMode: 'yolo' as never })).toThrow(
      TypeError,
    );
  });
});

describe('PreToolUse hooks', () => {
  it('block a call, which still starts and ends', async () => {
    const tool = fakeTool('Deploy');

    const { results, events, logger } = await play(['Deploy'], {
      tools: [tool],
      permissionMode: 'bypassPermissions',
      hooks: hook('PreToolUse', () => ({ exitCode: 2, stderr: 'not on Fridays' })),
    });

    expect(tool.received).toEqual([]);
    expect(results).toEqual(['Error: Blocked by hook: not on Fridays']);
    expect(events).toMatchObject([
      { type: 'start', toolCallId: 'c1' },
      { type: 'end', toolCallId: 'c1', success: false, denied: true, errorCode: 'blocked' },
    ]);
    expect(logger.names()).toContain('tool_blocked');
  });

  it('deny by decision', async () => {
    const { results } = await play(['Deploy'], {
      tools: [fakeTool('Deploy')],
      permissionMode: 'bypassPermissions',
      hooks: hook(
        'PreToolUse',
        hookJson({
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'deny',
            permissionDecisionReason: 'not now',
          },
        }),
      ),
    });

    expect(results).toEqual(['Error: Blocked by hook: not now']);
  });

  it('allow without asking, except against a deny rule', async () => {
    const tool = fakeTool('Bash');
    const allow = hookJson({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    });

    const { results } = await play(
      [
        ['Bash', { command: 'make' }],
        ['Bash', { command: 'rm x' }],
      ],
      { tools: [tool], hooks: hook('PreToolUse', allow), permissions: { deny: ['Bash(rm *)'] } },
    );

    expect(results[0]).toBe('done');
    expect(results[1]).toContain('Permission denied');
  });

  it('make a person decide about what would run by itself', async () => {
    const asked: string[] = [];
    const ask = hookJson({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' },
    });

    await play(['Look'], {
      tools: [fakeTool('Look')],
      permissionMode: 'bypassPermissions',
      hooks: hook('PreToolUse', ask),
      permissionHandler: async (name) => {
        asked.push(name);
        return true;
      },
    });

    expect(asked).toEqual(['Look']);
  });

  it('change the input, and the changed input is what is judged, shown and run', async () => {
    const tool = fakeTool('Bash');
    const update = hookJson({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        updatedInput: { command: 'ls -l' },
      },
    });

    const { events } = await play([['Bash', { command: 'ls' }]], {
      tools: [tool],
      permissions: { allow: ['Bash(ls -l)'] },
      hooks: hook('PreToolUse', update),
    });

    expect(tool.received).toMatchObject([{ command: 'ls -l' }]);
    expect(events[1]).toMatchObject({ success: true, toolArgs: { command: 'ls -l' } });
  });

  it('stop the whole run', async () => {
    const provider = scriptedProvider(calls({ id: 'c1', name: 'Deploy' }));
    const session = startSession(provider, {
      tools: [fakeTool('Deploy')],
      permissionMode: 'bypassPermissions',
      hooks: hook('PreToolUse', hookJson({ continue: false, stopReason: 'enough' })),
    });

    await expect(session.run('Go')).rejects.toThrow('Stopped by hook: enough');

    expect(session.getHistory().filter(({ role }) => role === 'assistant')).toHaveLength(1);
    expect(session.getHistory().at(-1)).toMatchObject({
      role: 'tool',
      content: 'Error: Blocked by hook: enough',
    });
  });

  it('end a run that was stopped after some words as stopped, not as answered', async () => {
    const call = calls({ id: 'c1', name: 'Deploy' }) as MessageReply;
    const message = { ...call.message, content: 'I deploy.' };
    const provider = scriptedProvider({ ...call, message });
    const session = startSession(provider, {
      tools: [fakeTool('Deploy')],
      permissionMode: 'bypassPermissions',
      hooks: hook('PostToolUse', hookJson({ continue: false, stopReason: 'enough' })),
    });

    await expect(session.run('Go')).rejects.toMatchObject({
      message: 'Stopped by hook: enough',
      code: 'hook_stopped',
    });
    expect(session.getLastTurn()).toEqual({
      status: 'failed',
      endedBy: 'hook_stopped',
      message: 'Stopped by hook: enough',
    });
  });

  it('tell people when they fail, and the call goes on', async () => {
    const notices: string[] = [];

    const { results } = await play(['Deploy'], {
      tools: [fakeTool('Deploy')],
      permissionMode: 'bypassPermissions',
      hooks: hook('PreToolUse', () => ({ exitCode: 1, stderr: 'broken hook' })),
      onNotice: ({ message }) => notices.push(message),
    });

    expect(results).toEqual(['done']);
    expect(notices).toEqual([expect.stringContaining('broken hook')]);
  });
});

describe('PostToolUse hooks', () => {
  it('hear the result and add feedback to it', async () => {
    const heard: unknown[] = [];

    const { results } = await play([['Deploy', { to: 'prod' }]], {
      tools: [fakeTool('Deploy', () => 'deployed')],
      permissionMode: 'bypassPermissions',
      hooks: hook('PostToolUse', (input) => {
        heard.push([input.tool_name, input.tool_use_id, input.tool_output]);
        return { exitCode: 2, stderr: 'now run the checks' };
      }),
    });

    expect(heard).toEqual([['Deploy', 'c1', 'deployed']]);
    expect(results[0]).toContain('deployed');
    expect(results[0]).toContain('now run the checks');
  });

  it('keep a JSON result JSON', async () => {
    const { results } = await play(['Deploy'], {
      tools: [fakeTool('Deploy', () => '{"success":true,"output":"x"}')],
      permissionMode: 'bypassPermissions',
      hooks: hook('PostToolUse', () => ({ exitCode: 2, stderr: 'check it' })),
    });

    expect(JSON.parse(String(results[0]))).toEqual({
      success: true,
      output: 'x',
      hookFeedback: 'check it',
    });
  });
});

describe('what a tool returns', () => {
  it('is a result with the message when the tool throws', async () => {
    const { results, events } = await play(['Deploy'], {
      tools: [
        fakeTool('Deploy', () => {
          throw new Error('no network');
        }),
      ],
      permissionMode: 'bypassPermissions',
    });

    expect(results).toEqual(['Error: no network']);
    expect(events[1]).toMatchObject({ type: 'end', success: false, reason: 'no network' });
  });

  it('is cut in the middle when it is too long', async () => {
    const { results, events, logger } = await play(['Read'], {
      tools: [fakeTool('Read', () => `start${'x'.repeat(50_000)}end`)],
      permissionMode: 'bypassPermissions',
    });

    expect(results[0]).toMatch(
      /^start.*\n\n\[\.\.\. output truncated: 50008 chars total, showing first and last 15,000 chars \.\.\.\]\n\n.*end$/s,
    );
    expect(results[0]?.length).toBeLessThan(30_200);
    expect(events[1]).toMatchObject({ toolResultData: results[0] });
    expect(logger.all('tool_result')).toMatchObject([{ dataChars: 50_008, truncated: true }]);
  });

  it('stays valid JSON when it was JSON', async () => {
    const outcome: ToolOutcome = {
      success: true,
      data: JSON.stringify({ success: true, output: 'y"\n'.repeat(20_000), exitCode: 0 }),
    };

    const { results } = await play(['Bash'], {
      tools: [fakeTool('Bash', () => outcome)],
      permissionMode: 'bypassPermissions',
    });

    expect(results[0]?.length).toBeLessThan(31_000);
    expect(JSON.parse(String(results[0]))).toMatchObject({
      success: true,
      exitCode: 0,
      output: expect.stringContaining('output truncated: 60000 chars total'),
    });
  });

  it('stays valid JSON when it holds many small values', async () => {
    const data = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => `v${index}`));

    const { results } = await play(['List'], {
      tools: [fakeTool('List', () => data)],
      permissionMode: 'bypassPermissions',
    });

    expect(JSON.parse(String(results[0]))).toMatchObject({ truncated: true });
    expect(results[0]?.length).toBeLessThan(31_000);
  });
});

describe('calls that never reach a tool', () => {
  it('start and end once for a tool that does not exist', async () => {
    const { events } = await play([['Fly', { to: 'moon' }]], { tools: [fakeTool('Walk')] });

    expect(events).toMatchObject([
      { type: 'start', toolName: 'Fly', toolArgs: { to: 'moon' }, toolCallId: 'c1' },
      {
        type: 'end',
        toolName: 'Fly',
        toolCallId: 'c1',
        success: false,
        errorCode: 'unknown_tool',
        reason: expect.stringContaining('"Fly" is not registered'),
      },
    ]);
    expect(
      JSON.parse(String((events[1] as { toolResultData: string }).toolResultData)),
    ).toMatchObject({
      success: false,
      errorCode: 'unknown_tool',
      requestedTool: 'Fly',
      availableTools: ['Walk'],
    });
  });

  it('start and end once for arguments that do not parse', async () => {
    const events: ToolExecutionEvent[] = [];
    const provider = scriptedProvider(
      calls({ id: 'c1', name: 'Walk', args: '{"to":' }),
      says('Oh.'),
    );
    const session = startSession(provider, {
      tools: [fakeTool('Walk')],
      onToolExecution: (event) => events.push(event),
    });

    await session.run('Go');

    expect(events.map(({ type }) => type)).toEqual(['start', 'end']);
    expect(events[1]).toMatchObject({ errorCode: 'invalid_arguments' });
  });
});

it('keeps its promise when the surface that shows calls fails', async () => {
  const { results } = await play(['Walk'], {
    tools: [fakeTool('Walk')],
    permissionMode: 'bypassPermissions',
    onToolExecution: () => {
      throw new Error('the screen is gone');
    },
  });

  expect(results).toEqual(['done']);
});

it('passes through what a tool can do beside being executed', async () => {
  class Strict {
    readonly #word = 'please';
    readonly schema = fakeTool('Ask').schema;
    async execute(): Promise<ToolOutcome> {
      return { success: true, data: this.#word };
    }
    validateParameters(parameters: Readonly<Record<string, unknown>>) {
      const isValid = parameters.word === this.#word;
      return { isValid, errors: isValid ? [] : ['say please'] };
    }
  }

  const { results } = await play(['Ask', ['Ask', { word: 'please' }]], {
    tools: [new Strict()],
    permissionMode: 'bypassPermissions',
  });

  expect(results[0]).toContain('say please');
  expect(results[1]).toBe('please');
});

describe('the enforcer by itself', () => {
  it('checks a permission by rule, by grant and by asking', async () => {
    const asked: string[] = [];
    const enforcer = new PermissionEnforcer({
      terminal: quietTerminal,
      getPermissions: () => ({ allow: ['Bash(ls)'], deny: ['Bash(rm *)'] }),
      permissionHandler: async (name) => {
        asked.push(name);
        return 'allow-session';
      },
    });

    const answers = [
      await enforcer.checkPermission('Bash', { command: 'ls' }),
      await enforcer.checkPermission('Bash', { command: 'rm x' }),
      await enforcer.checkPermission('Deploy', {}),
      await enforcer.checkPermission('Deploy', {}),
    ];

    expect(answers).toEqual([true, false, true, true]);
    expect(asked).toEqual(['Deploy']);
  });

  it('denies what nobody can approve', async () => {
    const enforcer = new PermissionEnforcer({ terminal: quietTerminal });

    expect(await enforcer.checkPermission('Deploy', {})).toBe(false);
  });

  it('wraps tools that keep their schema', async () => {
    const enforcer = new PermissionEnforcer({
      terminal: quietTerminal,
      getPermissionMode: () => 'bypassPermissions',
    });
    const tool = fakeTool('Look', () => 'seen');
    const context = {
      toolName: 'Look',
      parameters: {},
      executionId: 'c1',
      signal: new AbortController().signal,
    };

    const [wrapped] = enforcer.wrapTools([tool]);

    expect(wrapped?.schema).toBe(tool.schema);
    expect(await wrapped?.execute({}, context)).toEqual({ success: true, data: 'seen' });
  });
});
