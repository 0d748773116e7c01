import { commandSandbox } from '../assembly/sandbox-environment.ts';
import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import type { CommandSource } from '../commands/command.ts';
import { PluginCommandSource } from '../plugins/plugin-command-source.ts';
import { ActiveSkill } from './active-skill.ts';
import { GuardedShell } from './guarded-shell.ts';
import { completeSkill, type Skill } from './skill.ts';
import { skillCommand } from './skill-command.ts';
import { commandOf, SkillCommandSource } from './skill-command-source.ts';
import { SkillRunner } from './skill-runner.ts';
import { commandToolName, skillTool } from './skill-tool.ts';

/** Gives a session the skills of its directory, its user and its plugins. */
export function skillsExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'skills', extend: (context) => extend(shared, context) };
}

function extend(shared: SharedExtensions, context: ExtensionContext): Contribution {
  const plugins = new PluginCommandSource(shared.plugins);
  const { skills, source } = findOwn(context);
  const all = [...skills, ...plugins.getSkills()];
  if (all.length === 0) return {};
  const sandbox = commandSandbox(context.options, context.config);
  const runner = new SkillRunner(context, shared, new GuardedShell(context, sandbox));
  const forModel = all.filter((skill) => skill.isModelInvocable);
  const active = new ActiveSkill(context);
  const surroundings = { context, active };
  const changesTurns = all.some(({ allowedRules, model }) => allowedRules ?? model);
  return {
    tools: forModel.map((skill) => skillTool(skill, runner, surroundings)),
    // A skill is text; the commands in it and the tools it leads to pass the gate themselves.
    permissions: { allow: forModel.map(({ name }) => commandToolName(name)) },
    ...(changesTurns && { hooks: active.hooks() }),
    promptSections: forModel.length === 0 ? [] : [describeSkills(forModel)],
    commandSources: [source, plugins].filter((each) => each.getCommands().length > 0),
    commands: all
      .filter((skill) => skill.isUserInvocable)
      .map((skill) => skillCommand(skill, runner, surroundings)),
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

/** Names and descriptions only: the text comes when a skill is used. */
function describeSkills(skills: readonly Skill[]): string {
  return [
    '## Skills',
    'When a task matches one of these skills, call its tool first; the result says how to go on.',
    ...skills.map(
      ({ name, description }) => `- ${name} (${commandToolName(name)}): ${description}`,
    ),
  ].join('\n');
}
