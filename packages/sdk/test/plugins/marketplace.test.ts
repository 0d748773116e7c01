import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  BundlePluginInstaller,
  InteractiveSession,
  MarketplaceClient,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { commitAll, writeFolder } from './plugin-place.ts';

const place = useTestPlace();
const FILE = '.claude-plugin/marketplace.json';

function pluginFiles(folder: string, name: string, version: string): Record<string, unknown> {
  return {
    [`${folder}/.claude-plugin/plugin.json`]: { name, version },
    [`${folder}/commands/run.md`]: 'Run.',
  };
}

/** A marketplace with two plugins, as a real repository. */
function repository(version = '9.0.0'): string {
  const folder = writeFolder(join(place.home, 'market'), {
    [FILE]: {
      name: 'bazaar',
      plugins: [
        { name: 'lamp', source: './plugins/lamp', description: 'Gives light', tags: ['oil'] },
        { name: 'carpet', source: './plugins/carpet', description: 'Flies', category: 'travel' },
        { name: 'thief', source: '../secret', description: 'Climbs' },
        { name: 'liar', source: './plugins/lamp', description: 'Is another' },
        { name: 'odd', source: { source: 'ftp', url: 'ftp://x' }, description: 'From nowhere' },
      ],
    },
    ...pluginFiles('plugins/lamp', 'lamp', version),
    ...pluginFiles('plugins/carpet', 'carpet', '1.0.0'),
  });
  writeFolder(join(place.home, 'secret'), { '.claude-plugin/plugin.json': { name: 'thief' } });
  commitAll(folder);
  return folder;
}

function makeClient() {
  const installer = new BundlePluginInstaller({ scope: 'user' });
  return { installer, client: new MarketplaceClient({ installer, cwd: place.project }) };
}

describe('MarketplaceClient', () => {
  it('adds a git repository, searches it, installs from it and removes it with its plugins', async () => {
    const { client, installer } = makeClient();

    const added = await client.add(`file://${repository()}`);
    const found = client.search('LIGHT oil');
    const installed = await client.install('lamp', 'bazaar');

    expect(added.name).toBe('bazaar');
    expect(client.list().map(({ name }) => name)).toEqual(['bazaar']);
    expect(found).toEqual([
      { name: 'lamp', marketplace: 'bazaar', description: 'Gives light', keywords: ['oil'] },
    ]);
    expect(client.search('travel').map(({ name }) => name)).toEqual(['carpet']);
    expect(installed).toMatchObject({ id: 'lamp@bazaar', version: '9.0.0' });
    expect(existsSync(join(installer.directoryOf(installed), 'commands/run.md'))).toBe(true);

    await client.remove('bazaar');

    expect([client.list(), installer.list()]).toEqual([[], []]);
  });

  it('brings installed plugins from 9 to 10 when the repository does', async () => {
    const { client, installer } = makeClient();
    await client.add(`file://${repository('9.0.0')}`);
    await client.install('lamp', 'bazaar');
    await client.install('carpet', 'bazaar');

    const unchanged = await client.update('bazaar');
    repository('10.0.0');
    const updated = await client.update('bazaar');

    expect(unchanged).toEqual([]);
    expect(updated.map(({ id, version }) => [id, version])).toEqual([['lamp@bazaar', '10.0.0']]);
    expect(
      installer
        .list()
        .map(({ version }) => version)
        .sort(),
    ).toEqual(['1.0.0', '10.0.0']);
  });

  it('takes a directory where it lies, and the URL of a marketplace file', async () => {
    const folder = repository();
    const server = createServer((_request, response) => {
      response.end(
        JSON.stringify({
          name: 'web',
          plugins: [{ name: 'carpet', source: { source: 'git', url: `file://${folder}` } }],
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { client } = makeClient();

    const local = await client.add(folder);
    const web = await client.add(`http://127.0.0.1:${port}/marketplace.json`);
    server.close();

    expect([local.source.type, web.source.type]).toEqual(['path', 'url']);
    expect(client.search('carpet').map(({ marketplace }) => marketplace)).toEqual([
      'bazaar',
      'web',
    ]);
    expect(await client.install('lamp', 'bazaar')).toMatchObject({ version: '9.0.0' });
    await expect(client.install('carpet', 'web')).rejects.toThrow('is no plugin');
  });

  it('refuses plugins that climb out, lie about their name, or come from an unknown source', async () => {
    const { client } = makeClient();
    await client.add(repository());

    await expect(client.install('thief', 'bazaar')).rejects.toThrow('leads out of');
    await expect(client.install('liar', 'bazaar')).rejects.toThrow(
      'The plugin offered as "liar" calls itself "lamp"',
    );
    await expect(client.install('odd', 'bazaar')).rejects.toThrow('Unknown plugin source');
    await expect(client.install('none', 'bazaar')).rejects.toThrow(
      'Plugin "none" not found in marketplace "bazaar"',
    );
    await expect(client.install('lamp', 'none')).rejects.toThrow('Marketplace "none" not found');
  });

  it('refuses what is no marketplace and leaves nothing behind', async () => {
    const { client } = makeClient();
    const plain = writeFolder(join(place.home, 'plain'), { 'readme.md': 'x' });
    commitAll(plain);
    const climbing = writeFolder(join(place.home, 'climbing'), {
      [FILE]: { name: '../up', plugins: [] },
    });
    const market = repository();
    await client.add(market);

    await expect(client.add(`file://${plain}`)).rejects.toThrow(`does not contain ${FILE}`);
    await expect(client.add(climbing)).rejects.toThrow('not a plain word');
    await expect(client.add(market)).rejects.toThrow('Marketplace "bazaar" already exists');
    await expect(client.add('what is this')).rejects.toThrow('is no source of plugins');
    await expect(client.add(`file://${place.home}/missing`)).rejects.toThrow(
      'Failed to clone marketplace',
    );
    await expect(
      client.add({ type: 'git', url: '--upload-pack=touch /tmp/owned' }),
    ).rejects.toThrow('cannot be given to git');
    await expect(client.add({ type: 'git', url: 'ext::sh -c touch% owned' })).rejects.toThrow(
      'Failed to clone',
    );
    expect(readdirSync(join(place.home, '.robota/plugins/marketplaces'))).toEqual([]);
  });
});

describe('the command plugin', () => {
  it('finds, installs, switches and removes, and says what it cannot do', async () => {
    const config = {
      extraKnownMarketplaces: { bazaar: { source: { source: 'directory', path: repository() } } },
    };
    const provider = scriptedProvider();
    const session = new InteractiveSession({ cwd: place.project, provider, config });
    const orders = [
      'marketplace list',
      'marketplace add bazaar',
      'search flies',
      'install carpet@bazaar',
      'disable carpet@bazaar',
      'list',
      'enable carpet@bazaar',
      'marketplace update bazaar',
      'uninstall carpet@bazaar',
      'install carpet@nowhere',
      'marketplace remove bazaar',
      'list',
    ];

    const answers: (string | undefined)[] = [];
    for (const order of orders)
      answers.push((await session.executeCommand('plugin', order))?.message);
    const odd = await session.executeCommand('plugin', 'juggle');
    await session.shutdown();

    expect(answers).toEqual([
      'There are no marketplaces.',
      'The marketplace bazaar was added.',
      'carpet@bazaar: Flies',
      'carpet@bazaar 1.0.0 was installed.',
      'carpet@bazaar is disabled.',
      'carpet@bazaar 1.0.0 (disabled)',
      'carpet@bazaar is enabled.',
      'Everything is up to date.',
      'carpet@bazaar was uninstalled.',
      'Marketplace "nowhere" not found',
      'The marketplace bazaar and its plugins were removed.',
      'No plugins are installed.',
    ]);
    expect(odd).toMatchObject({
      success: false,
      message: expect.stringContaining('Usage: plugin'),
    });
  });
});
