import { type HookInput, type HookTypeExecutor, runHooks } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { hooksFor, inputFor, prints } from './hook-runs.ts';

const pre = inputFor('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } });

function answer(specific: object) {
  return prints({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } });
}

describe('exit codes', () => {
  it('0 passes and hands plain output on, joined in order', async () => {
    const config = hooksFor(
      'UserPromptSubmit',
      { type: 'command', command: 'echo one' },
      { type: 'command', command: 'echo two' },
    );

    expect(await runHooks(config, 'UserPromptSubmit', inputFor('UserPromptSubmit'))).toEqual({
      blocked: false,
      stdout: 'one\ntwo',
      failures: [],
    });
  });

  it('2 blocks with the text on stderr and ends the row', async () => {
    const config = hooksFor(
      'PreToolUse',
      { type: 'command', command: 'echo no >&2; exit 2' },
      { type: 'command', command: 'echo never' },
    );

    expect(await runHooks(config, 'PreToolUse', pre)).toEqual({
      blocked: true,
      reason: 'no',
      failures: [],
    });
  });

  it('2 without text still gives a reason', async () => {
    const outcome = await runHooks(
      hooksFor('PreToolUse', { type: 'command', command: 'exit 2' }),
      'PreToolUse',
      pre,
    );

    expect(outcome).toEqual({ blocked: true, reason: 'Blocked by hook', failures: [] });
  });

  it('2 does not keep later hooks from an event that nothing can block', async () => {
    const config = hooksFor(
      'SessionEnd',
      { type: 'command', command: 'exit 2' },
      { type: 'command', command: 'echo cleaned' },
    );

    expect(await runHooks(config, 'SessionEnd', inputFor('SessionEnd'))).toEqual({
      blocked: true,
      reason: 'Blocked by hook',
      stdout: 'cleaned',
      failures: [],
    });
  });

  it('anything else is a visible failure, and the next hook still runs', async () => {
    const config = hooksFor(
      'PreToolUse',
      { type: 'command', command: 'echo oops >&2; exit 3' },
      { type: 'command', command: 'echo next' },
    );

    expect(await runHooks(config, 'PreToolUse', pre)).toEqual({
      blocked: false,
      stdout: 'next',
      failures: [{ hook: 'command hook echo oops >&2; exit 3', reason: 'oops' }],
    });
  });

  it('a required hook that fails blocks', async () => {
    const outcome = await runHooks(
      hooksFor('PreToolUse', { type: 'command', command: 'exit 7', required: true }),
      'PreToolUse',
      pre,
    );

    expect(outcome).toEqual({
      blocked: true,
      reason: 'Required command hook exit 7 failed: ended with exit code 7',
      failures: [{ hook: 'command hook exit 7', reason: 'ended with exit code 7' }],
    });
  });
});

describe('JSON answers', () => {
  it('honours a permission decision with its reason and a changed input', async () => {
    const config = hooksFor(
      'PreToolUse',
      answer({
        permissionDecision: 'ask',
        permissionDecisionReason: 'sure?',
        updatedInput: { command: 'ls -a' },
      }),
    );

    expect(await runHooks(config, 'PreToolUse', pre)).toEqual({
      blocked: false,
      permissionDecision: 'ask',
      permissionDecisionReason: 'sure?',
      updatedInput: { command: 'ls -a' },
      failures: [],
    });
  });

  it('lets the strictest decision win, whatever the order', async () => {
    const decide = async (...decisions: string[]) => {
      const config = hooksFor(
        'PreToolUse',
        ...decisions.map((permissionDecision) => answer({ permissionDecision })),
      );
      const { permissionDecision, blocked } = await runHooks(config, 'PreToolUse', pre);
      return [permissionDecision, blocked];
    };

    expect([
      await decide('allow', 'ask'),
      await decide('ask', 'allow'),
      await decide('defer', 'ask', 'allow'),
      await decide('allow', 'deny'),
    ]).toEqual([
      ['ask', false],
      ['ask', false],
      ['defer', false],
      ['deny', true],
    ]);
  });

  it('reads the older decision field', async () => {
    const block = await runHooks(
      hooksFor('PreToolUse', prints({ decision: 'block', reason: 'old' })),
      'PreToolUse',
      pre,
    );
    const approve = await runHooks(
      hooksFor('PreToolUse', prints({ decision: 'approve' })),
      'PreToolUse',
      pre,
    );

    expect([block, approve]).toEqual([
      { blocked: true, reason: 'old', failures: [] },
      { blocked: false, permissionDecision: 'allow', failures: [] },
    ]);
  });

  it('stops the run on continue: false', async () => {
    const outcome = await runHooks(
      hooksFor('PreToolUse', prints({ continue: false, stopReason: 'enough' })),
      'PreToolUse',
      pre,
    );

    expect(outcome).toEqual({
      blocked: true,
      reason: 'enough',
      stop: { reason: 'enough' },
      failures: [],
    });
  });

  it('collects context, messages and a replaced output', async () => {
    const config = hooksFor(
      'PostToolUse',
      prints({ systemMessage: 'm1', hookSpecificOutput: { additionalContext: 'c1' } }),
      prints({
        systemMessage: 'm2',
        hookSpecificOutput: { additionalContext: 'c2', updatedToolOutput: 'new' },
      }),
    );

    expect(
      await runHooks(config, 'PostToolUse', inputFor('PostToolUse', { tool_name: 'Read' })),
    ).toEqual({
      blocked: false,
      additionalContext: 'c1\nc2',
      systemMessage: 'm1\nm2',
      updatedOutput: 'new',
      failures: [],
    });
  });

  it.each([
    [
      'text that is not JSON',
      '{ broken',
      'printed text that starts like JSON but is not valid JSON',
    ],
    ['a field of the wrong kind', '{"continue":"no"}', 'continue is not a boolean'],
    [
      'an unknown decision',
      '{"hookSpecificOutput":{"permissionDecision":"maybe"}}',
      'permissionDecision is not one of allow, deny, ask, defer',
    ],
    [
      'an answer for another event',
      '{"hookSpecificOutput":{"hookEventName":"Stop"}}',
      'hookSpecificOutput is for Stop, but the event is PreToolUse',
    ],
    [
      'an input that is no object',
      '{"hookSpecificOutput":{"updatedInput":[]}}',
      'updatedInput is not an object',
    ],
  ])('reports %s and blocks when the hook is required', async (_name, text, reason) => {
    const command = `printf '%s' '${text}'`;
    const run = (required: boolean) =>
      runHooks(hooksFor('PreToolUse', { type: 'command', command, required }), 'PreToolUse', pre);

    const [loose, strict] = [await run(false), await run(true)];

    expect([loose.blocked, loose.failures.map((each) => each.reason), strict.blocked]).toEqual([
      false,
      [reason],
      true,
    ]);
  });

  it('answers in our spelling and tells the next hook about a changed input in both', async () => {
    const heard: HookInput[] = [];
    const listen = (input: HookInput) => {
      heard.push(input);
      return { exitCode: 0 };
    };
    const config = hooksFor(
      'PreToolUse',
      answer({ updatedInput: { file_path: 'b', content: 'x' } }),
      { type: 'function', run: listen },
    );
    const input = inputFor('PreToolUse', {
      tool_name: 'Write',
      tool_input: { filePath: 'a', file_path: 'a', content: 'x' },
    });

    const outcome = await runHooks(config, 'PreToolUse', input);

    expect([outcome.updatedInput, heard[0]?.tool_input]).toEqual([
      { filePath: 'b', content: 'x' },
      { filePath: 'b', file_path: 'b', content: 'x' },
    ]);
  });

  it('follows the one spelling that a hook changed when it hands both back', async () => {
    const tool_input = { filePath: 'a', file_path: 'a', content: 'x' };
    const run = async (updatedInput: object) =>
      (
        await runHooks(
          hooksFor('PreToolUse', answer({ updatedInput })),
          'PreToolUse',
          inputFor('PreToolUse', { tool_name: 'Write', tool_input }),
        )
      ).updatedInput;

    expect([
      await run({ ...tool_input, file_path: 'b' }),
      await run({ ...tool_input, filePath: 'c' }),
    ]).toEqual([
      { filePath: 'b', content: 'x' },
      { filePath: 'c', content: 'x' },
    ]);
  });
});

describe('executors', () => {
  const promptHook = { type: 'prompt', prompt: 'Is this fine?' } as const;

  it('reports a hook type that nobody can run', async () => {
    const outcome = await runHooks(hooksFor('Stop', promptHook), 'Stop', inputFor('Stop'));

    expect(outcome.failures).toEqual([
      { hook: 'prompt hook Is this fine?', reason: 'no executor is registered for prompt hooks' },
    ]);
  });

  it('join the built-in ones instead of replacing them', async () => {
    const prompt: HookTypeExecutor = {
      type: 'prompt',
      execute: async () => ({ exitCode: 0, stdout: 'asked' }),
    };
    const config = hooksFor('Stop', { type: 'command', command: 'echo ran' }, promptHook);

    const both = [
      await runHooks(config, 'Stop', inputFor('Stop'), [prompt]),
      await runHooks(config, 'Stop', inputFor('Stop'), { executors: [prompt] }),
    ];

    expect(both.map((outcome) => outcome.stdout)).toEqual(['ran\nasked', 'ran\nasked']);
  });

  it('that reject or ignore their time limit are failures, not hangs', async () => {
    const rejecting: HookTypeExecutor = {
      type: 'prompt',
      execute: () => Promise.reject(new Error('lost')),
    };
    const hanging: HookTypeExecutor = {
      type: 'prompt',
      execute: () => new Promise(() => undefined),
    };
    const run = (executor: HookTypeExecutor) =>
      runHooks(
        hooksFor('Stop', { ...promptHook, timeout: 0.05, required: true }),
        'Stop',
        inputFor('Stop'),
        [executor],
      );

    const outcomes = [await run(rejecting), await run(hanging)];

    expect(outcomes.map(({ blocked, failures }) => [blocked, failures[0]?.reason])).toEqual([
      [true, 'lost'],
      [true, 'timed out after 0.05 s'],
    ]);
  });

  it('call functions given in code', async () => {
    const config = hooksFor(
      'PreToolUse',
      { type: 'function', run: (input) => ({ exitCode: 0, stdout: `saw ${input.tool_name}` }) },
      {
        type: 'function',
        run: () => {
          throw new Error('bug');
        },
      },
    );

    expect(await runHooks(config, 'PreToolUse', pre)).toEqual({
      blocked: false,
      stdout: 'saw Bash',
      failures: [{ hook: 'function hook run', reason: 'bug' }],
    });
  });

  it('are not started for an event without hooks', async () => {
    expect([
      await runHooks(undefined, 'Stop', inputFor('Stop')),
      await runHooks({}, 'Stop', inputFor('Stop')),
    ]).toEqual([
      { blocked: false, failures: [] },
      { blocked: false, failures: [] },
    ]);
  });
});
