import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { CommandResult, SystemCommand } from '../commands/system-command.ts';
import type { ActiveSkill } from './active-skill.ts';
import type { Skill } from './skill.ts';
import type { SkillRunner } from './skill-runner.ts';

/** The session in which a skill is used. */
export interface SkillSurroundings {
  readonly context: ExtensionContext;
  readonly active: ActiveSkill;
}

/** A skill as a slash command. Resolves when its work is done. */
export function skillCommand(
  skill: Skill,
  runner: SkillRunner,
  { context, active }: SkillSurroundings,
): SystemCommand {
  return {
    name: skill.name,
    description: skill.description,
    async execute(_session, args) {
      const displayInput = `/${skill.name}${args === '' ? '' : ` ${args}`}`;
      const use = { skill, args, signal: context.abortSignal() };
      try {
        if (skill.mode === 'fork') return await fork(displayInput, { use, runner, context });
        const input = await runner.prompt(use);
        addInvocation(context, skill, displayInput);
        active.awaitPrompt(skill);
        return described(
          skill,
          await context.submit({ input, displayInput, rawInput: displayInput }),
        );
      } catch (error) {
        return { success: false, message: (error as Error).message };
      }
    },
  };
}

function described(
  { name: skillName }: Skill,
  outcome: Awaited<ReturnType<ExtensionContext['submit']>>,
): CommandResult {
  const data = { skillName, mode: 'inject', status: outcome.status };
  if ('result' in outcome) {
    return { success: outcome.status === 'completed', message: outcome.result.response, data };
  }
  if (outcome.status === 'failed') return { success: false, message: outcome.error.message, data };
  const message =
    outcome.status === 'refused' ? outcome.reason : 'Another prompt took its place in the queue.';
  return { success: false, message, data };
}

/** Runs the skill in a subagent and adds its report to the conversation once the session is idle. */
async function fork(
  displayInput: string,
  {
    use,
    runner,
    context,
  }: { use: Parameters<SkillRunner['fork']>[0]; runner: SkillRunner; context: ExtensionContext },
): Promise<CommandResult> {
  const { name: skillName } = use.skill;
  const report = await runner.fork(use);
  await context.idle();
  const { session } = context.ready();
  session.injectMessage('user', displayInput);
  addInvocation(context, use.skill, displayInput);
  session.injectMessage('assistant', report.output);
  context.record.save();
  const data = { skillName, mode: 'fork', agentId: report.agentId };
  return { success: report.success, message: report.output, data };
}

function addInvocation(
  context: ExtensionContext,
  { name: skillName }: Skill,
  displayInput: string,
): void {
  context.addHistoryEvent('skill-invocation', { skillName, displayInput });
}
