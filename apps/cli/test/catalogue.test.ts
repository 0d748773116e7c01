import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  claudeLines,
  claudePath,
  codexHeader,
  codexPath,
  codexTurn,
  geminiHeader,
  geminiPath,
  geminiTurn,
  piHeader,
  piPath,
  piTurn,
  writeLines,
} from '../../../packages/archive/test/generated-home.ts';
import { createPlace, finished, type Place, runRobota, startRobota } from './support/run-robota.ts';

let place: Place;

const CLAUDE = '11111111-2222-4333-8444-555555555555';
const CODEX = '019a0000-0000-7000-8000-000000000001';
const GEMINI = '33333333-2222-4333-8444-555555555555';
const PI = '44444444-2222-4333-8444-555555555555';

const turn = (id: string, prompt: string) => ({ id, prompt, answer: `the answer of ${id}` });

/** What would write the clipboard, set the title and clear the screen. */
const STEERING = '\u001b]52;c;aGk=\u0007\u001b]0;owned\u0007\u001b[2J';

/** A home with a session of every agent that keeps files. */
function fillHome({ home, project }: Place): void {
  writeLines(
    claudePath(home, CLAUDE),
    claudeLines([turn('hay', 'find the haystack')], { sessionId: CLAUDE, cwd: project }),
  );
  writeLines(codexPath(home, CODEX), [
    codexHeader(CODEX, project),
    ...codexTurn(turn('thread', 'mend the thread')),
  ]);
  writeLines(geminiPath(home, GEMINI), [
    geminiHeader(GEMINI),
    ...geminiTurn(turn('gem', 'polish the gem')),
  ]);
  writeLines(piPath(home, PI), [piHeader(PI), ...piTurn(turn('circle', 'square the circle'))]);
}

beforeEach(async () => {
  place = createPlace();
  fillHome(place);
  await runRobota(place, ['-p', 'list files', '--provider', 'demo', '--session-id', 'ours']);
});

afterEach(() => {
  place[Symbol.dispose]();
});

const robota = (...args: string[]) => runRobota(place, args);

async function listed(...args: string[]): Promise<string[]> {
  const { stdout } = await robota('sessions', 'list', '--json', ...args);
  return JSON.parse(stdout).map(({ agent }: { agent: string }) => agent);
}

it('is not opened by a prompt', () => {
  expect(readdirSync(join(place.home, '.robota')).filter((name) => /catalogue/.test(name))).toEqual(
    [],
  );
});

describe('robota sessions list', () => {
  it('shows this project by default, and everything with --all', async () => {
    expect(await listed()).toEqual(['robota', 'claude', 'codex']);
    expect((await listed('--all')).sort()).toEqual(['claude', 'codex', 'gemini', 'pi', 'robota']);
  });

  it.each([
    [['--agent', 'codex'], ['codex']],
    [['--agent', 'gemini'], []],
    [['--agent', 'gemini', '--all'], ['gemini']],
    [['--name', 'HAYSTACK'], ['claude']],
    [['--text', 'circle', '--all'], ['pi']],
    [['--since', '2026-11-01', '--name', 'thread'], ['codex']],
    [['--project', 'work', '--agent', 'pi'], ['pi']],
  ])('keeps to what %j asks for', async (args, agents) => {
    expect(await listed(...args)).toEqual(agents);
  });

  it('goes on where a page ended', async () => {
    const first = await robota('sessions', 'list', '--limit', '1');
    const [, after = ''] = /--after (\S+)/.exec(first.stderr) ?? [];
    const second = await robota('sessions', 'list', '--limit', '1', '--after', after);

    expect(first.stdout).toContain('ours');
    expect(second.stdout).toContain('claude');
  });

  it.each([
    [['--agent', 'nobody'], 'robota | pi | opencode'],
    [['--since', 'whenever'], 'today | yesterday'],
    [['--limit', 'many'], 'positive integer'],
    [['--here', '--all'], 'exclude'],
  ])('says how to write %j', async (args, words) => {
    const result = await robota('sessions', 'list', ...args);

    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
  });

  it('sees what was added and what was deleted since', async () => {
    await listed('--all');
    rmSync(piPath(place.home, PI));
    writeLines(
      claudePath(place.home, 'new-one'),
      claudeLines([turn('new', 'a new one')], { sessionId: 'new-one' }),
    );

    expect((await listed('--all')).sort()).toEqual([
      'claude',
      'claude',
      'codex',
      'gemini',
      'robota',
    ]);
  });

  it('works with a note where the catalogue cannot be kept', async () => {
    mkdirSync(join(place.home, '.robota/catalogue.sqlite/in-the-way'), { recursive: true });

    const result = await robota('sessions', 'list');

    expect(result).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Cannot use the catalogue'),
    });
    expect(result.stdout).toContain('find the haystack');
  });
});

describe('robota search', () => {
  it('names the block, which can then be shown', async () => {
    const found = await robota('search', 'the answer of hay');
    const [, id = '', block = ''] = /sessions show (\S+) --block (\S+)/.exec(found.stderr) ?? [];
    const shown = await robota('sessions', 'show', id, '--block', block);

    expect(found.code).toBe(0);
    expect(found.stdout).toContain(`${block}  the answer of hay`);
    expect(shown.stdout).toContain('the answer of hay');
    expect(shown.stdout).not.toContain('find the haystack');
  });

  it('writes one line a hit for programs', async () => {
    const { stdout } = await robota('sessions', 'search', '"square the circle"', '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      agent: 'pi',
      sessionId: PI,
      thread: 'main',
      blockId: expect.any(String),
      snippet: expect.stringContaining('square the circle'),
    });
  });
});

describe('a session of any agent', () => {
  it.each([
    ['claude', CLAUDE, 'find the haystack'],
    ['codex', CODEX, 'mend the thread'],
    ['gemini', GEMINI, 'polish the gem'],
    ['pi', PI, 'square the circle'],
  ])('of %s is shown, exported, replayed, logged and validated', async (agent, id, prompt) => {
    for (const command of [['sessions', 'show'], ['sessions', 'export'], ['replay'], ['log']]) {
      const { code, stdout } = await robota(...command, `${agent}:${id.slice(0, 8)}`);
      expect({ command, code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(prompt),
      });
    }
    expect((await robota('validate', id)).code).toBe(0);
  });

  it('is found by a name given here, which its own files know nothing of', async () => {
    const before = readFileSync(claudePath(place.home, CLAUDE), 'utf8');

    await robota('sessions', 'rename', CLAUDE.slice(0, 6), 'hay', 'day');
    const { stdout } = await robota('sessions', 'show', 'hay day');

    expect(stdout).toContain('# hay day');
    expect(stdout).toContain('find the haystack');
    expect(readFileSync(claudePath(place.home, CLAUDE), 'utf8')).toBe(before);
  });

  it('that was the last is found by that word', async () => {
    expect((await robota('sessions', 'show', 'last')).stdout).toContain('- Session: `ours`');
  });

  it.each([
    [['sessions', 'delete', GEMINI, '--yes'], 'gemini --delete-session'],
    [['sessions', 'scrub', CODEX], 'Codex'],
  ])('is left to its program by %j', async (args, advice) => {
    const result = await robota(...args);

    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(advice) });
  });

  it('is forked to a session of our own, and only read', async () => {
    const before = readFileSync(claudePath(place.home, CLAUDE), 'utf8');

    const { code, stdout } = await robota('sessions', 'fork', CLAUDE, '--name', 'mine');
    const shown = await robota('sessions', 'show', stdout.trim());

    expect(code).toBe(0);
    expect(shown.stdout).toContain('# mine');
    expect(shown.stdout).toContain('- Agent: robota');
    expect(shown.stdout).toContain('find the haystack');
    expect(readFileSync(claudePath(place.home, CLAUDE), 'utf8')).toBe(before);
  });

  it('goes on in our own engine as a copy that names its origin', async () => {
    const before = readFileSync(claudePath(place.home, CLAUDE), 'utf8');

    const { code, stdout, stderr } = await robota(
      '-p',
      '--provider',
      'demo',
      '-r',
      CLAUDE,
      'go on',
    );

    expect([code, stdout !== '']).toEqual([0, true]);
    expect(stderr).toContain(`Continuing Claude Code session ${CLAUDE} in a copy`);
    expect(readFileSync(claudePath(place.home, CLAUDE), 'utf8')).toBe(before);
  });

  it('that cannot be told from another is not guessed', async () => {
    const twin = `${CLAUDE.slice(0, -1)}6`;
    writeLines(
      claudePath(place.home, twin),
      claudeLines([turn('twin', 'another haystack')], { sessionId: twin, cwd: place.project }),
    );
    for (const command of [['sessions', 'show'], ['replay'], ['validate'], ['log'], ['resume']]) {
      const result = await robota(...command, CLAUDE.slice(0, 8));
      expect(result).toMatchObject({ code: 1, stdout: '' });
      expect(result.stderr).toContain(`claude:${CLAUDE}  find the haystack`);
      expect(result.stderr).toContain(`claude:${twin}  another haystack`);
    }
  });
});

it('never sends what a transcript holds to the terminal as it is', async () => {
  const id = 'steering';
  const lines = claudeLines([turn('bad', `look ${STEERING}`)], {
    sessionId: id,
    cwd: `${place.project}`,
  });
  writeLines(claudePath(place.home, id), lines);

  for (const args of [
    ['sessions', 'list'],
    ['sessions', 'list', '--json'],
    ['sessions', 'show', id],
    ['sessions', 'show', id, '--json'],
    ['sessions', 'export', id, '--format', 'html'],
    ['search', 'look'],
    ['log', id],
    ['replay', id],
    ['usage', '--by', 'session'],
  ]) {
    const { code, stdout, stderr } = await robota(...args);
    expect({ args, code }).toEqual({ args, code: 0 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
});

describe('robota usage', () => {
  it('counts each request once and fits a line', async () => {
    const { code, stdout } = await robota('usage', '--by', 'agent');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^claude +\$\d\S+ +1 req +20 out +310 in +[█▏▎▍▌▋▊▉]+$/m);
    expect(stdout).toMatch(/^total +\$\d\S+ +\d+ req/m);
    expect(stdout).toContain('of demo without a known price');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('tells programs the same', async () => {
    const report = JSON.parse((await robota('usage', '--json', '--agent', 'codex')).stdout);

    expect(report).toMatchObject({
      by: 'day',
      rows: [{ key: '2026-11-01', requests: 1 }],
      total: { requests: 1, inputTokens: 600, outputTokens: 20, cacheReadTokens: 400 },
    });
  });

  it('warns about a budget and still ends well', async () => {
    const over = await robota('usage', '--budget', '0.001/day', '--since', '2026-11-01');
    const within = await robota('usage', '--budget', '100/month', '--since', '2026-11-01');

    expect(over).toMatchObject({ code: 0, stderr: expect.stringContaining('Over budget: ') });
    expect(within.stderr).not.toContain('Over budget');
  });

  it.each([
    ['--by', 'colour', 'day | week'],
    ['--budget', 'much', '20/day'],
  ])('says how to write %s %s', async (flag, value, words) => {
    const result = await robota('usage', flag, value);

    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});

it('takes secrets out of the files of a session of an older version', async () => {
  const log = join(place.home, '.robota/logs/ours.jsonl');
  const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  writeFileSync(log, readFileSync(log, 'utf8').replaceAll('list files', `list ${secret}`));

  const { code, stdout } = await robota('sessions', 'scrub', 'ours', '--json');

  expect(code).toBe(0);
  expect(JSON.parse(stdout).replaced).toBeGreaterThan(0);
  expect(readFileSync(log, 'utf8')).not.toContain(secret);
});

it('can be interrupted while it reads for the first time, and goes on later', async () => {
  for (let index = 0; index < 400; index += 1) {
    const sessionId = `many-${index}`;
    writeLines(
      claudePath(place.home, sessionId),
      claudeLines([turn(`t${index}`, `number ${index}`)], { sessionId }),
    );
  }
  const changes = watch(join(place.home, '.robota'));
  const child = startRobota(place, ['sessions', 'list', '--all', '--json']);
  const ending = finished(child);
  // The lock is made when reading begins.
  for await (const { filename } of changes) if (filename === 'catalogue.lock') break;
  child.kill('SIGINT');
  const { code, stderr } = await ending;

  expect(code).toBe(130);
  expect(stderr).toMatch(/\d+ of \d+ sessions are read; the next call goes on\.\nInterrupted\./);
  expect(await listed('--all')).toHaveLength(405);
});

it.each([
  [['sessions', '--help'], 'scrub <session>'],
  [['sessions', 'list', '--help'], '--after'],
  [['search', '-h'], '--hits'],
  [['usage', '--help'], '--budget'],
  [['doctor', '--help'], '--repair'],
  [['log', '--help'], '--follow'],
])('describes %j', async (args, words) => {
  expect(await robota(...args)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining(words),
  });
});
