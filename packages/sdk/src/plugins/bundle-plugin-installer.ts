import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { projectPaths, userPaths } from '../paths.ts';
import { BundlePluginLoader } from './bundle-plugin-loader.ts';
import { compareVersions } from './compare-versions.ts';
import { assertSelfContained } from './contained-path.ts';
import { assertPluginName, pluginId } from './plugin-name.ts';
import { type InstalledPlugin, JsonRegistry } from './plugin-registry.ts';

export interface BundlePluginInstallerOptions {
  readonly scope: 'user' | 'project';
  /** The project, for that scope. */
  readonly cwd?: string;
}

export interface InstallOptions {
  readonly marketplace?: string;
  /** The name the plugin goes by where it comes from; its manifest must agree. */
  readonly expectedName?: string;
  /** Counts where the manifest names no version. */
  readonly fallbackVersion?: string;
}

/** Installs plugins for a user or a project and remembers which are enabled. */
export class BundlePluginInstaller {
  /** The folder that holds the plugins and the registry file. */
  readonly directory: string;
  readonly #registry: JsonRegistry<InstalledPlugin>;
  readonly #loader = new BundlePluginLoader();

  constructor({ scope, cwd = process.cwd() }: BundlePluginInstallerOptions) {
    this.directory = scope === 'user' ? userPaths().plugins : projectPaths(cwd).plugins;
    this.#registry = new JsonRegistry(join(this.directory, 'installed_plugins.json'));
  }

  /** Copies a plugin from a directory. A newer version replaces an older one, never the other way round. */
  async install(source: string, options: InstallOptions = {}): Promise<InstalledPlugin> {
    const { manifest } = await this.#loader.load(source);
    const { name } = manifest;
    const { marketplace, expectedName = name, fallbackVersion = manifest.version } = options;
    if (name !== expectedName) {
      throw new Error(`The plugin offered as "${expectedName}" calls itself "${name}"`);
    }
    if (marketplace !== undefined) assertPluginName(marketplace, 'The marketplace');
    const version = manifest.version === '0.0.0' ? fallbackVersion : manifest.version;
    assertPluginName(version, `The version of plugin ${name}`);
    const id = pluginId(name, marketplace);
    const before = this.find(id);
    if (before) refuseOlder(before, version);
    await assertSelfContained(source);
    const path = join('cache', marketplace ?? 'local', name, version);
    await rm(join(this.directory, path), { recursive: true, force: true });
    await cp(source, join(this.directory, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !/(^|[/\\])\.git$/.test(file),
    });
    if (before && before.path !== path) await this.#remove(before);
    const installed: InstalledPlugin = {
      id,
      name,
      version,
      ...(marketplace !== undefined && { marketplace }),
      path,
      isEnabled: before?.isEnabled ?? true,
      installedAt: new Date().toISOString(),
    };
    this.#registry.set(id, installed);
    return installed;
  }

  async uninstall(id: string): Promise<void> {
    const plugin = this.#known(id);
    this.#registry.delete(plugin.id);
    await this.#remove(plugin);
  }

  enable(id: string): void {
    this.#registry.set(this.#known(id).id, { ...this.#known(id), isEnabled: true });
  }

  disable(id: string): void {
    this.#registry.set(this.#known(id).id, { ...this.#known(id), isEnabled: false });
  }

  list(): InstalledPlugin[] {
    return Object.values(this.#registry.read());
  }

  /** By id, or by name where only one plugin has it. */
  find(id: string): InstalledPlugin | undefined {
    const all = this.list();
    const exact = all.find((plugin) => plugin.id === id);
    const named = all.filter((plugin) => plugin.name === id);
    return exact ?? (named.length === 1 ? named[0] : undefined);
  }

  directoryOf(plugin: InstalledPlugin): string {
    return join(this.directory, plugin.path);
  }

  #known(id: string): InstalledPlugin {
    const plugin = this.find(id);
    if (plugin) return plugin;
    throw new Error(`Plugin "${id}" is not installed`);
  }

  async #remove(plugin: InstalledPlugin): Promise<void> {
    await rm(this.directoryOf(plugin), { recursive: true, force: true });
  }
}

function refuseOlder(before: InstalledPlugin, version: string): void {
  const order = compareVersions(version, before.version);
  if (order > 0) return;
  const what =
    order === 0
      ? 'is already installed'
      : `is installed as ${before.version}, which is newer than ${version}`;
  throw Object.assign(new Error(`Plugin "${before.id}" ${what}`), { code: 'already_installed' });
}
