import { type ToolParameters, toOurSpelling } from '@robota-sdk/agent-core';
import type { AgentDefinition } from './agent-definition.ts';

/** One task of a call. */
export interface AgentJob {
  readonly prompt: string;
  readonly agent: string;
  readonly label?: string;
  readonly model?: string;
}

export type AgentCall =
  | {
      readonly jobs: readonly AgentJob[];
      /** True when given as `jobs`, even with a single one. */
      readonly isBatch: boolean;
      readonly isBackground: boolean;
    }
  | { readonly problem: string };

const MAX_JOBS = 16;

/** Parses a call of the Agent tool; `problem` says why it is invalid. */
export function readAgentCall(parameters: ToolParameters): AgentCall {
  const isBackground = parameters.background === true || parameters.run_in_background === true;
  if (parameters.jobs === undefined) {
    const job = readJob(parameters, parameters.description);
    if (!job) return { problem: 'Agent needs a prompt, or a list of jobs with one each.' };
    return { jobs: [job], isBatch: false, isBackground };
  }
  const list = parameters.jobs;
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_JOBS) {
    return { problem: `jobs must be a list of 1 to ${MAX_JOBS} tasks.` };
  }
  const jobs = list.map((given) => {
    const fields = (typeof given === 'object' && given !== null ? given : {}) as ToolParameters;
    return readJob(fields, fields.label ?? fields.description);
  });
  const missing = jobs.indexOf(undefined);
  if (missing >= 0) return { problem: `jobs[${missing}] needs a prompt.` };
  return { jobs: jobs.filter((job) => job !== undefined), isBatch: true, isBackground };
}

/** The error message for an unknown agent type; undefined when all are known. */
export function describeUnknownAgent(
  jobs: readonly AgentJob[],
  agents: readonly AgentDefinition[],
): string | undefined {
  const unknown = jobs.find((job) => !agents.some(({ name }) => name === job.agent));
  if (!unknown) return undefined;
  const names = agents.map(({ name }) => name).join(', ');
  return `Unknown agent type: ${unknown.agent}. Known are ${names}.`;
}

function readJob(fields: ToolParameters, label: unknown): AgentJob | undefined {
  // A hook may have rewritten the call in either spelling.
  const { prompt, subagentType: type, model } = toOurSpelling('Agent', fields);
  if (typeof prompt !== 'string' || prompt.trim() === '') return undefined;
  return {
    prompt,
    agent: typeof type === 'string' && type !== '' ? type : 'general-purpose',
    ...(typeof label === 'string' && label !== '' && { label }),
    ...(typeof model === 'string' && model !== '' && { model }),
  };
}
