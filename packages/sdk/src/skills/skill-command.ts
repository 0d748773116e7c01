import type { AssemblyScene } from '../assembly/session-extension.ts';
import type { CommandResult, SystemCommand } from '../commands/system-command.ts';
import type { Skill } from './skill.ts';
import type { SkillRunner } from './skill-runner.ts';

/** A skill as a command that a person runs by name. Resolves when its work is done. */
export function skillCommand(
  skill: Skill,
  runner: SkillRunner,
  scene: AssemblyScene,
): SystemCommand {
  return {
    name: skill.name,
    description: skill.description,
    async execute(_session, args) {
      const displayInput = `/${skill.name}${args === '' ? '' : ` ${args}`}`;
      const use = { skill, args, signal: scene.abortSignal() };
      try {
        if (skill.mode === 'fork') return await fork(displayInput, { use, runner, scene });
        const input = await runner.prompt(use);
        addInvocation(scene, skill, displayInput);
        return described(
          skill,
          await scene.submit({ input, displayInput, rawInput: displayInput }),
        );
      } catch (error) {
        return { success: false, message: (error as Error).message };
      }
    },
  };
}

function described(
  { name: skillName }: Skill,
  outcome: Awaited<ReturnType<AssemblyScene['submit']>>,
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

/** What a fork did becomes part of the conversation, once nothing else is being said. */
async function fork(
  displayInput: string,
  {
    use,
    runner,
    scene,
  }: { use: Parameters<SkillRunner['fork']>[0]; runner: SkillRunner; scene: AssemblyScene },
): Promise<CommandResult> {
  const { name: skillName } = use.skill;
  const report = await runner.fork(use);
  await scene.idle();
  const { session } = scene.standing();
  scene.addHistoryMessage('user', displayInput);
  addInvocation(scene, use.skill, displayInput);
  scene.addHistoryMessage('assistant', report.output);
  session.injectMessage('user', displayInput);
  session.injectMessage('assistant', report.output);
  scene.record.save();
  const data = { skillName, mode: 'fork', agentId: report.agentId };
  return { success: report.success, message: report.output, data };
}

function addInvocation(
  scene: AssemblyScene,
  { name: skillName }: Skill,
  displayInput: string,
): void {
  scene.addHistoryEvent('skill-invocation', { skillName, displayInput });
}
