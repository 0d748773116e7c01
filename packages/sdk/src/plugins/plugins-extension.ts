import { mergeHooks } from '@robota-sdk/agent-core';
import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import type { LoadedBundlePlugin } from './bundle-plugin.ts';
import { loadEnabledPlugins } from './enabled-plugins.ts';
import { pluginCommand } from './plugin-command.ts';

/** Gives a session what its installed and enabled plugins bring. */
export function pluginsExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'plugins', extend: (context) => extend(shared, context) };
}

async function extend(shared: SharedExtensions, context: ExtensionContext): Promise<Contribution> {
  const plugins = context.options.bare ? [] : await loadEnabledPlugins(context);
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

function sectionOf({ manifest, systemPrompt }: LoadedBundlePlugin): string[] {
  return systemPrompt ? [`## Plugin ${manifest.name}\n${systemPrompt}`] : [];
}
