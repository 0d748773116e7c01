/** The parts of a subagent's system prompt. */
export interface SubagentPromptOptions {
  /** The agent's own instruction. */
  readonly agentBody: string;
  readonly claudeMd?: string | undefined;
  readonly agentsMd?: string | undefined;
  /** Where and when it works. */
  readonly environment?: string | undefined;
  readonly isForkWorker?: boolean | undefined;
}

const SUBAGENT_SUFFIX =
  'When you complete the task, respond with a concise report of what you did and found: the agent that asked you reads it and passes on what matters. Name files by absolute path. Nobody can answer questions while you work, so decide and say what you decided.';

const FORK_WORKER_SUFFIX =
  'You are a worker subagent executing a specific task. Do it yourself, without further questions and without comment along the way. Keep your report under 500 words, in this order: Scope, Result, Key files, Files changed, Issues; leave out what is empty.';

/** In order: the agent's instruction, CLAUDE.md, AGENTS.md, how to report, and its environment. */
export function assembleSubagentPrompt(options: SubagentPromptOptions): string {
  const suffix = options.isForkWorker ? FORK_WORKER_SUFFIX : SUBAGENT_SUFFIX;
  return [options.agentBody, options.claudeMd, options.agentsMd, suffix, options.environment]
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n');
}
