import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClaudeTranscript } from './support/claude-transcript.ts';
import { says, startModelServer } from './support/model-server.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';

let place: Place;

beforeEach(async () => {
  place = createPlace();
  await using server = await startModelServer(
    says('The needle is in `a.ts`. My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789.'),
  );
  await runRobota(
    place,
    ['-p', 'where is the needle?', '--session-id', 'ours', '--name', 'needle hunt'],
    {
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url },
    },
  );
  writeClaudeSession(place);
});

afterEach(() => {
  place[Symbol.dispose]();
});

const CLAUDE_ID = '11111111-2222-4333-8444-555555555555';

/** A session of Claude Code with one prompt and one answer. */
function writeClaudeSession({ home, project }: Place): void {
  const folder = join(home, '.claude/projects/-project');
  mkdirSync(folder, { recursive: true });
  const common = {
    sessionId: CLAUDE_ID,
    cwd: project,
    version: '2.1.0',
    isSidechain: false,
    userType: 'external',
  };
  const timestamp = '2026-01-02T03:04:05.000Z';
  const lines = [
    {
      ...common,
      uuid: 'u1',
      parentUuid: null,
      timestamp,
      type: 'user',
      message: { role: 'user', content: 'find the haystack' },
    },
    {
      ...common,
      uuid: 'a1',
      parentUuid: 'u1',
      timestamp,
      type: 'assistant',
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'text', text: 'The haystack is "here".' }],
      },
    },
  ];
  writeFileSync(
    join(folder, `${CLAUDE_ID}.jsonl`),
    `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
  );
}

describe('robota sessions', () => {
  it('lists the sessions of this directory, of every agent, newest first', async () => {
    const { stdout, code } = await runRobota(place, ['sessions', 'list']);

    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/ours +robota +needle hunt +\S+ +(just now|\d+ s ago) +\d+ messages/),
      expect.stringMatching(
        `${CLAUDE_ID} +claude +find the haystack +\\S+ +2026-01-02 +2 messages`,
      ),
      '',
    ]);
  });

  it('lists them for programs', async () => {
    const { stdout } = await runRobota(place, ['sessions', 'list', '--all', '--json']);

    expect(JSON.parse(stdout)).toMatchObject([
      { id: 'ours', agent: 'robota', title: 'needle hunt' },
      { id: CLAUDE_ID, agent: 'claude', preview: 'find the haystack', cwd: place.project },
    ]);
  });

  it('shows what was said, with secrets taken out', async () => {
    const { stdout } = await runRobota(place, ['sessions', 'show', 'needle hunt']);

    expect(stdout).toContain('where is the needle?');
    expect(stdout).toContain('The needle is in `a.ts`.');
    expect(stdout).not.toContain('sk-ant-api03');
  });

  it('shows a session of another agent by the beginning of its id', async () => {
    const { stdout } = await runRobota(place, ['sessions', 'show', CLAUDE_ID.slice(0, 8)]);

    expect(stdout).toContain('The haystack is "here".');
  });

  it('finds where something was said, in any agent', async () => {
    const { stdout, code } = await runRobota(place, ['sessions', 'search', 'HAYSTACK is "here"']);

    expect(code).toBe(0);
    expect(stdout).toContain(CLAUDE_ID);
    expect(stdout).toContain('m1:0  The haystack is "here".');
  });

  it('says when nothing was found, with code 1', async () => {
    const result = await runRobota(place, ['sessions', 'search', 'unicorn']);

    expect(result).toMatchObject({
      code: 1,
      stdout: '',
      // A slow machine is told how far the index is before.
      stderr: expect.stringMatching(
        /^(?:Indexing, .*\n)*Nothing found for "unicorn" in 2 sessions\.\n$/,
      ),
    });
  });

  it.each(['md', 'html', 'json'])('exports as %s, readable by the user alone', async (format) => {
    const file = join(place.home, `export.${format}`);

    await runRobota(place, ['sessions', 'export', 'ours', '--format', format, '--output', file]);

    expect(readFileSync(file, 'utf8')).toContain('where is the needle?');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('renames', async () => {
    await runRobota(place, ['sessions', 'rename', 'ours', 'found', 'it']);

    expect((await runRobota(place, ['sessions', 'list'])).stdout).toContain('found it');
  });

  it('forks to a new id and leaves the original alone', async () => {
    const before = readFileSync(join(place.home, '.robota/sessions/ours.json'), 'utf8');
    const { stdout, code } = await runRobota(place, ['sessions', 'fork', 'ours', '--name', 'copy']);

    const shown = await runRobota(place, ['sessions', 'show', stdout.trim()]);

    expect(code).toBe(0);
    expect(shown.stdout).toContain('where is the needle?');
    expect(readFileSync(join(place.home, '.robota/sessions/ours.json'), 'utf8')).toBe(before);
  });

  it('deletes a session with its log, and only when told so', async () => {
    const asked = await runRobota(place, ['sessions', 'delete', 'ours']);
    const deleted = await runRobota(place, ['sessions', 'delete', 'ours', '--yes']);

    expect([asked.code, deleted.code]).toEqual([2, 0]);
    expect(existsSync(join(place.home, '.robota/logs/ours.jsonl'))).toBe(false);
    expect((await runRobota(place, ['sessions', 'list'])).stdout).not.toContain('ours');
  });

  it('never deletes what another program keeps', async () => {
    const result = await runRobota(place, ['sessions', 'delete', CLAUDE_ID, '--yes']);

    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('Claude Code') });
    expect(existsSync(join(place.home, `.claude/projects/-project/${CLAUDE_ID}.jsonl`))).toBe(true);
  });
});

describe('robota resume', () => {
  it('goes on with a foreign session in its own program and directory', async () => {
    const bin = join(place.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "claude $* in $(pwd)"\nexit 7\n', {
      mode: 0o755,
    });

    const result = await runRobota(place, ['resume', CLAUDE_ID], {
      env: { PATH: `${bin}:${process.env.PATH}` },
    });

    expect(result).toMatchObject({
      code: 7,
      stdout: `claude --resume ${CLAUDE_ID} in ${place.project}\n`,
    });
  });

  it('says what is missing where the program is not installed', async () => {
    const result = await runRobota(place, ['resume', CLAUDE_ID], { env: { PATH: '/nowhere' } });

    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `robota: claude is not installed. Install it, or continue in a copy with: robota -r claude:${CLAUDE_ID}`,
      ),
    });
  });

  it('says that the directory of a session is gone', async () => {
    const id = '7d1e0a52-0000-4000-8000-000000000002';
    new ClaudeTranscript(place.home, id, '/home/ada/gone').prompt('Where?').answer('Here.');

    const result = await runRobota(place, ['resume', id]);

    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `robota: The directory /home/ada/gone of this session is gone. Restore it, or continue in a copy with: robota -r claude:${id}`,
      ),
    });
  });
});

describe('what a log is good for', () => {
  it('replays a session offline', async () => {
    const { stdout, code } = await runRobota(place, ['replay', 'ours']);

    expect(code).toBe(0);
    expect(stdout).toContain('where is the needle?');
  });

  it('validates a whole log and reports a broken one', async () => {
    const whole = await runRobota(place, ['validate', 'ours']);
    const log = join(place.home, '.robota/logs/ours.jsonl');
    const kept = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('"provider_response_normalized"'));
    writeFileSync(log, kept.join('\n'));
    const broken = await runRobota(place, ['validate', 'ours']);

    expect(whole).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Session replay log is valid.'),
    });
    expect(broken).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('PROVIDER_RESPONSE_NORMALIZED_MISSING'),
    });
  });
});

describe('robota config and doctor', () => {
  it('show what is configured without showing a key', async () => {
    writeFileSync(
      join(place.home, '.robota/settings.json'),
      JSON.stringify({
        currentProvider: 'work',
        providers: { work: { type: 'anthropic', apiKey: 'sk-ant-secret-key-value' } },
      }),
    );

    const config = await runRobota(place, ['config']);

    expect(config.code).toBe(0);
    expect(config.stdout).toContain('settings.json');
    expect(config.stdout).not.toContain('sk-ant-secret');
  });

  it('show which file each value comes from', async () => {
    const mine = join(place.home, '.robota/settings.json');
    const ours = join(place.project, '.robota/settings.json');
    mkdirSync(join(place.project, '.robota'));
    const providers = { work: { type: 'openai', apiKey: '$ENV:HOME' } };
    writeFileSync(mine, JSON.stringify({ language: 'German', providers, sandbox: 'on' }));
    writeFileSync(
      ours,
      JSON.stringify({ language: 'French', permissions: { deny: ['Bash'] }, vault: false }),
    );
    const env = { ROBOTA_MODEL: 'gpt-5' };

    const untrusted = await runRobota(place, ['config'], { env });
    const { stdout } = await runRobota(place, ['config', '--trust'], { env });
    const json = await runRobota(place, ['config', '--trust', '--json'], { env });

    const expected = [
      { source: 'environment', settings: { model: 'gpt-5' } },
      {
        source: ours,
        settings: { language: 'French', permissions: { deny: ['Bash'] }, vault: false },
      },
      {
        source: mine,
        settings: {
          providers: { work: { type: 'openai', apiKey: '[REDACTED]' } },
          sandbox: 'on',
        },
      },
    ];
    expect(untrusted.stdout).toContain(
      `Inactive   vault of ${ours}, until the directory is trusted`,
    );
    expect(untrusted.stdout).not.toContain('vault: false');
    expect(JSON.parse(json.stdout).values).toEqual(expected);
    expect(stdout).toContain(`From environment
  model: "gpt-5"
From ${ours}
  language: "French"
  permissions.deny: ["Bash"]
  vault: false
From ${mine}
  providers.work.type: "openai"
  providers.work.apiKey: "[REDACTED]"
  sandbox: "on"
`);
  });

  it('find nothing wrong on a good machine', async () => {
    const { code, stdout } = await runRobota(place, ['doctor']);

    expect(stdout).toContain('✓ Home');
    expect(code).toBe(0);
  });

  it('name the settings file that is broken', async () => {
    writeFileSync(join(place.home, '.robota/settings.json'), '{ broken');

    const { code, stdout } = await runRobota(place, ['doctor']);

    expect(code).toBe(1);
    expect(stdout).toContain('.robota/settings.json');
  });
});

it('shows a short demonstration without a terminal and ends well', async () => {
  const { code, stdout } = await runRobota(place, []);

  expect(code).toBe(0);
  for (const text of ['❯ run', '? Bash wants to run', 'approved', '● Bash', '● ', 'Saved as']) {
    expect(stdout).toContain(text);
  }
});
