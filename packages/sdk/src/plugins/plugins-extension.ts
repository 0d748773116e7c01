import { mergeHooks } from '@robota-sdk/agent-core';
import type {
  AssemblyScene,
  Contribution,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { Workshop } from '../assembly/workshop.ts';
import type { LoadedBundlePlugin } from './bundle-plugin.ts';
import { loadEnabledPlugins } from './enabled-plugins.ts';
import { pluginCommand } from './plugin-command.ts';

/** Gives a session what its installed and enabled plugins bring. */
export function pluginsExtension(workshop: Workshop): SessionExtension {
  return { name: 'plugins', extend: (scene) => extend(workshop, scene) };
}

async function extend(workshop: Workshop, scene: AssemblyScene): Promise<Contribution> {
  const plugins = scene.options.bare ? [] : await loadEnabledPlugins(scene);
  workshop.plugins = plugins;
  return {
    tools: plugins.flatMap((plugin) => plugin.tools),
    hooks: mergeHooks(...plugins.map((plugin) => plugin.hooks)),
    permissions: {
      allow: plugins.flatMap((plugin) => plugin.permissions.allow),
      deny: plugins.flatMap((plugin) => plugin.permissions.deny),
    },
    promptSections: plugins.flatMap(sectionOf),
    commands: [pluginCommand(scene)],
  };
}

function sectionOf({ manifest, systemPrompt }: LoadedBundlePlugin): string[] {
  return systemPrompt ? [`## Plugin ${manifest.name}\n${systemPrompt}`] : [];
}
