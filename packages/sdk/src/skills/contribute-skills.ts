import { commandSandbox } from '../assembly/sandbox-environment.ts';
import type { Contribution, ExtensionContext } from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import { ActiveSkill } from './active-skill.ts';
import { GuardedShell } from './guarded-shell.ts';
import type { Skill } from './skill.ts';
import { skillCommand } from './skill-command.ts';
import { SkillRunner } from './skill-runner.ts';
import { commandToolName, skillTool } from './skill-tool.ts';

/** The tools, commands and prompt of the skills that a session has. */
export function contributeSkills(
  all: readonly Skill[],
  shared: SharedExtensions,
  context: ExtensionContext,
): Omit<Contribution, 'commandSources'> {
  const sandbox = commandSandbox(context.options, context.config);
  const runner = new SkillRunner(context, shared, new GuardedShell(context, sandbox));
  const forModel = all.filter((skill) => skill.isModelInvocable);
  const active = new ActiveSkill(context);
  const surroundings = { context, active };
  const changesTurns = all.some(({ allowedRules, model }) => allowedRules ?? model);
  return {
    tools: forModel.map((skill) => skillTool(skill, runner, surroundings)),
    // A skill is only text; its commands and the tools the model then calls pass the gate themselves.
    permissions: { allow: forModel.map(({ name }) => commandToolName(name)) },
    ...(changesTurns && { hooks: active.hooks() }),
    promptSections: forModel.length === 0 ? [] : [describeSkills(forModel)],
    commands: all
      .filter((skill) => skill.isUserInvocable)
      .map((skill) => skillCommand(skill, runner, surroundings)),
  };
}

/** Names and descriptions only; the text is loaded when a skill is used. */
function describeSkills(skills: readonly Skill[]): string {
  return [
    '## Skills',
    'When a task matches one of these skills, call its tool first; the result says how to go on.',
    ...skills.map(
      ({ name, description }) => `- ${name} (${commandToolName(name)}): ${description}`,
    ),
  ].join('\n');
}
