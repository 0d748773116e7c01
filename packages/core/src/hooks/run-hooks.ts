import type { JsonObject } from '../json.ts';
import { mergeUpdatedInput, withBothSpellings } from '../tool-spelling.ts';
import { combineOutcomes } from './combine-outcomes.ts';
import { describeHook } from './describe-hook.ts';
import { DEFAULT_HOOK_EXECUTORS } from './executors/defaults.ts';
import type {
  HookAnswer,
  HookDefinition,
  HookEvent,
  HookGroup,
  HookInput,
  HookOutcome,
  HooksConfig,
  HookTypeExecutor,
} from './hook.ts';
import { matchesHook } from './matches-hook.ts';
import { readHookAnswer } from './read-hook-answer.ts';

export interface RunHooksOptions {
  /** Join the built-in ones; one of the same type takes its place. */
  readonly executors?: readonly HookTypeExecutor[];
  readonly signal?: AbortSignal;
}

/**
 * Runs every hook that matches, one after another, and says what they said together. It never rejects. The
 * first block ends the row, except for events that nothing can block: there every hook gets its turn. A hook
 * that replaces a tool's input is heard by the hooks after it.
 */
export async function runHooks(
  config: HooksConfig | undefined,
  event: HookEvent,
  input: HookInput,
  given: readonly HookTypeExecutor[] | RunHooksOptions = {},
): Promise<HookOutcome> {
  const options: RunHooksOptions = isList(given) ? { executors: given } : given;
  const executors = new Map(
    [...DEFAULT_HOOK_EXECUTORS, ...(options.executors ?? [])].map((each) => [each.type, each]),
  );
  let outcome: HookOutcome = { blocked: false, failures: [] };
  let told = input;
  for (const { group, definition } of matching(config, event, input)) {
    const env = environmentOf(told, group);
    const run: HookRun = { definition, input: told, env, executor: executors.get(definition.type) };
    const says = inOurSpelling(await ask(run, event, options.signal), told);
    outcome = combineOutcomes(outcome, says);
    if (outcome.blocked && BLOCKABLE.has(event)) break;
    told = withUpdatedInput(told, says);
  }
  return outcome;
}

/** Seconds until a hook counts as hung when it names no `timeout`; commands may run a whole test suite. */
export const HOOK_TIMEOUT_SECONDS: Readonly<Record<HookDefinition['type'], number>> = {
  command: 600,
  http: 10,
  prompt: 60,
  agent: 60,
  function: 60,
};

interface HookRun {
  readonly definition: HookDefinition;
  readonly input: HookInput;
  readonly env: Readonly<Record<string, string>>;
  readonly executor: HookTypeExecutor | undefined;
}

const BLOCKABLE: ReadonlySet<HookEvent> = new Set([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
]);

function isList(
  given: readonly HookTypeExecutor[] | RunHooksOptions,
): given is readonly HookTypeExecutor[] {
  return Array.isArray(given);
}

function matching(config: HooksConfig | undefined, event: HookEvent, input: HookInput) {
  return (config?.[event] ?? [])
    .filter((group) => matchesHook(group.matcher, event, input))
    .flatMap((group) => group.hooks.map((definition) => ({ group, definition })));
}

function environmentOf(input: HookInput, group: HookGroup): Readonly<Record<string, string>> {
  return {
    CLAUDE_PROJECT_DIR: input.cwd,
    CLAUDE_SESSION_ID: input.session_id,
    CLAUDE_CODE_SESSION_ID: input.session_id,
    ...input.env,
    ...group.env,
  };
}

/** A hook hears both spellings of a parameter and may answer with either; callers get ours. */
function inOurSpelling(says: Partial<HookOutcome>, told: HookInput): Partial<HookOutcome> {
  if (says.updatedInput === undefined || told.tool_name === undefined) return says;
  const before = told.tool_input ?? {};
  const updatedInput = mergeUpdatedInput(told.tool_name, before, says.updatedInput);
  return { ...says, updatedInput: updatedInput as JsonObject }; // Its values come from JSON.
}

function withUpdatedInput(input: HookInput, says: Partial<HookOutcome>): HookInput {
  if (says.updatedInput === undefined || input.tool_name === undefined) return input;
  return { ...input, tool_input: withBothSpellings(input.tool_name, says.updatedInput) };
}

/** One hook's say; a failed hook says so, and blocks when it is required. */
async function ask(
  run: HookRun,
  event: HookEvent,
  signal: AbortSignal | undefined,
): Promise<Partial<HookOutcome>> {
  const answer = await execute(run, signal);
  const read = readHookAnswer(answer, event);
  if (read.failure === undefined) return read.says;
  const hook = describeHook(run.definition);
  const failures = [{ hook, reason: read.failure }];
  if (run.definition.required !== true) return { failures };
  return { failures, blocked: true, reason: `Required ${hook} failed: ${read.failure}` };
}

/** Bounds the time here, so that an executor that ignores its signal cannot hang the run either. */
async function execute(run: HookRun, outer: AbortSignal | undefined): Promise<HookAnswer> {
  const { definition, executor, input, env } = run;
  if (executor === undefined)
    return failed(`no executor is registered for ${definition.type} hooks`);
  const seconds = definition.timeout ?? HOOK_TIMEOUT_SECONDS[definition.type];
  const stop = new AbortController();
  const stopped = new Promise<HookAnswer>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(failed(String(stop.signal.reason))));
  });
  const onOuterAbort = () => stop.abort('was cancelled with the run');
  const timer = setTimeout(() => stop.abort(`timed out after ${seconds} s`), seconds * 1000);
  outer?.addEventListener('abort', onOuterAbort);
  try {
    if (outer?.aborted === true) onOuterAbort();
    const answer = startSafely(() =>
      executor.execute(definition, input, { env, signal: stop.signal }),
    );
    return await Promise.race([stopped, answer]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onOuterAbort);
  }
}

async function startSafely(start: () => Promise<HookAnswer>): Promise<HookAnswer> {
  try {
    return await start();
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(stderr: string): HookAnswer {
  return { exitCode: 1, stderr };
}
