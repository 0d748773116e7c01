import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import type { CommandSource } from '../commands/command.ts';
import { PluginCommandSource } from '../plugins/plugin-command-source.ts';
import { completeSkill, type Skill } from './skill.ts';
import { commandOf, SkillCommandSource } from './skill-command-source.ts';

/** Adds the skills of the directory, the user and the plugins. */
export function skillsExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'skills', extend: (context) => extend(shared, context) };
}

async function extend(shared: SharedExtensions, context: ExtensionContext): Promise<Contribution> {
  const plugins = new PluginCommandSource(shared.plugins);
  const { skills, source } = findOwn(context);
  const all = [...skills, ...plugins.getSkills()];
  if (all.length === 0) return {};
  // Loaded only when there are skills.
  const { contributeSkills } = await import('./contribute-skills.ts');
  return {
    ...contributeSkills(all, shared, context),
    commandSources: [source, plugins].filter((each) => each.getCommands().length > 0),
  };
}

function findOwn(context: ExtensionContext): { skills: readonly Skill[]; source: CommandSource } {
  const { skills: given, bare } = context.options;
  if (given || bare) {
    const skills = (given ?? []).map((skill) => completeSkill(skill, context.cwd));
    const commands = skills.filter((skill) => skill.isUserInvocable).map(commandOf);
    return { skills, source: { name: 'skill', getCommands: () => commands } };
  }
  const source = new SkillCommandSource(context.cwd);
  for (const problem of source.getProblems()) context.notice(problem);
  return { skills: source.getSkills(), source };
}
