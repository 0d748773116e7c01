import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  BundlePluginInstaller,
  BundlePluginLoader,
  CommandRegistry,
  compareVersions,
  InteractiveSession,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { completePlugin, writeFolder } from './plugin-place.ts';

const place = useTestPlace();

function plugin(files: Record<string, unknown> = completePlugin(), folder = 'source'): string {
  return writeFolder(join(place.home, folder), files);
}

function manifest(fields: Record<string, unknown>): Record<string, unknown> {
  return { '.claude-plugin/plugin.json': { name: 'p', version: '1.0.0', ...fields } };
}

describe('BundlePluginLoader', () => {
  it('reads the manifest and everything the plugin brings', async () => {
    const directory = plugin();

    const loaded = await new BundlePluginLoader().load(directory);

    expect(loaded.manifest).toEqual({
      name: 'toolkit',
      version: '1.0.0',
      description: 'One of everything',
      keywords: ['all'],
    });
    expect(loaded.skills.map(({ name }) => name)).toEqual(['greet']);
    expect(loaded.commands.map(({ name }) => name)).toEqual(['audit']);
    expect(loaded.agents.map(({ name }) => name)).toEqual(['critic']);
    expect(loaded.hooks.UserPromptSubmit?.[0]?.hooks).toEqual([
      { type: 'command', command: `cat "${directory}/note.txt"` },
    ]);
    expect(Object.keys(loaded.mcpServers)).toEqual(['odd']);
    expect(loaded.tools.map(({ schema }) => schema.name)).toEqual(['Shout']);
    expect(loaded.permissions).toEqual({ allow: ['Shout'], deny: ['Bash(rm *)'] });
    expect(loaded.problems).toEqual([]);
  });

  it('rejects a directory without a manifest and a manifest that is broken, naming the file', async () => {
    const loader = new BundlePluginLoader();
    const file = '.claude-plugin/plugin.json';
    const broken = plugin({ [file]: '{ no' }, 'broken');
    const wrong = plugin({ [file]: { name: 'p', keywords: 'one' } }, 'wrong');
    const climbing = plugin({ [file]: { name: '../p' } }, 'climbing');

    await expect(loader.load(place.project)).rejects.toThrow('is no plugin');
    await expect(loader.load(broken)).rejects.toThrow(`Cannot read ${broken}/${file}`);
    await expect(loader.load(wrong)).rejects.toThrow(`Cannot read ${wrong}/${file}: keywords`);
    await expect(loader.load(climbing)).rejects.toThrow('not a plain word');
  });

  it('names parts that the manifest promises and the plugin lacks, or that lie outside of it', async () => {
    writeFolder(place.home, { 'outside/SKILL.md': 'secret', 'evil.mjs': 'globalThis.hacked = 1' });
    const directory = plugin(
      manifest({
        skills: ['./missing', '../outside'],
        commands: '/etc',
        tools: '../evil.mjs',
        hooks: { PreToolUse: 'nonsense' },
      }),
    );

    const loaded = await new BundlePluginLoader().load(directory);

    expect(loaded.skills).toEqual([]);
    expect(loaded.commands).toEqual([]);
    expect(loaded.tools).toEqual([]);
    expect(loaded.problems).toEqual([
      `Plugin p: "./missing" does not exist in ${directory}`,
      `Plugin p: "../outside" leads out of ${directory}`,
      `Plugin p: "/etc" leads out of ${directory}`,
      expect.stringContaining('hooks.PreToolUse is not a list'),
      `Plugin p: "../evil.mjs" leads out of ${directory}`,
    ]);
    expect('hacked' in globalThis).toBe(false);
  });
});

describe('BundlePluginInstaller', () => {
  it('installs for a user or a project, each with a registry of its own', async () => {
    const user = new BundlePluginInstaller({ scope: 'user' });
    const project = new BundlePluginInstaller({ scope: 'project', cwd: place.project });

    await user.install(plugin());
    await project.install(plugin(completePlugin('2.0.0')));

    expect(user.list().map(({ id, version }) => [id, version])).toEqual([['toolkit', '1.0.0']]);
    expect(project.list().map(({ id, version }) => [id, version])).toEqual([['toolkit', '2.0.0']]);
    expect(existsSync(join(place.home, '.robota/plugins/installed_plugins.json'))).toBe(true);
    expect(existsSync(join(place.project, '.robota/plugins/installed_plugins.json'))).toBe(true);
  });

  it('takes 10.0.0 for newer than 9.0.0 and never goes back', async () => {
    const installer = new BundlePluginInstaller({ scope: 'user' });

    const nine = await installer.install(plugin(manifest({ version: '9.0.0' })));
    const ten = await installer.install(plugin(manifest({ version: '10.0.0' })));
    const back = installer.install(plugin(manifest({ version: '9.9.9' })));

    await expect(back).rejects.toThrow('is installed as 10.0.0, which is newer than 9.9.9');
    await expect(installer.install(plugin(manifest({ version: '10.0.0' })))).rejects.toThrow(
      'Plugin "p" is already installed',
    );
    expect(installer.list().map(({ version }) => version)).toEqual(['10.0.0']);
    expect(existsSync(installer.directoryOf(nine))).toBe(false);
    expect(existsSync(installer.directoryOf(ten))).toBe(true);
  });

  it('refuses a plugin with a link that leads out of it', async () => {
    const directory = plugin(manifest({}));
    symlinkSync('/etc/hosts', join(directory, 'hosts'));

    const installing = new BundlePluginInstaller({ scope: 'user' }).install(directory);

    await expect(installing).rejects.toThrow(`leads out of ${directory}`);
  });

  it('forgets what is uninstalled and says what was never installed', async () => {
    const installer = new BundlePluginInstaller({ scope: 'user' });
    const installed = await installer.install(plugin());

    await installer.uninstall('toolkit');

    expect(installer.list()).toEqual([]);
    expect(existsSync(installer.directoryOf(installed))).toBe(false);
    await expect(installer.uninstall('toolkit')).rejects.toThrow(
      'Plugin "toolkit" is not installed',
    );
    expect(() => installer.disable('toolkit')).toThrow('Plugin "toolkit" is not installed');
  });
});

describe('a session with a plugin', () => {
  async function ask(options: { trust?: boolean; config?: object } = {}) {
    const provider = scriptedProvider(calls({ id: 's', name: 'Shout', args: {} }), says('done'));
    const session = new InteractiveSession({ cwd: place.project, provider, ...options });
    await session.submit('go');
    const registry = new CommandRegistry();
    for (const source of session.getCommandSources()) registry.addSource(source);
    await session.shutdown();
    return { provider, session, registry };
  }

  it('has its tools, rules, hooks, agents, skills, commands, servers and words', async () => {
    await new BundlePluginInstaller({ scope: 'user' }).install(plugin());

    const { provider, session, registry } = await ask();

    const [first, second] = provider.requests;
    expect(first?.[0]?.content).toContain('## Plugin toolkit\nThe toolkit is here.');
    expect(first?.at(-1)?.content).toContain('a note of the plugin');
    expect(second?.at(-1)?.content).toBe('HELLO');
    const tools = provider.requestOptions[0]?.tools ?? [];
    expect(tools.map(({ name }) => name)).toContain('robota_command_toolkit_greet');
    expect(tools.find(({ name }) => name === 'Agent')?.description).toContain('critic: Criticises');
    expect(registry.getCommands().map(({ name }) => name)).toEqual([
      'toolkit:audit',
      'toolkit:greet',
    ]);
    expect(registry.resolveQualifiedName('audit')).toBe('toolkit:audit');
    expect(session.getNotices().map(({ message }) => message)).toEqual([
      expect.stringContaining('the server "odd" of plugin toolkit has the type "pigeon"'),
      expect.stringContaining('Deny rules stop commands we can read'),
    ]);
  });

  it('has nothing of a plugin that is disabled, in the registry or in the settings', async () => {
    const installer = new BundlePluginInstaller({ scope: 'user' });
    await installer.install(plugin());
    installer.disable('toolkit');

    const disabled = await ask();
    installer.enable('toolkit');
    const off = await ask({ config: { enabledPlugins: { toolkit: false } } });
    const enabled = await ask();

    const names = ({ provider }: Awaited<ReturnType<typeof ask>>) =>
      provider.requestOptions[0]?.tools?.map(({ name }) => name);
    expect(names(disabled)).not.toContain('Shout');
    expect(names(off)).not.toContain('Shout');
    expect(names(enabled)).toContain('Shout');
  });

  it('has plugins of the project only where the project is trusted', async () => {
    await new BundlePluginInstaller({ scope: 'project', cwd: place.project }).install(plugin());

    const untrusted = await ask();
    const trusted = await ask({ trust: true });

    expect(untrusted.session.getNotices()).toContainEqual({
      kind: 'extension',
      message: 'This directory is not trusted, so its plugins are not loaded.',
    });
    expect(trusted.provider.requests[1]?.at(-1)?.content).toBe('HELLO');
  });
});

it('compares versions by number, with previews before what they lead to', () => {
  const versions = ['10.0.0', '9.0.0', '10.0.0-rc.2', '10.0.0-rc.10', 'v9.1', '9.0.1'];

  expect(versions.toSorted(compareVersions)).toEqual([
    '9.0.0',
    '9.0.1',
    'v9.1',
    '10.0.0-rc.2',
    '10.0.0-rc.10',
    '10.0.0',
  ]);
});
