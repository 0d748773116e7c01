import { mergeHooks } from '@robota-sdk/agent-core';
import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import { completeSkill, type SkillInCode } from '../skills/skill.ts';
import type { LoadedBundlePlugin, PluginInCode } from './bundle-plugin.ts';
import { loadEnabledPlugins } from './enabled-plugins.ts';
import { pluginCommand } from './plugin-command.ts';

/** Adds the parts of installed and enabled plugins. */
export function pluginsExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'plugins', extend: (context) => extend(shared, context) };
}

async function extend(shared: SharedExtensions, context: ExtensionContext): Promise<Contribution> {
  const plugins = await findPlugins(context);
  shared.plugins = plugins;
  return {
    tools: plugins.flatMap((plugin) => plugin.tools),
    hooks: mergeHooks(...plugins.map((plugin) => plugin.hooks)),
    permissions: {
      allow: plugins.flatMap((plugin) => plugin.permissions.allow),
      deny: plugins.flatMap((plugin) => plugin.permissions.deny),
    },
    promptSections: plugins.flatMap(sectionOf),
    commands: [pluginCommand(context)],
  };
}

async function findPlugins(context: ExtensionContext): Promise<readonly LoadedBundlePlugin[]> {
  const { plugins: given, bare, cwd } = context.options;
  if (given) return given.map((plugin) => completePlugin(plugin, cwd));
  return bare ? [] : await loadEnabledPlugins(context);
}

function completePlugin(plugin: PluginInCode, cwd: string): LoadedBundlePlugin {
  const skillsOf = (skills: readonly SkillInCode[] = []) =>
    skills.map((skill) => completeSkill({ scope: 'plugin', ...skill }, cwd));
  return {
    directory: cwd,
    agents: [],
    hooks: {},
    mcpServers: {},
    tools: [],
    permissions: { allow: [], deny: [] },
    problems: [],
    ...plugin,
    skills: skillsOf(plugin.skills),
    commands: skillsOf(plugin.commands),
  };
}

function sectionOf({ manifest, systemPrompt }: LoadedBundlePlugin): string[] {
  return systemPrompt ? [`## Plugin ${manifest.name}\n${systemPrompt}`] : [];
}
