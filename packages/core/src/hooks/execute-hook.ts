import type { HookAnswer, HookDefinition, HookInput, HookTypeExecutor } from './hook.ts';

/** One hook about to run. */
export interface HookRun {
  readonly definition: HookDefinition;
  readonly input: HookInput;
  readonly env: Readonly<Record<string, string>>;
  readonly executor: HookTypeExecutor | undefined;
}

/** Timeout in seconds of hooks without their own `timeout`; commands may run a whole test suite. */
export const HOOK_TIMEOUT_SECONDS: Readonly<Record<HookDefinition['type'], number>> = {
  command: 600,
  http: 10,
  prompt: 60,
  agent: 60,
  mcp_tool: 60,
  function: 60,
};

/** For custom hook types. */
const CUSTOM_TIMEOUT_SECONDS = 60;
/** The longest delay of a timer; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Never rejects. The timeout is enforced here, so that an executor that ignores its signal cannot hang the run. */
export async function executeHook(
  run: HookRun,
  outer: AbortSignal | undefined,
): Promise<HookAnswer> {
  const { definition, executor, input, env } = run;
  if (executor === undefined)
    return failed(`no executor is registered for ${definition.type} hooks`);
  const seconds = timeoutOf(definition);
  const stop = new AbortController();
  const stopped = new Promise<HookAnswer>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(failed(String(stop.signal.reason))));
  });
  const onOuterAbort = () => stop.abort('was cancelled with the run');
  const timer = setTimeout(
    () => stop.abort(`timed out after ${seconds} s`),
    Math.min(seconds * 1000, MAX_TIMER_MS),
  );
  outer?.addEventListener('abort', onOuterAbort);
  try {
    if (outer?.aborted === true) onOuterAbort();
    const answer = answerOf(() =>
      executor.execute(definition, input, { env, signal: stop.signal }),
    );
    return await Promise.race([stopped, answer]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onOuterAbort);
  }
}

function timeoutOf({ timeout, type }: HookDefinition): number {
  const usual = Object.hasOwn(HOOK_TIMEOUT_SECONDS, type)
    ? HOOK_TIMEOUT_SECONDS[type]
    : CUSTOM_TIMEOUT_SECONDS;
  return timeout !== undefined && timeout > 0 ? timeout : usual;
}

/** A custom executor may throw or return an invalid answer. */
async function answerOf(start: () => Promise<HookAnswer>): Promise<HookAnswer> {
  try {
    const answer: Partial<HookAnswer> | null | undefined = await start();
    if (typeof answer?.exitCode === 'number') return { ...answer, exitCode: answer.exitCode };
    return failed('its executor gave no answer with an exit code');
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(stderr: string): HookAnswer {
  return { exitCode: 1, stderr };
}
