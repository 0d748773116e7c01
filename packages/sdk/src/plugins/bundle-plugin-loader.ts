import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HooksConfig, mergeHooks, readHooksConfig, type Tool } from '@robota-sdk/agent-core';
import type { McpServerSetting } from '../config/settings.ts';
import { skillsIn } from '../skills/find-skills.ts';
import { parseSkill } from '../skills/parse-skill.ts';
import type { Skill } from '../skills/skill.ts';
import type { AgentDefinition } from '../subagents/agent-definition.ts';
import { readFolder } from '../subagents/agent-definition-loader.ts';
import { parseAgent } from '../subagents/parse-agent.ts';
import type { LoadedBundlePlugin } from './bundle-plugin.ts';
import { containedPath } from './contained-path.ts';
import { describeManifest, type PluginManifestFile, readManifest } from './plugin-manifest.ts';

/** Loads a plugin from its directory. An invalid manifest rejects; an invalid part is reported and left out. */
export class BundlePluginLoader {
  /** `given` is the marketplace's manifest for a plugin without its own. */
  async load(directory: string, given?: PluginManifestFile): Promise<LoadedBundlePlugin> {
    const manifest = given ?? readManifest(directory);
    const parts = new PluginParts(directory, manifest);
    const skills = parts.skills();
    const commands = parts.commands();
    const agents = parts.agents();
    const hooks = parts.hooks();
    const mcpServers = parts.mcpServers();
    const tools = await parts.tools();
    const systemPrompt = parts.systemPrompt();
    const { allow = [], deny = [] } = manifest.permissions ?? {};
    return {
      manifest: describeManifest(manifest),
      directory,
      skills,
      commands,
      agents,
      hooks,
      mcpServers,
      tools,
      permissions: { allow, deny },
      ...(systemPrompt && { systemPrompt }),
      problems: parts.problems,
    };
  }
}

const ROOT = /\$\{CLAUDE_PLUGIN_ROOT\}/g;

/** Reads the parts of one plugin; none may be outside its directory. */
class PluginParts {
  readonly problems: string[] = [];
  readonly #directory: string;
  readonly #manifest: PluginManifestFile;

  constructor(directory: string, manifest: PluginManifestFile) {
    this.#directory = directory;
    this.#manifest = manifest;
  }

  skills(): Skill[] {
    return this.#each(this.#manifest.skills ?? this.#usual('skills'), (folder) =>
      existsSync(join(folder, 'SKILL.md'))
        ? [this.#skillFile(join(folder, 'SKILL.md'), basename(folder))]
        : this.#skillsIn(folder, 'folders'),
    ).map((skill) => this.#filledSkill(skill));
  }

  commands(): Skill[] {
    return this.#each(this.#manifest.commands ?? this.#usual('commands'), (path) =>
      path.endsWith('.md')
        ? [this.#skillFile(path, basename(path, '.md'))]
        : this.#skillsIn(path, 'files'),
    ).map((skill) => this.#filledSkill(skill));
  }

  agents(): AgentDefinition[] {
    return this.#each(this.#manifest.agents ?? this.#usual('agents'), (path) =>
      path.endsWith('.md')
        ? [parseAgent(readFileSync(path, 'utf8'), path, basename(path, '.md'))]
        : readFolder({ folder: path, root: this.#directory }, this.problems),
    ).map((agent) => ({ ...agent, systemPrompt: this.#filledText(agent.systemPrompt) }));
  }

  hooks(): HooksConfig {
    const given = this.#manifest.hooks ?? this.#usual('hooks/hooks.json');
    if (typeof given !== 'string' && !Array.isArray(given)) {
      return this.#attempt(() => this.#hooksFrom(given, 'its manifest')) ?? {};
    }
    const configs = this.#each(given, (file) => [this.#hooksFrom(this.#json(file), file)]);
    return mergeHooks(...configs);
  }

  mcpServers(): Readonly<Record<string, McpServerSetting>> {
    const given = this.#manifest.mcpServers ?? this.#usual('.mcp.json');
    const files =
      typeof given === 'string' || Array.isArray(given)
        ? this.#each(given, (file) => [this.#json(file)])
        : [given];
    const servers = files.flatMap((file) => {
      const read = this.#filled(file) as Readonly<Record<string, unknown>>;
      const named = (read.mcpServers ?? read) as Readonly<Record<string, McpServerSetting>>;
      return Object.entries(named).map(([name, setting]) => [name, this.#withRoot(setting)]);
    });
    return Object.fromEntries(servers) as Record<string, McpServerSetting>;
  }

  /** A started server also gets its plugin's directory as a variable. */
  #withRoot(setting: McpServerSetting): McpServerSetting {
    if (typeof setting?.command !== 'string') return setting;
    return { ...setting, env: { CLAUDE_PLUGIN_ROOT: this.#directory, ...setting.env } };
  }

  /** The only place where plugin modules are executed; the user chose to install them. */
  async tools(): Promise<Tool[]> {
    const tools: Tool[] = [];
    for (const file of this.#each(this.#manifest.tools ?? [], (path) => [path])) {
      try {
        const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
        tools.push(...toolsOf(module.tools ?? module.default, file));
      } catch (error) {
        this.#problem(error);
      }
    }
    return tools;
  }

  systemPrompt(): string | undefined {
    const { systemPrompt, systemPromptFile } = this.#manifest;
    const text =
      systemPromptFile === undefined
        ? systemPrompt
        : this.#attempt(() =>
            readFileSync(containedPath(this.#directory, systemPromptFile), 'utf8').trim(),
          );
    return text === undefined ? undefined : this.#filledText(text);
  }

  #skillsIn(folder: string, form: 'folders' | 'files'): Skill[] {
    return skillsIn({ folder, form, scope: 'plugin', root: this.#directory }, this.problems);
  }

  #skillFile(file: string, fallbackName: string): Skill {
    return parseSkill(readFileSync(file, 'utf8'), { file, fallbackName, scope: 'plugin' });
  }

  #hooksFrom(value: unknown, source: string): HooksConfig {
    const wrapped = (value as { hooks?: unknown }).hooks ?? value;
    const { hooks: config, problems } = readHooksConfig(this.#filled(wrapped));
    for (const { field, problem } of problems) {
      this.problems.push(`Plugin ${this.#manifest.name}: ${source}: ${field} ${problem}`);
    }
    const env = { CLAUDE_PLUGIN_ROOT: this.#directory, CLAUDE_PLUGIN_PATH: this.#directory };
    return Object.fromEntries(
      Object.entries(config).map(([event, groups]) => [
        event,
        groups.map((group) => ({ ...group, env: { ...env, ...group.env } })),
      ]),
    );
  }

  #filled(value: unknown): unknown {
    const text = JSON.stringify(value) ?? 'null';
    const root = JSON.stringify(this.#directory).slice(1, -1);
    return JSON.parse(text.replaceAll(ROOT, () => root));
  }

  /** Commands, skills and agents refer to files of their plugin by its folder. */
  #filledText(text: string): string {
    return text.replaceAll(ROOT, () => this.#directory);
  }

  #filledSkill(skill: Skill): Skill {
    const { allowedRules } = skill;
    return {
      ...skill,
      body: this.#filledText(skill.body),
      ...(allowedRules && { allowedRules: allowedRules.map((rule) => this.#filledText(rule)) }),
    };
  }

  #json(file: string): unknown {
    return JSON.parse(readFileSync(file, 'utf8'));
  }

  /** The default location of a part, if it exists. */
  #usual(path: string): string[] {
    return existsSync(join(this.#directory, path)) ? [path] : [];
  }

  #each<Item>(paths: string | readonly string[], read: (path: string) => Item[]): Item[] {
    const list = typeof paths === 'string' ? [paths] : paths;
    return list.flatMap(
      (path) => this.#attempt(() => read(containedPath(this.#directory, path))) ?? [],
    );
  }

  #attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#problem(error);
      return undefined;
    }
  }

  #problem(error: unknown): void {
    this.problems.push(`Plugin ${this.#manifest.name}: ${(error as Error).message}`);
  }
}

function toolsOf(exported: unknown, file: string): Tool[] {
  const list = Array.isArray(exported) ? exported : [exported];
  const isTool = (tool: unknown): tool is Tool =>
    typeof (tool as Tool | undefined)?.execute === 'function' &&
    typeof (tool as Tool | undefined)?.schema?.name === 'string';
  if (list.every(isTool)) return list;
  throw new Error(`${file} exports something that is no tool`);
}
