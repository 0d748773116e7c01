import type { Tool, ToolOutcome } from '@robota-sdk/agent-core';
import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { Skill } from './skill.ts';
import type { SkillSurroundings } from './skill-command.ts';
import type { SkillRunner } from './skill-runner.ts';

/** The tool name of a command; vendors allow 64 letters, digits, `_` and `-`. */
export function commandToolName(name: string): string {
  return `robota_command_${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, 64);
}

/** A skill as a tool: the result is its instruction, or in fork mode the subagent's report. */
export function skillTool(
  skill: Skill,
  runner: SkillRunner,
  { context, active }: SkillSurroundings,
): Tool {
  const name = commandToolName(skill.name);
  return {
    schema: {
      name,
      description: skill.argumentHint
        ? `${skill.description} Arguments: ${skill.argumentHint}`
        : skill.description,
      parameters: {
        type: 'object',
        properties: {
          arguments: { type: 'string', description: 'What the skill is to be run with.' },
        },
      },
    },
    getName: () => name,
    async execute(parameters, { signal, sessionId }): Promise<ToolOutcome> {
      const args = typeof parameters.arguments === 'string' ? parameters.arguments : '';
      try {
        if (skill.mode === 'inject') {
          const data = await runner.prompt({ skill, args, signal });
          addInvocation(context, skill, args);
          if (sessionId === undefined || sessionId === context.sessionId) active.begin(skill);
          return { success: true, data };
        }
        if (sessionId !== undefined && sessionId !== context.sessionId) {
          return refusal('A subagent cannot start subagents, and this skill needs one.', 'denied');
        }
        addInvocation(context, skill, args);
        const {
          success,
          output,
          errorCode = 'subagent_failed',
        } = await runner.fork({
          skill,
          args,
          signal,
        });
        return success ? { success, data: output } : refusal(output, errorCode);
      } catch (error) {
        return refusal((error as Error).message, 'skill_failed');
      }
    },
  };
}

function addInvocation(context: ExtensionContext, { name: skillName }: Skill, args: string): void {
  const displayInput = `/${skillName}${args === '' ? '' : ` ${args}`}`;
  context.addHistoryEvent('skill-invocation', { skillName, displayInput, invocation: 'model' });
}

function refusal(error: string, errorCode: string): ToolOutcome {
  return { success: false, error, errorCode };
}
