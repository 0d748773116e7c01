import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callsTool, says, saysAndCalls, startModelServer } from './support/model-server.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const anthropic = (url: string) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url });

function settings(value: object): void {
  const folder = join(place.home, '.robota');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(value));
}

/** A hook that prints one answer as JSON. */
function hookOn(event: string, answer: object): object {
  writeFileSync(join(place.home, 'answer.json'), JSON.stringify(answer));
  const command = `cat '${join(place.home, 'answer.json')}'`;
  return { hooks: { [event]: [{ matcher: '', hooks: [{ type: 'command', command }] }] } };
}

const LIST = { name: 'Bash', input: { command: 'ls' } } as const;

describe('a hook that answers continue: false', () => {
  const stops = { continue: false, stopReason: 'the budget of today is used up' };

  it.each(['PreToolUse', 'PostToolUse'])(
    'on %s ends the run with 1, says why, and asks the model nothing more',
    async (event) => {
      settings(hookOn(event, stops));
      await using server = await startModelServer(
        saysAndCalls('I look.', LIST.name, LIST.input),
        says('never asked'),
      );

      const result = await runRobota(place, ['-p', 'go'], { env: anthropic(server.url) });

      expect(result).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(
          'robota: Stopped by hook: the budget of today is used up [hook_stopped]',
        ),
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('is told in the result of json', async () => {
    settings(hookOn('PreToolUse', stops));
    await using server = await startModelServer(saysAndCalls('I look.', LIST.name, LIST.input));

    const args = ['-p', 'go', '--output-format', 'json'];
    const { code, stdout } = await runRobota(place, args, { env: anthropic(server.url) });

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      subtype: 'error',
      is_error: true,
      result: 'Stopped by hook: the budget of today is used up',
      stop_reason: 'hook_stopped',
      ended_by: 'hook_stopped',
      error_code: 'hook_stopped',
    });
  });

  it('on Stop leaves the whole answer as it is and says why it stopped there', async () => {
    settings(hookOn('Stop', { ...stops, decision: 'block', reason: 'go on' }));
    await using server = await startModelServer(says('All of it.'), says('never asked'));

    const result = await runRobota(place, ['-p', 'go'], { env: anthropic(server.url) });

    expect(result).toMatchObject({ code: 0, stdout: 'All of it.\n' });
    expect(result.stderr).toContain('the budget of today is used up');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a model of the settings that the provider does not have', () => {
  it('is passed over, and that is told', async () => {
    settings({ model: 'gpt-5' });
    await using server = await startModelServer(says('Hello.'));

    const result = await runRobota(place, ['-p', 'hi'], { env: anthropic(server.url) });

    const model = server.requests[0]?.model;
    expect(result).toMatchObject({ code: 0, stdout: 'Hello.\n' });
    expect(model).toMatch(/^claude-/);
    const file = join(place.home, '.robota/settings.json');
    expect(result.stderr).toBe(
      `The model gpt-5 (${file}) is not one of anthropic; its own model is used.\n`,
    );
  });

  it('is not told of where the command line names one', async () => {
    settings({ model: 'gpt-5' });
    await using server = await startModelServer(says('Hello.'));

    const args = ['-p', 'hi', '--model', 'haiku'];
    const { stderr } = await runRobota(place, args, { env: anthropic(server.url) });

    expect(stderr).toBe('');
  });
});

describe('a call that may not run is explained by its cause', () => {
  const write = callsTool('call_1', 'Write', { filePath: 'a.txt', content: 'a' });
  const CAN_ALLOW = '--allowed-tools or --permission-mode can allow it';

  async function denied(value: object, args: readonly string[] = []): Promise<string> {
    settings(value);
    await using server = await startModelServer(write, says('ok'));
    const run = await runRobota(place, ['-p', 'go', ...args], { env: anthropic(server.url) });
    return run.stderr;
  }

  it('nobody could be asked', async () => {
    expect(await denied({})).toContain(`Nobody could be asked; ${CAN_ALLOW}.`);
  });

  it('a deny rule', async () => {
    const words = await denied({ permissions: { deny: ['Write'] } }, ['--allowed-tools', 'Write']);

    expect(words).toContain('Denied by rule Write');
    expect(words).toContain(
      'A deny rule holds in every mode; only a change of it allows the call.',
    );
    expect(words).not.toContain(CAN_ALLOW);
  });

  it('a hook', async () => {
    const reason = { permissionDecision: 'deny', permissionDecisionReason: 'not on Fridays' };
    const words = await denied(hookOn('PreToolUse', { hookSpecificOutput: reason }));

    expect(words).toContain('Blocked by hook: not on Fridays');
    expect(words).not.toMatch(/Nobody could be asked|can allow it/);
  });

  it('the mode', async () => {
    const words = await denied({}, ['--permission-mode', 'plan']);

    expect(words).toContain('Denied in mode plan');
    expect(words).toContain('Another --permission-mode can allow it.');
    expect(words).not.toContain('Nobody could be asked');
  });
});
