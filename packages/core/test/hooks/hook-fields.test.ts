import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type HookDefinition,
  type HookFailure,
  type HooksConfig,
  type HookTypeExecutor,
  runHooks,
} from '@robota-sdk/agent-core';
import { describe, expect, it, vi } from 'vitest';
import { hooksFor, inputFor, makeDirectory } from './hook-runs.ts';

const directory = makeDirectory();
const blocks: HookDefinition = { type: 'command', command: 'exit 2' };

function bash(command: string) {
  return inputFor('PreToolUse', { tool_name: 'Bash', tool_input: { command }, cwd: directory });
}

describe('if', () => {
  it.each([
    ['Bash(git push *)', bash('git push origin'), true],
    ['Bash(git push *)', bash('cd lib && git push origin main'), true],
    ['Bash(git push *)', bash('git status'), false],
    ['Bash', bash('ls'), true],
    ['Edit(*.ts)', bash('ls'), false],
    [
      'Edit(*.ts)',
      inputFor('PreToolUse', {
        tool_name: 'Edit',
        tool_input: { filePath: join(directory, 'a.ts') },
        cwd: directory,
      }),
      true,
    ],
  ])('%s decides whether the hook runs', async (rule, input, runs) => {
    const config = hooksFor('PreToolUse', { ...blocks, if: rule });

    expect((await runHooks(config, 'PreToolUse', input)).blocked).toBe(runs);
  });

  it('keeps a hook from events that have no call', async () => {
    const config = hooksFor('UserPromptSubmit', { ...blocks, if: 'Bash' });

    const outcome = await runHooks(config, 'UserPromptSubmit', inputFor('UserPromptSubmit'));

    expect(outcome.blocked).toBe(false);
  });
});

it('args start a program without a shell', async () => {
  const script = join(directory, 'two words.mjs');
  writeFileSync(script, 'console.log(process.argv.slice(2).join("|"));');
  const hook = {
    type: 'command',
    command: process.execPath,
    args: [script, '$HOME', 'a b'],
  } as const;

  const outcome = await runHooks(
    hooksFor('SessionStart', hook),
    'SessionStart',
    inputFor('SessionStart'),
  );

  expect(outcome).toEqual({ blocked: false, stdout: '$HOME|a b', failures: [] });
});

describe('async', () => {
  it('starts a hook and does not wait for it, and its answer changes nothing', async () => {
    const mark = join(directory, 'async-mark');
    const gate = join(directory, 'async-gate');
    const command = `while [ ! -e ${gate} ]; do sleep 0.02; done; echo done > ${mark}; exit 2`;
    const config = hooksFor('PreToolUse', { type: 'command', command, async: true });

    const outcome = await runHooks(config, 'PreToolUse', bash('ls'));

    expect([outcome, existsSync(mark)]).toEqual([{ blocked: false, failures: [] }, false]);
    writeFileSync(gate, '');
    await vi.waitFor(() => expect(readFileSync(mark, 'utf8')).toBe('done\n'), 10_000);
  });

  it('tells of a failure when it comes', async () => {
    const config = hooksFor('Stop', {
      type: 'command',
      command: 'echo no >&2; exit 3',
      async: true,
    });

    const failure = await new Promise<HookFailure>((resolve) => {
      void runHooks(config, 'Stop', inputFor('Stop'), { onBackgroundFailure: resolve });
    });

    expect(failure).toMatchObject({ reason: 'no' });
  });
});

it('once runs a hook once for each set of spent hooks', async () => {
  const config = hooksFor('PreToolUse', { ...blocks, once: true });
  const spent = new Set<HookDefinition>();
  const run = () => runHooks(config, 'PreToolUse', bash('ls'), { spent });

  const answers = [await run(), await run()];

  expect(answers.map(({ blocked }) => blocked)).toEqual([true, false]);
});

it('once holds for calls that run side by side, also where a rule has to be read first', async () => {
  const config = hooksFor('PreToolUse', { ...blocks, once: true, if: 'Bash(ls)' });
  const spent = new Set<HookDefinition>();
  const run = () => runHooks(config, 'PreToolUse', bash('ls'), { spent });

  const answers = await Promise.all([run(), run(), run()]);

  expect(answers.filter(({ blocked }) => blocked)).toHaveLength(1);
});

describe('executors given in code', () => {
  function executor(execute: HookTypeExecutor['execute']): HookTypeExecutor {
    return { type: 'audit', execute };
  }
  const audit = hooksFor('PreToolUse', { type: 'audit', level: 1 } as unknown as HookDefinition);

  it('run types of their own, without a timeout too', async () => {
    const seen: unknown[] = [];
    const answering = executor(async (definition) => {
      seen.push(definition);
      return { exitCode: 2, stderr: 'audited' };
    });

    const outcome = await runHooks(audit, 'PreToolUse', bash('ls'), [answering]);

    expect(outcome).toMatchObject({ blocked: true, reason: 'audited' });
    expect(seen).toEqual([{ type: 'audit', level: 1 }]);
  });

  it.each([
    ['reject', executor(() => Promise.reject(new Error('broken')))],
    [
      'throw',
      executor(() => {
        throw new Error('broken');
      }),
    ],
  ])('that %s are failures of the hook', async (_how, failing) => {
    const outcome = await runHooks(audit, 'PreToolUse', bash('ls'), [failing]);

    expect(outcome).toEqual({
      blocked: false,
      failures: [{ hook: 'audit hook', reason: 'broken' }],
    });
  });

  it('that answer nothing are failures of the hook', async () => {
    const silent = executor(() => Promise.resolve(undefined as never));

    const outcome = await runHooks(audit, 'PreToolUse', bash('ls'), [silent]);

    expect(outcome.failures).toMatchObject([{ reason: expect.stringContaining('exit code') }]);
  });

  it('are missed without stopping anything', async () => {
    const outcome = await runHooks(audit, 'PreToolUse', bash('ls'));

    expect(outcome).toMatchObject({ blocked: false, failures: [{ hook: expect.any(String) }] });
  });
});

describe('hooks given in code', () => {
  it.each([
    ['no object', 'x'],
    ['an event that is no list', { PreToolUse: blocks }],
    ['a group without hooks', { PreToolUse: [{ matcher: 'Bash' }] }],
    ['a command without a command', { PreToolUse: [{ hooks: [{ type: 'command' }] }] }],
    ['null', { PreToolUse: [null] }],
  ])('are checked, and what is wrong is a failure, not an exception: %s', async (_what, config) => {
    const outcome = await runHooks(config as unknown as HooksConfig, 'PreToolUse', bash('ls'));

    expect(outcome.blocked).toBe(false);
    expect(outcome.failures).toHaveLength(1);
  });

  it('with one broken entry run the others', async () => {
    const config = { PreToolUse: [{ hooks: [{ type: 'command' }, blocks] }] } as unknown;

    const outcome = await runHooks(config as HooksConfig, 'PreToolUse', bash('ls'));

    expect(outcome).toMatchObject({ blocked: true, failures: [{ hook: expect.any(String) }] });
  });
});
