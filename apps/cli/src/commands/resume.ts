import { spawn } from 'node:child_process';
import { readFlags } from '../arguments/read-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { runPrompt } from './run-prompt.ts';
import { findSession } from './sessions/find-sessions.ts';

/** Goes on with a session: ours here, a foreign one in its own program and directory. */
export async function runResume(args: readonly string[], output: Output): Promise<number> {
  const { positionals } = readFlags(args, { debug: { type: 'boolean' } } as const);
  const [reference, ...words] = positionals;
  if (reference === undefined) throw new UsageError('Usage: robota resume <id|name> [prompt]');
  const session = await findSession(reference);
  if (session.path === undefined) {
    return runPrompt(['-r', session.id, ...(words.length > 0 ? [words.join(' ')] : [])], output);
  }
  const { isAgentArchitecture, resumeCommand } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  if (!isAgentArchitecture(session.agent))
    throw new UsageError(`Nothing is known about the agent ${session.agent}.`);
  const [program = '', ...programArgs] = resumeCommand(session.agent, session.id);
  output.note(`${program} ${programArgs.join(' ')}${session.cwd ? `  (in ${session.cwd})` : ''}`);
  return runForeground(program, [...programArgs, ...words], session.cwd);
}

/** The program gets this terminal; its exit code is ours. */
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
