import type {
  HookAnswer,
  HookDefinition,
  HookExecution,
  HookInput,
  HookTypeExecutor,
} from '@robota-sdk/agent-core';
import type { AgentDefinition } from '../subagents/agent-definition.ts';
import type { SubagentRunner } from '../subagents/subagent-runner.ts';
import { ANSWER_FORM, addsContext, readVerdict } from './verdict.ts';

/** The agents that answer hooks, and the runner for them. */
export interface AgentExecutorOptions {
  readonly runner: Pick<SubagentRunner, 'run'>;
  readonly agents: readonly AgentDefinition[];
}

const DEFAULT_TURNS = 50;

/** Agent hooks: a subagent, named or instructed by the hook, examines the event and answers with a verdict. */
export class AgentExecutor implements HookTypeExecutor {
  readonly type = 'agent';
  readonly #options: AgentExecutorOptions;

  constructor(options: AgentExecutorOptions) {
    this.#options = options;
  }

  async execute(
    definition: HookDefinition,
    input: HookInput,
    { signal = new AbortController().signal }: Partial<HookExecution> = {},
  ): Promise<HookAnswer> {
    if (definition.type !== 'agent') return { exitCode: 1, stderr: 'not an agent hook' };
    const { success, output } = await this.#options.runner.run({
      definition: this.#agentOf(definition),
      prompt: `Hook input:\n${JSON.stringify(input, null, 2)}\n\n${ANSWER_FORM}`,
      signal,
      isForHook: true,
    });
    if (!success) return { exitCode: 1, stderr: output };
    const verdict = readVerdict(output);
    // Events without a verdict: the agent's output becomes context for the model.
    if (addsContext(input) && verdict.exitCode !== 2) return { exitCode: 0, stdout: output };
    return verdict;
  }

  /** `agent` is the name of an agent or, as in Claude Code, an instruction. */
  #agentOf({ agent, maxTurns = DEFAULT_TURNS }: Extract<HookDefinition, { type: 'agent' }>) {
    const named = this.#options.agents.find(({ name }) => name === agent);
    if (named) return { ...named, maxTurns: named.maxTurns ?? maxTurns };
    return { name: 'hook', description: 'Answers a hook.', systemPrompt: agent, maxTurns };
  }
}
