import { spawn } from 'node:child_process';
import { neutraliseLine } from '@robota-sdk/agent-transcript';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';

/** A session that its own program can resume. */
export interface ForeignSession {
  readonly type: string;
  readonly id: string;
  readonly agent: string;
  readonly cwd: string | undefined;
}

/** Resumes another agent's session in its own program and directory. */
export async function resumeElsewhere(
  session: ForeignSession,
  words: readonly string[],
  output: Output,
): Promise<number> {
  const { isAgentArchitecture, resumeCommand } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  if (!isAgentArchitecture(session.type))
    throw new UsageError(`Nothing is known about the agent ${session.agent}.`);
  const [program = '', ...args] = resumeCommand(session.type, session.id);
  const place = session.cwd ? `  (in ${session.cwd})` : '';
  output.note(neutraliseLine(`${program} ${args.join(' ')}${place}`));
  return runForeground(program, [...args, ...words], session.cwd);
}

/** Runs the program on this terminal and returns its exit code. */
function runForeground(
  program: string,
  args: readonly string[],
  cwd: string | undefined,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', ...(cwd !== undefined && { cwd }) });
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Error(
              `${program} is not installed, or its directory ${cwd ?? ''} is gone. Install it, then try again.`,
              { cause: error },
            )
          : error,
      ),
    );
    child.on('exit', (code) => resolve(code ?? EXIT.interrupted));
  });
}
