import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { projectPaths, userPaths } from '../paths.ts';
import { BundlePluginLoader } from './bundle-plugin-loader.ts';
import { compareVersions } from './compare-versions.ts';
import { assertSelfContained } from './contained-path.ts';
import { MANIFEST_FILE, type PluginManifestFile } from './plugin-manifest.ts';
import { assertPluginName, pluginId } from './plugin-name.ts';
import { type InstalledPlugin, JsonRegistry } from './plugin-registry.ts';

/** The scope plugins are installed in. */
export interface BundlePluginInstallerOptions {
  readonly scope: 'user' | 'project';
  /** The project directory, for scope `project`. */
  readonly cwd?: string | undefined;
}

/** Options of an installation. */
export interface InstallOptions {
  readonly marketplace?: string | undefined;
  /** The plugin's name in its marketplace; the manifest must match. */
  readonly expectedName?: string | undefined;
  /** Used when the manifest names no version. */
  readonly fallbackVersion?: string | undefined;
  /** Replaces the plugin's own manifest. */
  readonly manifest?: PluginManifestFile | undefined;
}

/** Installs plugins for a user or a project and stores which are enabled. */
export class BundlePluginInstaller {
  /** The folder of the plugins and the registry file. */
  readonly directory: string;
  readonly #registry: JsonRegistry<InstalledPlugin>;
  readonly #loader = new BundlePluginLoader();

  constructor({ scope, cwd = process.cwd() }: BundlePluginInstallerOptions) {
    this.directory = scope === 'user' ? userPaths().plugins : projectPaths(cwd).plugins;
    this.#registry = new JsonRegistry(join(this.directory, 'installed_plugins.json'));
  }

  /** Copies a plugin from a directory. A newer version replaces an older one, never the other way round. */
  async install(source: string, options: InstallOptions = {}): Promise<InstalledPlugin> {
    const { manifest } = await this.#loader.load(source, options.manifest);
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
    if (options.manifest) await this.#writeManifest(path, options.manifest);
    if (before && before.path !== join(this.directory, path)) await this.#remove(before);
    const entry: InstalledPlugin = {
      id,
      name,
      version,
      ...(marketplace !== undefined && { marketplace }),
      path,
      isEnabled: before?.isEnabled ?? true,
      installedAt: new Date().toISOString(),
    };
    this.#registry.set(id, entry);
    return { ...entry, path: join(this.directory, path) };
  }

  async uninstall(id: string): Promise<void> {
    const plugin = this.#known(id);
    this.#registry.delete(plugin.id);
    await this.#remove(plugin);
  }

  enable(id: string): void {
    this.#switch(id, true);
  }

  disable(id: string): void {
    this.#switch(id, false);
  }

  list(): InstalledPlugin[] {
    return Object.values(this.#registry.read()).map((plugin) => ({
      ...plugin,
      path: resolve(this.directory, plugin.path),
    }));
  }

  /** By id, or by name if unique. */
  find(id: string): InstalledPlugin | undefined {
    const all = this.list();
    const exact = all.find((plugin) => plugin.id === id);
    const named = all.filter((plugin) => plugin.name === id);
    return exact ?? (named.length === 1 ? named[0] : undefined);
  }

  directoryOf(plugin: InstalledPlugin): string {
    return resolve(this.directory, plugin.path);
  }

  #switch(id: string, isEnabled: boolean): void {
    const plugin = this.#known(id);
    const path = relative(this.directory, plugin.path);
    this.#registry.set(plugin.id, { ...plugin, path, isEnabled });
  }

  async #writeManifest(path: string, manifest: PluginManifestFile): Promise<void> {
    const file = join(this.directory, path, MANIFEST_FILE);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
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
