import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveSettings } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { SETTINGS_OF_CLAUDE_CODE } from './settings-of-claude-code.ts';

const place = useTestPlace();
const resolve = (trust: boolean | undefined = true) =>
  resolveSettings({ cwd: place.project, trust });
const guard = { type: 'command', command: 'guard.sh' };

describe('an entry that is not understood', () => {
  it.each([
    [{ model: 7 }, 'model'],
    [{ permissions: { deny: 'Bash' } }, 'permissions.deny'],
    [{ permissions: { deny: ['Bash', 7, 'Read', {}] } }, 'permissions.deny.1'],
    [{ permissions: { defaultMode: 'delegate' } }, 'permissions.defaultMode'],
    [{ permissions: [] }, 'permissions'],
    [{ env: { A: { deep: 1 } } }, 'env.A'],
    [
      { hooks: { PreToolUse: [{ hooks: [{ type: 'fly' }] }] } },
      'hooks.PreToolUse[0].hooks[0].type',
    ],
    [{ hooks: [] }, 'hooks'],
    [{ currentProvider: 'x', providers: {} }, 'currentProvider'],
    [{ currentProvider: 'x', providers: { x: {} } }, 'providers.x.type'],
    [{ extraKnownMarketplaces: { a: {} } }, 'extraKnownMarketplaces.a'],
    [{ autoCompactThreshold: 'never' }, 'autoCompactThreshold'],
    [{ defaultTrustLevel: 'very' }, 'defaultTrustLevel'],
    [{ disableAllHooks: 'yes' }, 'disableAllHooks'],
    [[], ''],
    ['text', ''],
  ])('is left out with a notice that names file and field: %j', async (written, field) => {
    const file = place.writeHome('.robota/settings.json', JSON.stringify(written));
    place.write('.claude/settings.json', { language: 'ko' });

    const { config, notices } = await resolve();

    expect(config.language).toBe('ko');
    expect(notices[0]).toContain(field === '' ? `${file}: ` : `${file}: ${field}: `);
  });

  it('leaves its neighbours as they are', async () => {
    place.writeHome('.claude/settings.json', {
      model: null,
      env: { A: 1, B: true, C: 'c', D: null, E: [] },
      permissions: { allow: ['Read', 3], deny: ['Bash(rm *)'], defaultMode: 'delegate' },
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'fly' }, { ...guard, timeout: '30' }] }],
      },
      enabledPlugins: { a: true, b: ['^1.0.0'], c: 'x' },
    });
    place.write('.robota/settings.json', { permissions: { defaultMode: 'plan' } });

    const { config, notices } = await resolve();

    expect(config).toMatchObject({
      env: { A: '1', B: 'true', C: 'c' },
      permissionMode: 'plan',
      permissions: { allow: ['Read'], deny: ['Bash(rm *)'] },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ ...guard, timeout: 30 }] }] },
      enabledPlugins: { a: true, b: true },
    });
    expect(notices).toHaveLength(4);
  });

  it('of the mode falls back to the mode of the next layer', async () => {
    place.write('.claude/settings.json', { permissions: { defaultMode: 'delegate' } });
    place.writeHome('.robota/settings.json', { permissions: { defaultMode: 'acceptEdits' } });

    expect((await resolve()).config.permissionMode).toBe('acceptEdits');
  });
});

describe('a slip is noticed', () => {
  it.each([
    [{ langage: 'ko' }, 'langage: is not a setting; did you mean language?'],
    [{ Model: 'x' }, 'Model: is not a setting; did you mean model?'],
    [{ permissions: { alow: [] } }, 'permissions.alow: is not a setting; did you mean allow?'],
    [
      { hooks: { PreTolUse: [] } },
      'hooks.PreTolUse: is not an event, so its hooks never run; did you mean PreToolUse?',
    ],
    [
      { hooks: { Stop: [{ matcher: '[', hooks: [] }] } },
      'hooks.Stop[0].matcher: is not a regular expression: [.',
    ],
    [
      { permissions: { deny: ['Bash(ls'] } },
      'permissions.deny: the rule Bash(ls has no closing parenthesis.',
    ],
    [
      { permissions: { allow: ['Bash(ls'] } },
      'permissions.allow: the rule Bash(ls has no closing parenthesis; left out.',
    ],
    [
      { permissions: { deny: ['Bsh(rm *)'] } },
      'permissions.deny: the rule Bsh(rm *) names no tool known here; did you mean Bash?',
    ],
  ])('%j', async (written, notice) => {
    const file = place.writeHome('.claude/settings.json', written);

    expect((await resolve()).notices).toEqual([`${file}: ${notice}`]);
  });

  it('and a rule that cannot be read allows nothing, but goes on forbidding', async () => {
    place.writeHome('.claude/settings.json', {
      permissions: { allow: ['Bash(ls', 'Read'], deny: ['Bash(rm'], ask: ['Edit(x'] },
    });

    expect((await resolve()).config.permissions).toMatchObject({
      allow: ['Read'],
      deny: ['Bash(rm'],
      ask: ['Edit(x'],
    });
  });

  it.each([
    'mcp__server',
    'mcp__a__b',
    'mcp__*',
    '*',
    'MyOwnTool(x)',
    'Bash(a (b) c)',
    'WebFetch(domain:x.example)',
  ])('and the rule %s is none', async (rule) => {
    place.writeHome('.claude/settings.json', { permissions: { allow: [rule], deny: [rule] } });

    expect((await resolve()).notices).toEqual([]);
  });
});

describe('a file that cannot be used', () => {
  it('is an error when it is our own and no JSON, a notice when it is Claude Code’s', async () => {
    const foreign = place.writeHome('.claude/settings.json', '{ "permissions": ');
    const first = await resolve();
    const own = place.writeHome('.robota/settings.json', '{ "permissions": ');

    expect(first.notices).toEqual([
      expect.stringMatching(`^${foreign}: not valid JSON .*left out`),
    ]);
    await expect(resolve()).rejects.toMatchObject({ code: 'invalid_settings', file: own });
  });

  it('because it is a pipe does not hang the program', async () => {
    mkdirSync(join(place.project, '.claude'));
    const pipe = join(place.project, '.claude/settings.json');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);

    expect((await resolve()).notices).toEqual([
      `${pipe}: is not a regular file; the file is left out.`,
    ]);
  });

  it('because it is a link out of the project is left out; a link inside of it is followed', async () => {
    const secret = place.writeHome('secret.json', { language: 'secret' });
    mkdirSync(join(place.project, '.claude'));
    const link = join(place.project, '.claude/settings.json');
    symlinkSync(secret, link);
    place.write('shared/local.json', { language: 'shared' });
    symlinkSync('../shared/local.json', join(place.project, '.claude/settings.local.json'));

    const { config, notices } = await resolve();

    expect(config.language).toBe('shared');
    expect(notices).toEqual([
      `${link}: is a link that leads out of ${place.project}; the file is left out.`,
    ]);
  });

  it('because it is larger than a megabyte is left out', async () => {
    const file = place.writeHome('.claude/settings.json', ' '.repeat(1024 * 1024 + 1));

    expect((await resolve()).notices).toEqual([
      `${file}: has 1,025 KB; up to 1024 KB are read; the file is left out.`,
    ]);
  });

  it('may be a link anywhere where the user keeps it', async () => {
    const real = place.writeHome('dotfiles/settings.json', { language: 'ko' });
    mkdirSync(join(place.home, '.claude'));
    symlinkSync(real, join(place.home, '.claude/settings.json'));

    expect((await resolve()).config.language).toBe('ko');
  });
});

it('disableAllHooks is heard, and told where hooks were meant to run', async () => {
  const file = place.writeHome('.claude/settings.json', {
    disableAllHooks: true,
    hooks: { Stop: [{ hooks: [guard] }] },
  });

  const { config, notices } = await resolve();

  expect(config.disableAllHooks).toBe(true);
  expect(notices).toEqual([`${file}: disableAllHooks: no hooks are run.`]);
});

it('an untrusted project cannot switch the user’s hooks off', async () => {
  place.writeHome('.claude/settings.json', { hooks: { Stop: [{ hooks: [guard] }] } });
  place.write('.claude/settings.json', { disableAllHooks: true });

  const { config, inactive } = await resolve(false);

  expect(config.disableAllHooks).toBeUndefined();
  expect(inactive.map(({ field }) => field)).toEqual(['disableAllHooks']);
});

describe('.mcp.json alone', () => {
  const servers = { files: { command: 'serve' } };

  it('is asked about and named', async () => {
    const file = place.write('.mcp.json', { mcpServers: servers });
    const asked: string[] = [];

    const { inactive } = await resolveSettings({ cwd: place.project });
    await resolveSettings({
      cwd: place.project,
      trust: (directory) => {
        asked.push(directory);
        return true;
      },
    });

    expect(inactive).toEqual([{ file, field: 'mcpServers', value: servers }]);
    expect(asked).toEqual([place.project]);
  });

  it.each([{ mcpServers: {} }, '{ broken', { other: 1 }])(
    'without a server asks nobody: %j',
    async (written) => {
      place.write('.mcp.json', written);

      expect((await resolveSettings({ cwd: place.project })).inactive).toEqual([]);
    },
  );

  it('that is a link to somewhere else starts nothing', async () => {
    const elsewhere = place.writeHome('servers.json', { mcpServers: servers });
    symlinkSync(elsewhere, join(place.project, '.mcp.json'));
    writeFileSync(join(place.project, 'x'), '');

    expect((await resolveSettings({ cwd: place.project })).inactive).toEqual([]);
  });
});

it('settings as Claude Code writes them, with every key it knows, need no word', async () => {
  place.writeHome('.claude/settings.json', SETTINGS_OF_CLAUDE_CODE);
  place.write('.claude/settings.json', SETTINGS_OF_CLAUDE_CODE);
  place.write('.claude/settings.local.json', SETTINGS_OF_CLAUDE_CODE);

  const { config, notices } = await resolve();

  expect(notices).toEqual([]);
  expect(config).toMatchObject({
    language: 'japanese',
    permissionMode: 'default',
    provider: { model: 'claude-opus-4-6' },
    env: { ENABLE_TOOL_SEARCH: 'true', MAX_THINKING_TOKENS: '4000' },
  });
  expect(config.hooks?.PreToolUse).toHaveLength(6);
});
