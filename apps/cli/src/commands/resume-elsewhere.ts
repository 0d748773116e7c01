import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
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
  return runForeground(program, [...args, ...words], session);
}

/** Runs the program on this terminal and returns its exit code. */
function runForeground(
  program: string,
  args: readonly string[],
  session: ForeignSession,
): Promise<number> {
  const { cwd } = session;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', ...(cwd !== undefined && { cwd }) });
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? cannotStart(program, session, error) : error),
    );
    child.on('exit', (code) => resolve(code ?? EXIT.interrupted));
  });
}

/** Node reports a missing program and a missing directory alike. */
function cannotStart(program: string, { agent, id, cwd }: ForeignSession, cause: Error): Error {
  const otherwise = `or continue in a copy with: robota -r ${agent}:${id}`;
  const message =
    cwd !== undefined && !existsSync(cwd)
      ? `The directory ${neutraliseLine(cwd)} of this session is gone. Restore it, ${otherwise}`
      : `${program} is not installed. Install it, ${otherwise}`;
  return new Error(message, { cause });
}
