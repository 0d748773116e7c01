import type {
  Tool,
  ToolExecutionContext,
  ToolOutcome,
  ToolParameters,
} from '@robota-sdk/agent-core';
import type { BackgroundTasks } from '../background/background-tasks.ts';
import { type AgentJob, describeUnknownAgent, readAgentCall } from './agent-call.ts';
import type { AgentDefinition } from './agent-definition.ts';
import type { SubagentReport, SubagentRunner } from './subagent-runner.ts';

export interface AgentToolParts {
  readonly agents: readonly AgentDefinition[];
  readonly runner: SubagentRunner;
  /** Runs background agents. */
  readonly background: BackgroundTasks | undefined;
  /** Calls from other sessions, such as a subagent's, are refused. */
  readonly sessionId: string;
}

/** The tool with which a model starts subagents: one, several concurrently, or in the background. */
export function createAgentTool(parts: AgentToolParts): Tool {
  return {
    schema: {
      name: 'Agent',
      description: describe(parts.agents),
      parameters: {
        type: 'object',
        properties: {
          prompt: {
            type: 'string',
            description: 'The whole task; the subagent knows nothing else.',
          },
          subagent_type: {
            type: 'string',
            description: 'Which agent does it (default general-purpose).',
            enum: parts.agents.map(({ name }) => name),
          },
          description: { type: 'string', description: 'The task in three to five words.' },
          model: { type: 'string', description: 'In place of the agent’s own model.' },
          background: {
            type: 'boolean',
            description: 'Return at once; the result is announced when it is there.',
          },
          jobs: {
            type: 'array',
            description: 'Several tasks at once, in place of prompt.',
            items: {
              type: 'object',
              properties: {
                label: { type: 'string' },
                prompt: { type: 'string' },
                subagent_type: { type: 'string' },
                model: { type: 'string' },
              },
              required: ['prompt'],
            },
          },
        },
      },
    },
    getName: () => 'Agent',
    execute: (parameters, context) => execute(parts, parameters, context),
  };
}

function describe(agents: readonly AgentDefinition[]): string {
  return [
    'Hands a task to a subagent, which works on it by itself and reports back. Calls made together run at the same time; several tasks also fit into one call as jobs. Use it for searches and work whose details this conversation does not need.',
    'Agents:',
    ...agents.map(({ name, description }) => `- ${name}: ${description}`),
  ].join('\n');
}

async function execute(
  parts: AgentToolParts,
  parameters: ToolParameters,
  context: ToolExecutionContext,
): Promise<ToolOutcome> {
  if (context.sessionId !== undefined && context.sessionId !== parts.sessionId) {
    return refusal('A subagent cannot start subagents.', 'denied');
  }
  const call = readAgentCall(parameters);
  if ('problem' in call) return refusal(call.problem, 'invalid_arguments');
  const unknown = describeUnknownAgent(call.jobs, parts.agents);
  if (unknown) return refusal(unknown, 'invalid_arguments');
  if (call.isBackground) return startInBackground(parts, call.jobs, context);
  const reports = await Promise.all(
    call.jobs.map((job, index) =>
      parts.runner.run({
        ...taskOf(parts, job),
        ...(call.isBatch
          ? { job: { toolUseId: context.executionId, number: index + 1 } }
          : { toolUseId: context.executionId }),
        signal: context.signal,
        onText: context.onProgress,
      }),
    ),
  );
  return call.isBatch ? batchOutcome(call.jobs, reports) : singleOutcome(reports);
}

function taskOf({ agents }: AgentToolParts, job: AgentJob) {
  const definition = agents.find(({ name }) => name === job.agent) as AgentDefinition; // Checked before.
  return { definition, prompt: job.prompt, model: job.model };
}

function singleOutcome([report]: readonly SubagentReport[]): ToolOutcome {
  if (!report) return refusal('No task was given.', 'invalid_arguments');
  const { success, output, agentId, durationMs, errorCode } = report;
  const metadata = { agentId, durationMs };
  return success
    ? { success, data: output, metadata }
    : { success, error: output, ...(errorCode && { errorCode }), metadata };
}

function batchOutcome(jobs: readonly AgentJob[], reports: readonly SubagentReport[]): ToolOutcome {
  const failed = reports.filter(({ success }) => !success).length;
  const sections = reports.map((report, index) => {
    const title = jobs[index]?.label ?? `Job ${index + 1}`;
    const state = report.success ? 'completed' : 'failed';
    return `## ${title} (${report.agentType}, ${state})\n${report.output}`;
  });
  const data = sections.join('\n\n');
  const metadata = {
    agentIds: reports.map(({ agentId }) => agentId),
    requestedJobCount: jobs.length,
    failedJobCount: failed,
  };
  if (failed < reports.length) return { success: true, data, metadata };
  const errorCode = reports.every((report) => report.errorCode === 'interrupted')
    ? 'interrupted'
    : 'subagent_failed';
  return { success: false, error: `All ${failed} jobs failed.`, data, errorCode, metadata };
}

function startInBackground(
  parts: AgentToolParts,
  jobs: readonly AgentJob[],
  context: ToolExecutionContext,
): ToolOutcome {
  const { background } = parts;
  if (!background) return refusal('Background work is not available here.', 'not_available');
  const isAlone = jobs.length === 1;
  const lines = jobs.map((job, index) => {
    const label = job.label ?? job.prompt.slice(0, 60);
    const place = isAlone
      ? { toolUseId: context.executionId, isDetached: true }
      : { job: { toolUseId: context.executionId, number: index + 1 } };
    const { id } = background.spawn(
      { kind: 'agent', label, input: job.prompt },
      async ({ signal, write }) => {
        const task = { ...taskOf(parts, job), ...place, signal, onText: write };
        const { success, output, agentId } = await parts.runner.run(task);
        return success
          ? { status: 'completed', result: output, agentId }
          : { status: 'failed', error: output, agentId };
      },
    );
    return `${id}: ${job.agent} works on "${label}" in the background.`;
  });
  const hint = 'You are told when it is done; BackgroundOutput shows what it wrote until then.';
  return { success: true, data: [...lines, hint].join('\n') };
}

function refusal(error: string, errorCode: string): ToolOutcome {
  return { success: false, error, errorCode };
}
