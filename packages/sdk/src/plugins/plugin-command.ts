import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { CommandResult, SystemCommand } from '../commands/system-command.ts';
import { BundlePluginInstaller } from './bundle-plugin-installer.ts';
import { MarketplaceClient } from './marketplace-client.ts';
import { sourceFromSetting } from './marketplace-source.ts';

const USAGE =
  'Usage: plugin [list | search <words> | install <name>@<marketplace> | uninstall <id> | enable <id> | disable <id> | marketplace list|add [source]|update <name>|remove <name>]';

type Place = Pick<ExtensionContext, 'cwd' | 'config'>;
type Action = (
  client: PluginCommandContext,
  words: readonly string[],
) => Promise<CommandResult> | CommandResult;

interface PluginCommandContext {
  readonly installer: BundlePluginInstaller;
  readonly client: MarketplaceClient;
  readonly place: Place;
}

/** Manages plugins. Changes apply from the next session on. */
export function pluginCommand(place: Place): SystemCommand {
  return {
    name: 'plugin',
    description: 'Find, install, enable and disable plugins',
    async execute(_session, args) {
      const [action = 'list', ...words] = args.split(/\s+/).filter(Boolean);
      const installer = new BundlePluginInstaller({ scope: 'user' });
      const client = new MarketplaceClient({ installer, cwd: place.cwd });
      const act = ACTIONS.get(action);
      try {
        return act
          ? await act({ installer, client, place }, words)
          : { success: false, message: USAGE };
      } catch (error) {
        return { success: false, message: (error as Error).message };
      }
    },
  };
}

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['list', ({ installer }) => listInstalled(installer)],
  [
    'search',
    ({ client }, words) => {
      const plugins = client.search(words.join(' '));
      const lines = plugins.map((each) => `${each.name}@${each.marketplace}: ${each.description}`);
      return done(lines.join('\n') || 'No plugin was found.', { plugins });
    },
  ],
  [
    'install',
    async ({ client }, [id = '']) => {
      const [name = '', marketplace = ''] = id.split('@');
      const plugin = await client.install(name, marketplace);
      return done(`${plugin.id} ${plugin.version} was installed.`, { plugin });
    },
  ],
  [
    'uninstall',
    async ({ installer }, [id = '']) => {
      await installer.uninstall(id);
      return done(`${id} was uninstalled.`);
    },
  ],
  [
    'enable',
    ({ installer }, [id = '']) => {
      installer.enable(id);
      return done(`${id} is enabled.`);
    },
  ],
  [
    'disable',
    ({ installer }, [id = '']) => {
      installer.disable(id);
      return done(`${id} is disabled.`);
    },
  ],
  ['marketplace', (context, words) => marketplaces(context, words)],
]);

async function marketplaces(
  { client, place }: PluginCommandContext,
  [action = 'list', name]: readonly string[],
): Promise<CommandResult> {
  if (action === 'add') {
    // A name defined in settings is replaced with its source.
    const known = name === undefined ? undefined : place.config.extraKnownMarketplaces?.[name];
    const added = await client.add(known ? sourceFromSetting(known.source) : name);
    return done(`The marketplace ${added.name} was added.`, { marketplace: added });
  }
  if (action === 'list') {
    const known = client.list();
    return done(known.map((each) => each.name).join('\n') || 'There are no marketplaces.', {
      marketplaces: known,
    });
  }
  if (name === undefined || (action !== 'remove' && action !== 'update')) {
    return { success: false, message: USAGE };
  }
  if (action === 'remove') {
    await client.remove(name);
    return done(`The marketplace ${name} and its plugins were removed.`);
  }
  const updated = await client.update(name);
  const lines = updated.map(({ id, version }) => `${id} is now ${version}.`);
  return done(lines.join('\n') || 'Everything is up to date.', { updated });
}

function listInstalled(installer: BundlePluginInstaller): CommandResult {
  const plugins = installer.list();
  const lines = plugins.map(
    ({ id, version, isEnabled }) => `${id} ${version}${isEnabled ? '' : ' (disabled)'}`,
  );
  return done(lines.join('\n') || 'No plugins are installed.', { plugins });
}

function done(message: string, data?: Readonly<Record<string, unknown>>): CommandResult {
  return { success: true, message, ...(data && { data }) };
}
