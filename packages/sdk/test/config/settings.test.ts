import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { resolveSettings } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const resolve = (trust: boolean | undefined = true) =>
  resolveSettings({ cwd: place.project, trust });

describe('the six layers', () => {
  it('takes a field from the highest layer that has it', async () => {
    const layers = [
      () => place.writeHome('.claude/settings.json', { language: 'user claude' }),
      () => place.writeHome('.robota/settings.json', { language: 'user robota' }),
      () => place.write('.claude/settings.json', { language: 'project claude' }),
      () => place.write('.robota/settings.json', { language: 'project robota' }),
      () => place.write('.robota/settings.local.json', { language: 'local robota' }),
    ];
    const seen: (string | undefined)[] = [];

    for (const addLayer of layers) {
      addLayer();
      seen.push((await resolve()).config.language);
    }

    expect(seen).toEqual([
      'user claude',
      'user robota',
      'project claude',
      'project robota',
      'local robota',
    ]);
  });

  it('puts the environment above every file and the command line above that', async () => {
    place.write('.robota/settings.local.json', { language: 'local' });
    process.env.ROBOTA_LANGUAGE = 'environment';

    const fromEnvironment = (await resolve()).config.language;
    const fromCommandLine = await resolveSettings({
      cwd: place.project,
      overrides: { language: 'command line' },
    });

    expect([fromEnvironment, fromCommandLine.config.language]).toEqual([
      'environment',
      'command line',
    ]);
  });

  it('merges maps and lets rule lists and hook groups add up', async () => {
    place.writeHome('.robota/settings.json', {
      env: { A: '1', B: '1' },
      permissions: { allow: ['Read'], deny: ['Bash(rm *)'] },
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'user' }] }] },
    });
    place.write('.robota/settings.json', {
      env: { B: '2' },
      permissions: { allow: ['Read', 'Grep'] },
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'project' }] }] },
    });

    const { config } = await resolve();

    expect(config.env).toEqual({ A: '1', B: '2' });
    expect(config.permissions).toMatchObject({ allow: ['Read', 'Grep'], deny: ['Bash(rm *)'] });
    expect(
      config.hooks?.Stop?.flatMap((group) =>
        group.hooks.map((hook) => 'command' in hook && hook.command),
      ),
    ).toEqual(['user', 'project']);
  });

  it('knows which file a rule came from', async () => {
    const file = place.write('.claude/settings.json', { permissions: { deny: ['Bash(curl *)'] } });

    expect((await resolve()).config.permissions?.layers).toEqual({ 'Bash(curl *)': file });
  });
});

describe('$ENV references', () => {
  it('are filled in after the merge, in every string', async () => {
    process.env.TEST_SECRET = 's3cret';
    place.writeHome('.robota/settings.json', {
      providers: { main: { type: 'anthropic', apiKey: '$ENV:TEST_SECRET' } },
      currentProvider: 'main',
      mcpServers: { files: { command: 'serve', args: ['--token=$ENV:TEST_SECRET'] } },
    });

    const { config } = await resolve();

    expect(config.provider).toEqual({ type: 'anthropic', apiKey: 's3cret' });
    expect(config.mcpServers?.files?.args).toEqual(['--token=s3cret']);
  });

  it('stay as written when the variable is not set, with a notice', async () => {
    place.writeHome('.robota/settings.json', { provider: { apiKey: '$ENV:NOT_THERE' } });

    const { config, notices } = await resolve();

    expect(config.provider?.apiKey).toBe('$ENV:NOT_THERE');
    expect(notices).toEqual(['Settings refer to $ENV:NOT_THERE, which is not set.']);
  });
});

describe('Claude Code settings', () => {
  it('are understood: default mode, ask rules, further directories, model', async () => {
    place.write('.claude/settings.json', {
      model: 'claude-opus-4-6',
      permissions: {
        defaultMode: 'acceptEdits',
        ask: ['Bash(git push:*)'],
        additionalDirectories: ['../docs'],
      },
      includeCoAuthoredBy: false,
    });

    const { config } = await resolve();

    expect(config).toMatchObject({
      permissionMode: 'acceptEdits',
      provider: { model: 'claude-opus-4-6' },
      permissions: { ask: ['Bash(git push:*)'], additionalDirectories: ['../docs'] },
    });
    expect(config).not.toHaveProperty('includeCoAuthoredBy');
  });

  it('with a mode of its own that asks become the default mode', async () => {
    place.writeHome('.claude/settings.json', { permissions: { defaultMode: 'auto' } });

    expect((await resolve()).config.permissionMode).toBe('default');
  });
});

describe('a broken file', () => {
  it('that is not JSON is an error naming it', async () => {
    const file = place.write('.robota/settings.json', '{ "permissions": ');

    await expect(resolve()).rejects.toMatchObject({ code: 'invalid_settings', file });
  });

  it('that cannot be read is an error, not an absent one', async () => {
    mkdirSync(join(place.project, '.robota/settings.json'), { recursive: true });

    await expect(resolve()).rejects.toMatchObject({
      file: join(place.project, '.robota/settings.json'),
      message: expect.stringContaining('cannot be read (EISDIR)'),
    });
  });

  it('that is empty counts as absent', async () => {
    place.write('.robota/settings.json', '');

    expect((await resolve()).files).toEqual([]);
  });
});

it('reads the files of the home directory once when that is the working directory', async () => {
  place.writeHome('.robota/settings.json', { permissions: { allow: ['Read'] } });

  const { files, inactive } = await resolveSettings({ cwd: place.home });

  expect(files).toEqual([join(place.home, '.robota/settings.json')]);
  expect(inactive).toEqual([]);
});
