import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import type { AgentDefinition } from '../subagents/agent-definition.ts';
import type { SubagentReport, SubagentTask } from '../subagents/subagent-runner.ts';
import { fillSkill, hasCommands } from './fill-skill.ts';
import type { GuardedShell } from './guarded-shell.ts';
import type { Skill } from './skill.ts';

export interface SkillUse {
  readonly skill: Skill;
  readonly args: string;
  readonly signal: AbortSignal;
}

/** Turns a skill into a prompt, or runs it in a subagent. */
export class SkillRunner {
  readonly #context: ExtensionContext;
  readonly #shared: SharedExtensions;
  readonly #shell: GuardedShell;

  constructor(context: ExtensionContext, shared: SharedExtensions, shell: GuardedShell) {
    this.#context = context;
    this.#shared = shared;
    this.#shell = shell;
  }

  /** The prompt of a skill. Rejects when it may not run here. */
  async prompt({ skill, args, signal }: SkillUse): Promise<string> {
    const { name, description, body } = skill;
    this.#refuseUntrusted(skill);
    const order = args === '' ? description : args;
    if (body === '') return `Use the "${name}" skill: ${order}`;
    const content = await fillSkill(skill, {
      args,
      sessionId: this.#context.sessionId,
      run: (command) => this.#shell.run(command, signal),
    });
    return `<skill name="${name}">\n${content}\n</skill>\n\nExecute the "${name}" skill: ${order}`;
  }

  /** Runs the skill in a subagent. */
  async fork(use: SkillUse, shown: Pick<SubagentTask, 'toolUseId'> = {}): Promise<SubagentReport> {
    const { subagents } = this.#shared;
    if (!subagents) throw new Error('Fork execution is not available. No subagent can be started.');
    const { skill, signal } = use;
    return subagents.run({
      ...shown,
      definition: this.#worker(skill),
      prompt: await this.prompt(use),
      model: skill.model,
      isForkWorker: true,
      signal,
    });
  }

  #worker(skill: Skill): AgentDefinition {
    const wanted = skill.agent ?? 'general-purpose';
    const agent = this.#shared.agents.find(({ name }) => name === wanted);
    if (!agent) throw new Error(`${skill.file} names the agent "${wanted}", which does not exist.`);
    return skill.allowedTools ? { ...agent, tools: skill.allowedTools } : agent;
  }

  #refuseUntrusted(skill: Skill): void {
    if (skill.scope !== 'project' || this.#context.trusted || !hasCommands(skill)) return;
    throw new Error(
      `The skill "${skill.name}" (${skill.file}) runs commands, and this directory is not trusted.`,
    );
  }
}
