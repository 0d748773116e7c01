import { backgroundExtension } from '../background/background-extension.ts';
import { everydayExtension } from '../everyday/everyday-extension.ts';
import { hooksExtension } from '../hooks/hooks-extension.ts';
import { mcpExtension } from '../mcp/mcp-extension.ts';
import { pluginsExtension } from '../plugins/plugins-extension.ts';
import { referencesExtension } from '../references/references-extension.ts';
import { skillsExtension } from '../skills/skills-extension.ts';
import { subagentsExtension } from '../subagents/subagents-extension.ts';
import type { SessionExtension } from './session-extension.ts';
import type { SharedExtensions } from './shared-extensions.ts';

/** The built-in extensions, in order: later ones use what earlier ones leave in `shared`. */
export function createExtensions(
  shared: SharedExtensions,
  { everyday }: { readonly everyday: boolean },
): readonly SessionExtension[] {
  return [
    pluginsExtension(shared),
    backgroundExtension(shared),
    subagentsExtension(shared),
    skillsExtension(shared),
    hooksExtension(shared),
    mcpExtension(shared),
    referencesExtension(),
    ...(everyday ? [everydayExtension(shared)] : []),
  ];
}
