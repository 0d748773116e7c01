import { randomUUID } from 'node:crypto';
import {
  type Agent,
  createUserMessage,
  OUTCOME_UNKNOWN_TEXT,
  type ToolOutcome,
  type UserMessage,
} from '@robota-sdk/agent-core';
import type { EntryLog } from './entry-log.ts';
import type { PermissionEnforcer } from './permissions/permission-enforcer.ts';

/** A command the user typed, and its outcome. */
export interface ShellLine {
  readonly command: string;
  readonly output: string;
  /** Absent if it did not run or its end is unknown. */
  readonly exitCode?: number;
  /** Why it did not run or was cut short. */
  readonly problem?: string;
}

export interface ShellLineParts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly agent: Agent;
  readonly enforcer: PermissionEnforcer;
  readonly log: EntryLog;
}

const SHELL_TOOL = 'Bash';

/**
 * Runs a typed command with the same permission checks as tools, and adds it to the conversation whatever the outcome.
 */
export async function runShellLine(
  { sessionId, cwd, agent, enforcer, log }: ShellLineParts,
  command: string,
  signal: AbortSignal,
): Promise<ShellLine> {
  const id = randomUUID();
  await log.append('shell_line', { id, command });
  const parameters = { command };
  const outcome = await enforcer.executeTyped(SHELL_TOOL, parameters, {
    toolName: SHELL_TOOL,
    parameters,
    executionId: shellCallId(id),
    signal,
    sessionId,
    cwd,
  });
  const line = lineOf(command, outcome);
  const { content, metadata } = shellLineMessage(id, line);
  agent.injectMessage('user', content, { ...(metadata && { metadata }) });
  return line;
}

/** The message about the command for the model; its metadata is for user interfaces. */
function shellLineMessage(id: string, line: ShellLine): UserMessage {
  const { command, output, exitCode, problem } = line;
  const texts = [
    `<bash-input>${command}</bash-input>`,
    `<bash-stdout>${output}</bash-stdout>`,
    ...(problem === undefined ? [] : [`<bash-stderr>${problem}</bash-stderr>`]),
    ...(exitCode ? [`<bash-exit-code>${exitCode}</bash-exit-code>`] : []),
  ];
  return createUserMessage(texts.join('\n'), {
    metadata: {
      shellCallId: shellCallId(id),
      shellCommand: command,
      shellOutput: output,
      ...(exitCode !== undefined && { shellExitCode: exitCode }),
      ...(problem !== undefined && { shellProblem: problem }),
    },
  });
}

/** The message for a command that was running when the process ended. */
export function lostShellLine({ id, command }: { id: string; command: string }): UserMessage {
  return shellLineMessage(id, { command, output: '', problem: OUTCOME_UNKNOWN_TEXT });
}

function shellCallId(id: string): string {
  return `shell:${id}`;
}

function lineOf(command: string, { success, data, error }: ToolOutcome): ShellLine {
  const envelope = envelopeOf(data);
  const { output = data, exitCode } = envelope;
  const problem = envelope.error ?? (success ? undefined : error);
  return {
    command,
    output: typeof output === 'string' ? output : '',
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof problem === 'string' && { problem }),
  };
}

/** Built-in tools return a JSON text with output and status. */
function envelopeOf(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'string' || !data.startsWith('{')) return {};
  try {
    return JSON.parse(data) as Readonly<Record<string, unknown>>;
  } catch {
    return {}; // Output that only begins like an envelope.
  }
}
