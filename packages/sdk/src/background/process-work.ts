import type { SandboxRunResult, ToolSandbox } from '@robota-sdk/agent-core';
import type { BackgroundTaskEnd } from './background-task.ts';
import type { BackgroundWork } from './background-tasks.ts';

/** One day: long enough for any server, and a forgotten one still ends. */
export const MAX_RUNTIME_MS = 24 * 60 * 60 * 1000;

/** A shell command as background work; cancelling leaves no process behind. */
export function processWork(
  command: string,
  { sandbox, cwd }: { readonly sandbox: ToolSandbox; readonly cwd: string },
): BackgroundWork {
  return async ({ signal, write }) => {
    let hasStreamed = false;
    const result = await sandbox.run(command, {
      timeoutMs: MAX_RUNTIME_MS,
      workingDirectory: cwd,
      signal,
      // Output is streamed to the task's log; the result is used only when the sandbox cannot stream.
      outputLimitBytes: 256 * 1024,
      onOutput: (text) => {
        hasStreamed = true;
        write(text);
      },
    });
    if (!hasStreamed) write(result.stdout + result.stderr);
    return processEnd(result);
  };
}

export function processEnd({ exitCode, timedOut }: SandboxRunResult): BackgroundTaskEnd {
  if (timedOut) return { status: 'failed', exitCode, error: 'It ran for a day and was stopped.' };
  return { status: exitCode === 0 ? 'completed' : 'failed', exitCode };
}
