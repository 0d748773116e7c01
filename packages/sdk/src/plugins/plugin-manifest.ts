import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { BundlePluginManifest } from './bundle-plugin.ts';
import { assertPluginName } from './plugin-name.ts';

/** Created when a plugin is read, because most sessions have none. */
function manifestSchema() {
  const paths = z.union([z.string(), z.array(z.string())]);
  const record = z.record(z.string(), z.unknown());
  const rules = z.array(z.string());

  return z.object({
    name: z.string(),
    version: z.string().default('0.0.0'),
    description: z.string().default(''),
    author: z
      .union([z.string(), z.object({ name: z.string(), email: z.string().optional() })])
      .optional(),
    keywords: z.array(z.string()).optional(),
    homepage: z.string().optional(),
    license: z.string().optional(),
    skills: paths.optional(),
    commands: paths.optional(),
    agents: paths.optional(),
    hooks: z.union([paths, record]).optional(),
    mcpServers: z.union([paths, record]).optional(),
    tools: paths.optional(),
    permissions: z.object({ allow: rules.optional(), deny: rules.optional() }).optional(),
    systemPrompt: z.string().optional(),
    systemPromptFile: z.string().optional(),
  });
}

/** A manifest file with the parts it names, ours and Claude Code's fields together. */
export type PluginManifestFile = z.output<ReturnType<typeof manifestSchema>>;

export const MANIFEST_FILE = '.claude-plugin/plugin.json';
const PLACES = [MANIFEST_FILE, '.robota-plugin/plugin.json', 'plugin.json'];

export function readManifest(directory: string): PluginManifestFile {
  const file = PLACES.map((place) => join(directory, place)).find((place) => existsSync(place));
  if (file === undefined) {
    throw new Error(`${directory} is no plugin: it has no ${MANIFEST_FILE}`);
  }
  return parseManifest(parseJson(file), file);
}

export function parseManifest(value: unknown, source: string): PluginManifestFile {
  const parsed = manifestSchema().safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    throw new Error(`Cannot read ${source}: ${field} ${issue?.message ?? 'is wrong'}`, {
      cause: parsed.error,
    });
  }
  assertPluginName(parsed.data.name, `The plugin of ${source}`);
  assertPluginName(parsed.data.version, `The version of the plugin of ${source}`);
  return parsed.data;
}

/** The metadata of a plugin, without its parts. */
export function describeManifest(manifest: PluginManifestFile): BundlePluginManifest {
  const { name, version, description, author, keywords, homepage, license } = manifest;
  return {
    name,
    version,
    description,
    ...(author !== undefined && { author: plainAuthor(author) }),
    ...(keywords && { keywords }),
    ...(homepage !== undefined && { homepage }),
    ...(license !== undefined && { license }),
  };
}

function plainAuthor(author: NonNullable<PluginManifestFile['author']>) {
  if (typeof author === 'string') return author;
  const { name, email } = author;
  return email === undefined ? { name } : { name, email };
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`Cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}
