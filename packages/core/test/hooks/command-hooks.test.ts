import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runHooks } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { hooksFor, inputFor, makeDirectory } from './hook-runs.ts';

const directory = makeDirectory();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !holds(); tries++) await wait(10);
}

describe('a command hook', () => {
  it('reads its whole input as JSON on stdin, in the directory of the session', async () => {
    const input = inputFor('PreToolUse', {
      cwd: directory,
      tool_name: 'Write',
      tool_input: { filePath: 'ü', content: 'x'.repeat(200_000) },
    });
    const config = hooksFor('PreToolUse', { type: 'command', command: 'cat > input.json; pwd' });

    const outcome = await runHooks(config, 'PreToolUse', input);

    expect([
      outcome.stdout,
      JSON.parse(readFileSync(path.join(directory, 'input.json'), 'utf8')),
    ]).toEqual([directory, { ...input, tool_input: { ...input.tool_input, file_path: 'ü' } }]);
  });

  it('finds the project, the session and the variables of event and group in its environment', async () => {
    const command =
      'echo "$CLAUDE_PROJECT_DIR $CLAUDE_SESSION_ID $CLAUDE_CODE_SESSION_ID $FROM_EVENT $FROM_GROUP $HOME"';
    const config = {
      Stop: [{ hooks: [{ type: 'command', command } as const], env: { FROM_GROUP: 'g' } }],
    };

    const outcome = await runHooks(
      config,
      'Stop',
      inputFor('Stop', { cwd: directory, env: { FROM_EVENT: 'e' } }),
    );

    expect(outcome.stdout).toBe(`${directory} s1 s1 e g ${process.env.HOME ?? ''}`.trim());
  });

  it('may end without reading its input', async () => {
    const input = inputFor('PostToolUse', {
      tool_name: 'Read',
      tool_output: 'x'.repeat(2_000_000),
    });

    expect(
      await runHooks(
        hooksFor('PostToolUse', { type: 'command', command: 'exit 0' }),
        'PostToolUse',
        input,
      ),
    ).toEqual({ blocked: false, failures: [] });
  });

  it('that hangs is ended with everything it started', async () => {
    const file = path.join(directory, 'pids');
    const command = `trap '' TERM; sh -c 'echo $$ > ${file}; trap "" TERM; while :; do sleep 0.05; done' & wait; while :; do sleep 0.05; done`;
    const config = hooksFor('PreToolUse', { type: 'command', command, timeout: 0.5 });

    const outcome = await runHooks(
      config,
      'PreToolUse',
      inputFor('PreToolUse', { cwd: directory, tool_name: 'Bash' }),
    );
    const child = Number(readFileSync(file, 'utf8'));
    await until(() => !isAlive(child));

    expect([outcome.blocked, outcome.failures[0]?.reason, isAlive(child)]).toEqual([
      false,
      'timed out after 0.5 s',
      false,
    ]);
  });

  it('is ended when the run is cancelled', async () => {
    const file = path.join(directory, 'started');
    const stop = new AbortController();
    const config = hooksFor('PreToolUse', {
      type: 'command',
      command: `echo $$ > ${file}; exec sleep 60`,
      required: true,
    });

    const running = runHooks(config, 'PreToolUse', inputFor('PreToolUse', { tool_name: 'Bash' }), {
      signal: stop.signal,
    });
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
    stop.abort();
    const outcome = await running;
    const pid = Number(readFileSync(file, 'utf8'));
    await until(() => !isAlive(pid));

    expect([outcome.blocked, outcome.failures[0]?.reason, isAlive(pid)]).toEqual([
      true,
      'was cancelled with the run',
      false,
    ]);
  });

  it('is not started at all for a run that is cancelled already', async () => {
    const file = path.join(directory, 'not-started');
    const config = hooksFor('Stop', { type: 'command', command: `touch ${file}` });

    const outcome = await runHooks(config, 'Stop', inputFor('Stop'), {
      signal: AbortSignal.abort(),
    });

    expect([outcome.failures[0]?.reason, existsSync(file)]).toEqual([
      'was cancelled with the run',
      false,
    ]);
  });

  it('that leaves a child holding its output does not hold up the run', async () => {
    const file = path.join(directory, 'background');
    const started = Date.now();
    const config = hooksFor('Stop', {
      type: 'command',
      command: `sleep 20 & echo $! > ${file}; echo done`,
    });

    const outcome = await runHooks(config, 'Stop', inputFor('Stop'));
    process.kill(Number(readFileSync(file, 'utf8')));

    expect([outcome.stdout, Date.now() - started < 10_000]).toEqual(['done', true]);
  });

  it('that prints without end fills no memory', async () => {
    const config = hooksFor('UserPromptSubmit', {
      type: 'command',
      command: 'head -c 3000000 /dev/zero | tr "\\0" a',
    });

    const outcome = await runHooks(config, 'UserPromptSubmit', inputFor('UserPromptSubmit'));

    expect(outcome.stdout).toBe(
      `${'a'.repeat(1024 * 1024)}\n[${3_000_000 - 1024 * 1024} more bytes dropped]`,
    );
  });

  it.each([
    ['is killed', 'kill -9 $$', 'was ended by SIGKILL'],
    ['does not exist', 'no-such-program-here', /not found/],
  ])('that %s is a failure', async (_name, command, reason) => {
    const outcome = await runHooks(
      hooksFor('Stop', { type: 'command', command }),
      'Stop',
      inputFor('Stop'),
    );

    expect(outcome.failures[0]?.reason).toMatch(reason);
  });

  it('whose directory is gone is a failure', async () => {
    const outcome = await runHooks(
      hooksFor('Stop', { type: 'command', command: 'true' }),
      'Stop',
      inputFor('Stop', { cwd: path.join(directory, 'gone') }),
    );

    expect(outcome.failures[0]?.reason).toMatch(/could not be started/);
  });
});
