import { backgroundExtension } from '../background/background-extension.ts';
import { hooksExtension } from '../hooks/hooks-extension.ts';
import { mcpExtension } from '../mcp/mcp-extension.ts';
import { pluginsExtension } from '../plugins/plugins-extension.ts';
import { referencesExtension } from '../references/references-extension.ts';
import { skillsExtension } from '../skills/skills-extension.ts';
import { subagentsExtension } from '../subagents/subagents-extension.ts';
import type { SessionExtension } from './session-extension.ts';
import type { Workshop } from './workshop.ts';

/** What every session is extended with, in this order: later ones use what earlier ones found. */
export function createExtensions(): readonly SessionExtension[] {
  const workshop: Workshop = { plugins: [], agents: [] };
  return [
    pluginsExtension(workshop),
    backgroundExtension(workshop),
    subagentsExtension(workshop),
    skillsExtension(workshop),
    hooksExtension(workshop),
    mcpExtension(workshop),
    referencesExtension(),
  ];
}
