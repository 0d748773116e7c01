import { type HookEvent, type HookInput, runHooks } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { inputFor } from './hook-runs.ts';

async function fires(
  matcher: string | undefined,
  event: HookEvent,
  input: Partial<HookInput>,
): Promise<boolean> {
  const hooks = [{ type: 'function', run: () => ({ exitCode: 0, stdout: 'fired' }) } as const];
  const group = matcher === undefined ? { hooks } : { matcher, hooks };
  const outcome = await runHooks({ [event]: [group] }, event, inputFor(event, input));
  return outcome.stdout === 'fired';
}

describe('a matcher', () => {
  it.each([
    [undefined, 'Bash', true],
    ['', 'Bash', true],
    ['*', 'Bash', true],
    ['Bash', 'Bash', true],
    ['bash', 'Bash', false],
    ['Edit', 'NotebookEdit', false],
    ['Edit|Write', 'Write', true],
    ['Edit|Write', 'MultiEdit', false],
    ['mcp__.*', 'mcp__github__x', true],
    ['^mcp__', 'mcp__github__x', true],
    ['Notebook.*', 'NotebookEdit', true],
    ['mcp__github__create-issue', 'mcp__github__create-issue', true],
    ['[broken', '[broken', true],
    ['[broken', 'Bash', false],
  ])('%j on the tool %s: %s', async (matcher, tool_name, expected) => {
    expect(await fires(matcher, 'PreToolUse', { tool_name })).toBe(expected);
  });

  it.each([
    ['SubagentStop', 'reviewer', { agent_type: 'reviewer' }, true],
    ['SubagentStart', 'writer', { agent_type: 'reviewer' }, false],
    ['SessionEnd', 'clear', { reason: 'clear' }, true],
    ['SessionEnd', 'clear', { reason: 'other' }, false],
    ['SessionStart', 'startup|resume', { source: 'resume' }, true],
    ['PreCompact', 'manual', { trigger: 'auto' }, false],
    ['PostCompact', 'auto', { trigger: 'auto' }, true],
    ['Stop', 'anything', {}, true],
    ['UserPromptSubmit', 'anything', { prompt: 'x' }, true],
    ['PreToolUse', 'Bash', {}, false],
  ] as const)(
    'of %s is compared with what the event is about: %j',
    async (event, matcher, input, expected) => {
      expect(await fires(matcher, event, input)).toBe(expected);
    },
  );
});
