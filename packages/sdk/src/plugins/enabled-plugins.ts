import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { LoadedBundlePlugin } from './bundle-plugin.ts';
import { BundlePluginInstaller } from './bundle-plugin-installer.ts';
import { BundlePluginLoader } from './bundle-plugin-loader.ts';
import type { InstalledPlugin } from './plugin-registry.ts';

type Place = Pick<ExtensionContext, 'cwd' | 'config' | 'trusted' | 'notice'>;

/** The enabled plugins of a directory: the project's, when trusted, and the user's. Disabled ones are not read. */
export async function loadEnabledPlugins(place: Place): Promise<LoadedBundlePlugin[]> {
  const loader = new BundlePluginLoader();
  const loaded: LoadedBundlePlugin[] = [];
  for (const { plugin, directory } of installedPlugins(place)) {
    const isShadowed = loaded.some(({ manifest }) => manifest.name === plugin.name);
    if (isShadowed || !isEnabled(plugin, place)) continue;
    try {
      const found = await loader.load(directory);
      for (const problem of found.problems) place.notice(problem);
      loaded.push(found);
    } catch (error) {
      place.notice(`Plugin ${plugin.id} could not be loaded: ${(error as Error).message}`);
    }
  }
  return loaded;
}

function installedPlugins(place: Place): { plugin: InstalledPlugin; directory: string }[] {
  const { cwd, trusted, notice } = place;
  return (['project', 'user'] as const).flatMap((scope) => {
    const installer = new BundlePluginInstaller({ scope, cwd });
    const plugins = installer.list();
    if (scope === 'project' && !trusted && plugins.length > 0) {
      notice('This directory is not trusted, so its plugins are not loaded.');
      return [];
    }
    return plugins.map((plugin) => ({ plugin, directory: installer.directoryOf(plugin) }));
  });
}

/** Settings, by id or name, override the registry. */
function isEnabled({ id, name, isEnabled: isOn }: InstalledPlugin, { config }: Place): boolean {
  return config.enabledPlugins?.[id] ?? config.enabledPlugins?.[name] ?? isOn;
}
