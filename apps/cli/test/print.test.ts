import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answersStatus,
  callsTool,
  hangsAfter,
  says,
  startModelServer,
} from './support/model-server.ts';
import { createPlace, finished, type Place, runRobota, startRobota } from './support/run-robota.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const anthropic = (url: string) => ({
  ANTHROPIC_API_KEY: 'sk-ant-test-key-0123456789',
  ANTHROPIC_BASE_URL: url,
});

const lines = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('robota', () => {
  it.each([[['--help']], [['-p', 'hi', '--help']], [['-h']]])(
    'prints the manual for %j and does nothing else',
    async (args) => {
      const result = await runRobota(place, args);

      expect(result).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('Exit codes: 0'),
      });
      expect(existsSync(join(place.home, '.robota'))).toBe(false);
    },
  );

  it('prints its version', async () => {
    expect((await runRobota(place, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('robota -p', () => {
  it('prints the answer and nothing else on stdout', async () => {
    await using server = await startModelServer(says('Hello ', 'there.'));

    const result = await runRobota(place, ['-p', 'hi'], { env: anthropic(server.url) });

    expect(result).toEqual({ code: 0, stdout: 'Hello there.\n', stderr: '' });
  });

  it('adds what stands on stdin to the prompt', async () => {
    await using server = await startModelServer(says('ok'));

    await runRobota(place, ['-p', 'review this'], {
      input: 'the diff',
      env: anthropic(server.url),
    });

    expect(JSON.stringify(server.requests[0]?.messages)).toContain(
      'review this\\n\\n<stdin>\\nthe diff\\n</stdin>',
    );
  });

  it('takes the prompt from stdin alone', async () => {
    await using server = await startModelServer(says('ok'));

    const result = await runRobota(place, ['-p'], {
      input: 'just this',
      env: anthropic(server.url),
    });

    expect(result.code).toBe(0);
    expect(JSON.stringify(server.requests[0]?.messages)).toContain('just this');
  });

  it('answers with the demonstration where there is no key', async () => {
    const result = await runRobota(place, ['-p', 'list files']);

    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('Glob is done') });
  });

  it('writes one JSON line with the session and the usage', async () => {
    await using server = await startModelServer(says('Hello.'));

    const result = await runRobota(
      place,
      ['-p', 'hi', '--output-format', 'json', '--session-id', 'mine'],
      {
        env: anthropic(server.url),
      },
    );

    const [{ model_usage: usage }] = lines(result.stdout);
    const [model = ''] = Object.keys(usage);
    expect(lines(result.stdout)).toEqual([
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'Hello.',
        stop_reason: 'end_turn',
        session_id: 'mine',
        num_turns: 1,
        duration_ms: expect.any(Number),
        total_cost_usd: expect.any(Number),
        usage: expect.objectContaining({
          promptTokens: 11,
          completionTokens: 7,
          costStatus: 'known',
        }),
        model_usage: {
          [model]: {
            requests: 1,
            input_tokens: 11,
            output_tokens: 7,
            cache_read_tokens: 0,
            cache_write_tokens: 0,
            cost_usd: expect.any(Number),
          },
        },
        ended_by: 'answer',
      },
    ]);
  });

  it.each([[[]], [['summarise']], [['-c']]])(
    'is what a pipe means, without -p: %j',
    async (args) => {
      await using server = await startModelServer(says('ok'), says('again'));
      const env = anthropic(server.url);
      await runRobota(place, ['-p', 'before'], { env });

      const result = await runRobota(place, args, { input: 'piped text', env });

      expect(result).toEqual({ code: 0, stdout: 'again\n', stderr: '' });
      expect(JSON.stringify(server.requests[1]?.messages)).toContain('piped text');
    },
  );

  it('asks a prompt without a terminal and without a pipe', async () => {
    await using server = await startModelServer(says('ok'));

    const result = await runRobota(place, ['just', 'ask'], { env: anthropic(server.url) });

    expect(result).toEqual({ code: 0, stdout: 'ok\n', stderr: '' });
  });

  it('takes the flags of Claude Code in its spelling', async () => {
    await using server = await startModelServer(
      callsTool('t1', 'Bash', { command: 'touch made && echo done' }),
      says('ok'),
    );
    const args = ['-p', 'go', '--allowedTools', 'Read Bash(touch *) Bash(echo *)', '--verbose'];

    const result = await runRobota(place, args, { env: anthropic(server.url) });

    expect(result).toEqual({
      code: 0,
      stdout: 'ok\n',
      stderr: 'Bash(touch made && echo done): success\n',
    });
    expect(existsSync(join(place.project, 'made'))).toBe(true);
  });

  it('asks for nothing with --dangerously-skip-permissions', async () => {
    await using server = await startModelServer(
      callsTool('t1', 'Bash', { command: 'touch made' }),
      says('ok'),
    );

    await runRobota(place, ['-p', 'go', '--dangerously-skip-permissions'], {
      env: anthropic(server.url),
    });

    expect(existsSync(join(place.project, 'made'))).toBe(true);
  });

  it.each(['file', 'JSON'])(
    'starts the MCP servers of a --mcp-config given as %s',
    async (form) => {
      await using server = await startModelServer(says('ok'));
      const program = join(
        import.meta.dirname,
        '../../../packages/tools/test/fixtures/mcp-server.mjs',
      );
      const config = JSON.stringify({
        mcpServers: { box: { command: process.execPath, args: [program] } },
      });
      const file = join(place.project, 'servers.json');
      writeFileSync(file, config);

      await runRobota(place, ['-p', 'go', '--mcp-config', form === 'file' ? file : config], {
        env: anthropic(server.url),
      });

      expect(JSON.stringify(server.requests[0])).toContain('mcp__box__echo');
    },
  );

  it('ends with 1 and says so in the result when the session cannot be saved', async () => {
    await using server = await startModelServer(says('Hello.'));
    mkdirSync(join(place.home, '.robota'));
    writeFileSync(join(place.home, '.robota/sessions'), 'no directory');

    const result = await runRobota(place, ['-p', 'hi', '--output-format', 'json'], {
      env: anthropic(server.url),
    });

    expect(result.code).toBe(1);
    expect(lines(result.stdout)).toMatchObject([
      { subtype: 'success', is_error: true, result: 'Hello.', save_problem: expect.any(String) },
    ]);
  });

  it('streams init, every block event with the number of its entry, and the result last', async () => {
    await using server = await startModelServer(says('Hello ', 'there.'));

    const result = await runRobota(place, ['-p', 'hi', '--output-format', 'stream-json'], {
      env: anthropic(server.url),
    });
    const written = lines(result.stdout);
    const events = written.filter(({ type }) => type === 'stream_event');

    expect(written[0]).toMatchObject({
      type: 'init',
      model: expect.any(String),
      permission_mode: 'default',
    });
    expect(written.at(-1)).toMatchObject({
      type: 'result',
      subtype: 'success',
      result: 'Hello there.',
    });
    const numbers = events.map(({ seq }) => seq);
    expect(numbers.every(Number.isInteger)).toBe(true);
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
    expect(new Set(numbers).size).toBeGreaterThan(1);
    expect(
      events
        .filter(({ event }) => event.type === 'text_delta')
        .map(({ event }) => event.delta)
        .join(''),
    ).toBe('Hello there.');
  });

  it('denies what would ask, says so and tells the model', async () => {
    await using server = await startModelServer(
      callsTool('t1', 'Bash', { command: 'touch made.txt' }),
      says('I may not.'),
    );

    const result = await runRobota(place, ['-p', 'make a file'], { env: anthropic(server.url) });

    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
    expect(result).toMatchObject({ code: 0, stdout: 'I may not.\n' });
    expect(result.stderr).toContain('Denied: Bash(touch made.txt).');
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('Permission denied');
  });

  it.each([[['--allowed-tools', 'Bash(touch *)']], [['--permission-mode', 'bypassPermissions']]])(
    'runs what %j allows',
    async (flags) => {
      await using server = await startModelServer(
        callsTool('t1', 'Bash', { command: 'touch made.txt' }),
        says('Made.'),
      );

      await runRobota(place, ['-p', 'make a file', ...flags], { env: anthropic(server.url) });

      expect(existsSync(join(place.project, 'made.txt'))).toBe(true);
    },
  );

  it('continues the latest session of the directory, and forks it without touching it', async () => {
    await using server = await startModelServer(says('One.'), says('Two.'), says('Three.'));
    const env = anthropic(server.url);
    await runRobota(place, ['-p', 'first', '--session-id', 'original'], { env });
    await runRobota(place, ['-p', '-c', 'second'], { env });
    const before = readFileSync(join(place.home, '.robota/sessions/original.json'), 'utf8');

    await runRobota(place, ['-p', '-r', 'original', '--fork-session', 'third'], { env });

    expect(server.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
    expect(readFileSync(join(place.home, '.robota/sessions/original.json'), 'utf8')).toBe(before);
  });

  it('finds a session by its name', async () => {
    await using server = await startModelServer(says('One.'), says('Two.'));
    const env = anthropic(server.url);
    await runRobota(place, ['-p', 'first', '--name', 'fix login'], { env });

    await runRobota(place, ['-p', '-r', 'fix login', 'second'], { env });

    expect(server.requests[1]?.messages).toHaveLength(3);
  });

  it('sends the same prefix again when it comes back', async () => {
    await using server = await startModelServer(
      callsTool('t1', 'Glob', { pattern: '*' }),
      says('One.'),
      says('Two.'),
    );
    const env = anthropic(server.url);
    await runRobota(place, ['-p', 'first'], { env });

    await runRobota(place, ['-p', '-c', 'second'], { env });
    const withoutMarks = (value: unknown) =>
      JSON.stringify(value).replaceAll(/,?"cache_control":\{[^}]*\}/g, '');
    const [, before, after] = server.requests;

    expect(withoutMarks(after?.messages.slice(0, before?.messages.length))).toBe(
      withoutMarks(before?.messages),
    );
    expect([withoutMarks(after?.system), withoutMarks(after?.tools)]).toEqual([
      withoutMarks(before?.system),
      withoutMarks(before?.tools),
    ]);
  });

  it('writes nothing with --no-session-persistence', async () => {
    await using server = await startModelServer(says('Hello.'));

    await runRobota(place, ['-p', 'hi', '--no-session-persistence'], {
      env: anthropic(server.url),
    });

    expect(existsSync(join(place.home, '.robota/sessions'))).toBe(false);
    expect(existsSync(join(place.home, '.robota/logs'))).toBe(false);
  });

  it('never writes into the project', async () => {
    await using server = await startModelServer(says('Hello.'));

    await runRobota(place, ['-p', 'hi'], { env: anthropic(server.url) });

    expect(readdirSync(place.project)).toEqual([]);
  });

  it.each([
    [['--nope'], 2, 'Unknown option "--nope".'],
    [['-p'], 2, 'Print mode (-p) requires a prompt'],
    [['-p', 'hi', '-r', 'nobody'], 1, 'Session not found: nobody'],
    [['-p', 'hi', '-r', 'nobody'], 1, '"robota sessions --all" lists every session'],
    [['log', 'nobody'], 1, '"robota sessions --all" lists every session'],
    [['sessions', 'show', 'nob'], 1, '"robota sessions --all" lists every session'],
    [['sesions'], 2, 'There is no command "sesions". Did you mean "robota sessions"?'],
    [['Doctor'], 2, 'Did you mean "robota doctor"? To send the word as a prompt: robota -p Doctor'],
    [['-p', 'hi', '-c'], 1, 'There is no session to continue'],
    [['-p', 'hi', '--provider', 'acme'], 2, 'Unknown provider "acme".'],
    [['-p', 'hi', '--provider', 'ollama'], 2, 'Ollama needs a model'],
    [['-p', '/nope'], 1, 'Unknown command "/nope".'],
    [['sessions', 'nope'], 2, 'Unknown verb "nope".'],
    [['validate', 'nobody'], 1, 'Session not found: nobody'],
  ])('ends %j with code %i and one line', async (args, code, message) => {
    const result = await runRobota(place, args);

    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([[['sesions', 'are', 'what?']], [['-p', 'sesions']], [['hello']], [['explain']]])(
    'takes %j for a prompt',
    async (args) => {
      await using server = await startModelServer(says('Hello.'));

      const result = await runRobota(place, args, { env: anthropic(server.url) });

      expect(result).toEqual({ code: 0, stdout: 'Hello.\n', stderr: '' });
    },
  );

  it('fails with the reason when the key is wrong, and never shows the key', async () => {
    await using server = await startModelServer(
      answersStatus(401, 'authentication_error', 'invalid x-api-key'),
    );

    const result = await runRobota(place, ['-p', 'hi'], { env: anthropic(server.url) });

    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('ANTHROPIC_API_KEY');
    expect(result.stderr).not.toContain('sk-ant-test-key');
  });

  it('fails in json too, with a code', async () => {
    await using server = await startModelServer(answersStatus(400, 'invalid_request_error', 'no'));

    const result = await runRobota(place, ['-p', 'hi', '--output-format', 'json'], {
      env: anthropic(server.url),
    });

    expect(result.code).toBe(1);
    expect(lines(result.stdout)[0]).toMatchObject({
      subtype: 'error',
      error_code: 'invalid_request',
    });
  });

  it('ends with 130 on SIGINT and keeps what had arrived', async () => {
    await using server = await startModelServer(hangsAfter('Half'), says('Rest.'));
    const child = startRobota(
      place,
      ['-p', 'hi', '--output-format', 'stream-json'],
      anthropic(server.url),
    );
    child.stdin.end();
    const done = finished(child);
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (text: string) => text.includes('Half') && resolve());
    });

    child.kill('SIGINT');
    const result = await done;
    await runRobota(place, ['-p', '-c', 'go on'], { env: anthropic(server.url) });

    expect(result.code).toBe(130);
    expect(lines(result.stdout).at(-1)).toMatchObject({ type: 'result', subtype: 'interrupted' });
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('Half');
  });

  it('comes back after kill -9 in mid-turn', async () => {
    await using server = await startModelServer(
      callsTool('t1', 'Glob', { pattern: '*' }),
      hangsAfter('Half'),
      says('Back.'),
    );
    const child = startRobota(place, ['-p', 'hi'], anthropic(server.url));
    child.stdin.end();
    await server.arrived(2);
    child.kill('SIGKILL');
    await finished(child);

    const result = await runRobota(place, ['-p', '-c', 'go on'], { env: anthropic(server.url) });

    expect(result).toMatchObject({ code: 0, stdout: 'Back.\n' });
    expect(JSON.stringify(server.requests[2]?.messages)).toContain('tool_result');
  });

  it('does not let two processes write one session', async () => {
    await using server = await startModelServer(hangsAfter('Half'), says('No.'));
    const child = startRobota(place, ['-p', 'hi', '--session-id', 'shared'], anthropic(server.url));
    child.stdin.end();
    await server.arrived(1);

    const result = await runRobota(place, ['-p', '-r', 'shared', 'me too'], {
      env: anthropic(server.url),
    });
    child.kill('SIGKILL');
    await finished(child);

    expect(result.code).toBe(1);
    expect(result.stderr).toContain('session_locked');
  });

  it('ends a conversation at a signal although stdin stays open', async () => {
    await using server = await startModelServer(hangsAfter('Thinking'));
    const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
    const child = startRobota(place, args, anthropic(server.url));
    const ended = finished(child);
    child.stdin.write(`${JSON.stringify({ type: 'user', message: { content: 'hi' } })}\n`);
    await server.arrived(1);

    child.kill('SIGTERM');
    const { code, stdout } = await ended;

    const last = stdout.trimEnd().split('\n').at(-1) ?? '';
    expect([code, JSON.parse(last)]).toMatchObject([130, { subtype: 'interrupted' }]);
  });

  it('holds a conversation on stdin and asks there for permission', async () => {
    await using server = await startModelServer(
      callsTool('t1', 'Bash', { command: 'touch made.txt' }),
      says('Made.'),
      says('Bye.'),
    );
    const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
    const child = startRobota(place, args, anthropic(server.url));
    const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    const answered: string[] = [];
    let rest = '';
    child.stdout.on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts.map((part) => JSON.parse(part))) {
        if (line.type === 'permission_request') {
          say({ type: 'permission_response', request_id: line.request_id, decision: 'allow' });
        }
        if (line.type === 'result') {
          answered.push(line.result);
          if (answered.length === 1)
            say({ type: 'user', message: { content: [{ type: 'text', text: 'bye' }] } });
          else child.stdin.end();
        }
      }
    });

    say({ type: 'user', message: { content: 'make a file' } });
    const result = await finished(child);

    expect(answered).toEqual(['Made.', 'Bye.']);
    expect(existsSync(join(place.project, 'made.txt'))).toBe(true);
    expect(result.code).toBe(0);
  });
});

describe('robota -p --json-schema', () => {
  const schema = JSON.stringify({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  });

  it('prints a value that fits, and sends an answer back that does not', async () => {
    await using server = await startModelServer(says('Bern.'), says('{"city": "Bern"}'));

    const result = await runRobota(place, ['-p', 'which?', '--json-schema', schema], {
      env: anthropic(server.url),
    });

    expect(result).toEqual({ code: 0, stdout: '{"city":"Bern"}\n', stderr: '' });
  });

  it('takes a file and gives the value its own field in JSON output', async () => {
    await using server = await startModelServer(says('{"city": "Bern"}'));
    writeFileSync(join(place.home, 'city.json'), schema);

    const { stdout } = await runRobota(
      place,
      ['-p', 'which?', '--output-format', 'json', '--json-schema', join(place.home, 'city.json')],
      { env: anthropic(server.url) },
    );

    expect(JSON.parse(stdout)).toMatchObject({
      subtype: 'success',
      result: '{"city":"Bern"}',
      structured_output: { city: 'Bern' },
    });
  });

  it('fails when no answer fits in the end', async () => {
    await using server = await startModelServer(says('Dunno.'), says('Still dunno.'));

    const result = await runRobota(place, ['-p', 'which?', '--json-schema', schema], {
      env: anthropic(server.url),
    });

    expect(result).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The model gave no answer that fits the schema.'),
    });
  });

  it.each([
    [['--json-schema', '{'], '--json-schema needs -p.'],
    [['-p', 'hi', '--json-schema', '{'], '--json-schema needs a JSON schema or the path of a file'],
    [['-p', 'hi', '--json-schema', 'nowhere.json'], 'ENOENT'],
  ])('refuses %j', async (args, message) => {
    const result = await runRobota(place, args);

    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
