import type { AgentProcess } from '../process/agent-process.ts';
import type { AgentSetting } from './agent-program.ts';
import { type ProgramFacts, ProgramMissingError } from './program-errors.ts';

export interface ProgramStart {
  readonly args: readonly string[];
  /** Variables the program needs; the setting's own variables override them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Starts the program of a setting; the error for a missing program says how to install it. */
export async function startProgram(
  facts: ProgramFacts,
  { home, program, environment }: AgentSetting,
  start: ProgramStart,
): Promise<AgentProcess> {
  const command = program?.command ?? facts.command;
  try {
    return await home.spawn({
      command,
      args: [...start.args, ...(program?.args ?? [])],
      environment: {
        ...process.env,
        ...FOREIGN_SESSION,
        HOME: home.homeDirectory,
        ...start.environment,
        ...environment,
      },
    });
  } catch (error) {
    if (isMissing(error)) throw new ProgramMissingError(facts, { command, cause: error });
    throw new Error(`Cannot start ${facts.title} ("${command}")`, { cause: error });
  }
}

/** Removed, so that the program does not take an agent that runs us for its own session. */
const FOREIGN_SESSION = {
  CLAUDECODE: undefined,
  CLAUDE_CODE_ENTRYPOINT: undefined,
  CLAUDE_CODE_SESSION_ID: undefined,
} as const;

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'EACCES';
}
