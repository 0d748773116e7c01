import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { userPaths } from '../paths.ts';
import type { BundlePluginInstaller } from './bundle-plugin-installer.ts';
import { compareVersions } from './compare-versions.ts';
import { containedPath } from './contained-path.ts';
import { cloneRepository, commitOf, pullRepository } from './git.ts';
import {
  MARKETPLACE_FILE,
  type MarketplaceEntry,
  type MarketplaceFile,
  parseMarketplace,
  readMarketplaceFile,
} from './marketplace-file.ts';
import { type MarketplaceSource, parseSource, sourceFromSetting } from './marketplace-source.ts';
import { type PluginManifestFile, parseManifest } from './plugin-manifest.ts';
import { pluginId } from './plugin-name.ts';
import { type InstalledPlugin, JsonRegistry } from './plugin-registry.ts';

/** Robota's own marketplace. It is not contacted until a user adds it. */
export const DEFAULT_MARKETPLACE_URL = 'https://github.com/robota-sdk/plugins.git';

/** The installer for plugins, and where marketplaces are stored. */
export interface MarketplaceClientOptions {
  readonly installer: BundlePluginInstaller;
  /** Where marketplaces are stored; defaults to the user's plugins folder. */
  readonly directory?: string | undefined;
  /** Base of relative sources. */
  readonly cwd?: string | undefined;
}

/** A marketplace that was added. */
export interface KnownMarketplace {
  readonly name: string;
  readonly source: MarketplaceSource;
  readonly addedAt: string;
}

/** A plugin that a marketplace offers. */
export interface OfferedPlugin {
  readonly name: string;
  readonly marketplace: string;
  readonly description: string;
  readonly version?: string;
  readonly keywords: readonly string[];
  readonly category?: string;
}

/** Finds plugins in marketplaces and installs them. */
export class MarketplaceClient {
  readonly #installer: BundlePluginInstaller;
  readonly #directory: string;
  readonly #cwd: string;
  readonly #known: JsonRegistry<KnownMarketplace>;

  constructor({ installer, directory, cwd = process.cwd() }: MarketplaceClientOptions) {
    this.#installer = installer;
    this.#directory = directory ?? userPaths().plugins;
    this.#cwd = cwd;
    this.#known = new JsonRegistry(join(this.#directory, 'known_marketplaces.json'));
  }

  /** The default marketplace when no source is given. */
  async add(
    source: string | MarketplaceSource = DEFAULT_MARKETPLACE_URL,
  ): Promise<KnownMarketplace> {
    const from = typeof source === 'string' ? parseSource(source, this.#cwd) : source;
    const fetched = join(this.#directory, 'marketplaces', `.incoming-${randomUUID()}`);
    try {
      const { name } = await this.#fetch(from, fetched);
      if (this.#known.read()[name]) throw new Error(`Marketplace "${name}" already exists`);
      if (from.type !== 'path') await this.#moveInto(fetched, this.#folder(name));
      const known = { name, source: from, addedAt: new Date().toISOString() };
      this.#known.set(name, known);
      return known;
    } finally {
      await rm(fetched, { recursive: true, force: true });
    }
  }

  /** Also uninstalls its plugins. */
  async remove(name: string): Promise<void> {
    this.#get(name);
    for (const plugin of this.#installer.list()) {
      if (plugin.marketplace === name) await this.#installer.uninstall(plugin.id);
    }
    this.#known.delete(name);
    await rm(this.#folder(name), { recursive: true, force: true });
  }

  list(): KnownMarketplace[] {
    return Object.values(this.#known.read());
  }

  /** Fetches the marketplace and updates its installed plugins; returns those that changed. */
  async update(name: string): Promise<InstalledPlugin[]> {
    const { source } = this.#get(name);
    if (source.type === 'git') await pullRepository(this.#folder(name));
    if (source.type === 'url') await this.#fetch(source, this.#folder(name));
    const updated: InstalledPlugin[] = [];
    for (const plugin of this.#installer.list()) {
      if (plugin.marketplace !== name) continue;
      const entry = this.#read(name).plugins.find((each) => each.name === plugin.name);
      const newer = entry && (await this.#installIfNewer(entry, name, plugin));
      if (newer) updated.push(newer);
    }
    return updated;
  }

  /** Plugins whose name, description, keywords or category contain all words of the query. */
  search(query = ''): OfferedPlugin[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return this.list()
      .flatMap(({ name }) => this.#read(name).plugins.map((entry) => offerOf(entry, name)))
      .filter((offer) => {
        const { name, description, keywords, category = '' } = offer;
        const text = [name, description, ...keywords, category].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      });
  }

  async install(plugin: string, marketplace: string): Promise<InstalledPlugin> {
    this.#get(marketplace);
    const entry = this.#read(marketplace).plugins.find(({ name }) => name === plugin);
    if (!entry) throw new Error(`Plugin "${plugin}" not found in marketplace "${marketplace}"`);
    const installed = this.#installer.list().find(({ id }) => id === pluginId(plugin, marketplace));
    if (installed)
      throw new Error(`Plugin "${installed.id}" is already installed; update it instead`);
    return this.#install(entry, marketplace);
  }

  async #installIfNewer(
    entry: MarketplaceEntry,
    marketplace: string,
    before: InstalledPlugin,
  ): Promise<InstalledPlugin | undefined> {
    if (entry.version !== undefined && compareVersions(entry.version, before.version) <= 0) {
      return undefined;
    }
    try {
      return await this.#install(entry, marketplace);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'already_installed') return undefined;
      throw error;
    }
  }

  async #install(entry: MarketplaceEntry, marketplace: string): Promise<InstalledPlugin> {
    const { source, name: expectedName } = entry;
    const options = { marketplace, expectedName, manifest: manifestOf(entry, marketplace) };
    if (typeof source === 'string') {
      const folder = containedPath(this.#place(marketplace), source);
      const fallbackVersion = entry.version ?? (await this.#revision(marketplace));
      return this.#installer.install(folder, { ...options, fallbackVersion });
    }
    const from = sourceFromSetting(source);
    if (from.type === 'path') {
      if (this.#get(marketplace).source.type !== 'path') {
        throw new Error(
          `Plugin "${entry.name}" of ${marketplace} names a directory of this machine`,
        );
      }
      return this.#installer.install(from.path, options);
    }
    const fetched = join(this.#directory, `.incoming-${randomUUID()}`);
    try {
      await clone(from, fetched, `plugin ${entry.name}`);
      const fallbackVersion = entry.version ?? `0.0.0-${await commitOf(fetched)}`;
      return await this.#installer.install(fetched, { ...options, fallbackVersion });
    } finally {
      await rm(fetched, { recursive: true, force: true });
    }
  }

  /** Fetches a marketplace to `target`, or reads a local one in place. */
  async #fetch(source: MarketplaceSource, target: string): Promise<MarketplaceFile> {
    if (source.type === 'path') return readMarketplaceFile(source.path);
    if (source.type === 'git') {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await clone(source, target, 'marketplace');
      return readMarketplaceFile(target);
    }
    const response = await fetch(source.url, { signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new Error(`${source.url} answered HTTP ${response.status}`);
    const text = await response.text();
    const parsed = parseMarketplace(text, source.url);
    await mkdir(dirname(join(target, MARKETPLACE_FILE)), { recursive: true, mode: 0o700 });
    await writeFile(join(target, MARKETPLACE_FILE), text, { mode: 0o600 });
    return parsed;
  }

  async #moveInto(from: string, to: string): Promise<void> {
    await rm(to, { recursive: true, force: true });
    await rename(from, to);
  }

  #read(name: string): MarketplaceFile {
    return readMarketplaceFile(this.#place(name));
  }

  #place(name: string): string {
    const { source } = this.#get(name);
    return source.type === 'path' ? source.path : this.#folder(name);
  }

  #folder(name: string): string {
    return join(this.#directory, 'marketplaces', name);
  }

  async #revision(name: string): Promise<string> {
    const place = this.#place(name);
    return existsSync(join(place, '.git')) ? `0.0.0-${await commitOf(place)}` : '0.0.0';
  }

  #get(name: string): KnownMarketplace {
    const known = this.#known.read()[name];
    if (known) return known;
    throw new Error(`Marketplace "${name}" not found`);
  }
}

/** A non-strict entry is itself the manifest. */
function manifestOf(entry: MarketplaceEntry, marketplace: string): PluginManifestFile | undefined {
  if (entry.strict !== false) return undefined;
  const { source: _source, strict: _strict, ...fields } = entry;
  return parseManifest(fields, `${entry.name} in the marketplace ${marketplace}`);
}

async function clone(source: MarketplaceSource, target: string, what: string): Promise<void> {
  if (source.type !== 'git') throw new Error(`A ${what} cannot be cloned from ${source.type}`);
  try {
    await cloneRepository(source.url, target, source.ref);
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`Failed to clone ${what}: ${(stderr || message).trim()}`, { cause: error });
  }
}

function offerOf(entry: MarketplaceEntry, marketplace: string): OfferedPlugin {
  const { name, description, version, category, keywords = [], tags = [] } = entry;
  return {
    name,
    marketplace,
    description,
    ...(version !== undefined && { version }),
    keywords: [...keywords, ...tags],
    ...(category !== undefined && { category }),
  };
}
