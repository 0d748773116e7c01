import { HOOK_EVENTS, type HookEvent, type HookInput, runHooks } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { hooksFor, inputFor, prints } from './hook-runs.ts';

const ABOUT_TOOLS: Partial<HookInput> = {
  tool_name: 'Edit',
  tool_input: { filePath: '/p/a', oldString: 'a', newString: 'b', replaceAll: true },
};

function factsOf(event: HookEvent): Partial<HookInput> {
  return event === 'PreToolUse' || event === 'PostToolUse' ? ABOUT_TOOLS : {};
}

function run(event: HookEvent, command: string) {
  const config = hooksFor(event, { type: 'command', command });
  return runHooks(config, event, inputFor(event, factsOf(event)));
}

describe.each(HOOK_EVENTS)('a real process at %s', (event) => {
  it('is told the event on its input', async () => {
    const { stdout } = await run(event, 'printf "told "; cat');

    expect(JSON.parse((stdout ?? '').slice('told '.length))).toMatchObject({
      session_id: 's1',
      hook_event_name: event,
    });
  });

  it('passes with 0, blocks with 2 and fails with anything else', async () => {
    const outcomes = await Promise.all([
      run(event, 'echo fine'),
      run(event, 'echo no >&2; exit 2'),
      run(event, 'echo odd >&2; exit 7'),
    ]);

    expect(outcomes).toEqual([
      { blocked: false, stdout: 'fine', failures: [] },
      { blocked: true, reason: 'no', failures: [] },
      { blocked: false, failures: [{ hook: expect.any(String), reason: 'odd' }] },
    ]);
  });

  it('may answer in JSON', async () => {
    const answer = async (output: object) => {
      const hook = prints(output);
      return runHooks(hooksFor(event, hook), event, inputFor(event, factsOf(event)));
    };

    expect(
      await Promise.all([
        answer({ decision: 'block', reason: 'no' }),
        answer({ continue: false, stopReason: 'enough' }),
        answer({
          systemMessage: 'for people',
          hookSpecificOutput: { hookEventName: event, additionalContext: 'for the model' },
        }),
        answer({ hookSpecificOutput: { hookEventName: 'Elsewhere' } }),
      ]),
    ).toEqual([
      { blocked: true, reason: 'no', failures: [] },
      { blocked: true, reason: 'enough', stop: { reason: 'enough' }, failures: [] },
      {
        blocked: false,
        systemMessage: 'for people',
        additionalContext: 'for the model',
        failures: [],
      },
      { blocked: false, failures: [{ hook: expect.any(String), reason: expect.any(String) }] },
    ]);
  });
});

describe.each(['PreToolUse', 'PostToolUse'] as const)('at %s', (event) => {
  it('a process is told the input in both spellings', async () => {
    const { stdout } = await run(event, 'printf "told "; cat');

    expect(JSON.parse((stdout ?? '').slice('told '.length)).tool_input).toEqual({
      filePath: '/p/a',
      file_path: '/p/a',
      oldString: 'a',
      old_string: 'a',
      newString: 'b',
      new_string: 'b',
      replaceAll: true,
      replace_all: true,
    });
  });
});
