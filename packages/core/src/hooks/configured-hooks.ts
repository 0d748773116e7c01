import type { JsonObject } from '../json.ts';
import { mergeUpdatedInput, withBothSpellings } from '../tool-spelling.ts';
import { combineOutcomes } from './combine-outcomes.ts';
import { describeHook } from './describe-hook.ts';
import { executeHook, HOOK_TIMEOUT_SECONDS, type HookRun } from './execute-hook.ts';
import { DEFAULT_HOOK_EXECUTORS } from './executors/defaults.ts';
import type {
  HookDefinition,
  HookEvent,
  HookFailure,
  HookGroup,
  HookInput,
  HookOutcome,
  HooksConfig,
  HookTypeExecutor,
} from './hook.ts';
import { matchesHook } from './matches-hook.ts';
import { readHookAnswer } from './read-hook-answer.ts';
import { type ReadHooks, readHooksConfig } from './read-hooks-config.ts';

/** Options for running the hooks of one event. */
export interface RunHooksOptions {
  /** Added to the built-in ones; one of the same type replaces it. */
  readonly executors?: readonly HookTypeExecutor[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Hooks with `once` that have run; one set per session. */
  readonly spent?: Set<HookDefinition> | undefined;
  /** Called for `async` hooks that failed, since they are not awaited. */
  readonly onBackgroundFailure?: ((failure: HookFailure) => void) | undefined;
}

/** What `runHooks` does, with all that only a session with hooks needs. */
export async function runConfiguredHooks(
  config: HooksConfig | undefined,
  event: HookEvent,
  { input, options }: { readonly input: HookInput; readonly options: RunHooksOptions },
): Promise<HookOutcome> {
  const executors = new Map(
    [...DEFAULT_HOOK_EXECUTORS, ...(options.executors ?? [])].map((each) => [each.type, each]),
  );
  const { hooks, problems } = checked(config, [...executors.keys()]);
  let outcome: HookOutcome = { blocked: false, failures: failuresOf(problems, event) };
  let told = withInput(input, input.tool_input);
  for (const { group, definition } of matching(hooks, event, told)) {
    if (!(await isTurnOf(definition, told, options))) continue;
    const env = environmentOf(told, group);
    const run: HookRun = { definition, input: told, env, executor: executors.get(definition.type) };
    if (definition.async === true) {
      void runInBackground(run, event, options);
      continue;
    }
    const says = inOurSpelling(await ask(run, event, options.signal), told);
    outcome = combineOutcomes(outcome, says);
    if (outcome.blocked && BLOCKABLE.has(event)) break;
    told = withInput(told, says.updatedInput ?? told.tool_input);
  }
  return outcome;
}

const BLOCKABLE: ReadonlySet<HookEvent> = new Set([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
]);

function matching(config: HooksConfig, event: HookEvent, input: HookInput) {
  return (config[event] ?? [])
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

/** A hook gets both names of a parameter and may answer with either; callers get ours. */
function inOurSpelling(says: Partial<HookOutcome>, told: HookInput): Partial<HookOutcome> {
  if (says.updatedInput === undefined || told.tool_name === undefined) return says;
  const before = told.tool_input ?? {};
  const updatedInput = mergeUpdatedInput(told.tool_name, before, says.updatedInput);
  return { ...says, updatedInput: updatedInput as JsonObject }; // Its values come from JSON.
}

function withInput(input: HookInput, args: HookInput['tool_input']): HookInput {
  if (args === undefined || input.tool_name === undefined) return input;
  return { ...input, tool_input: withBothSpellings(input.tool_name, args) };
}

/** `if` limits a hook to calls its rule may cover; it never matches an event without a call. */
async function isTurnOf(
  definition: HookDefinition,
  told: HookInput,
  { spent }: RunHooksOptions,
): Promise<boolean> {
  if (definition.if !== undefined && !(await mayFallUnder(definition.if, told))) return false;
  // Checked after the await: concurrent calls share the set.
  if (spent?.has(definition)) return false;
  if (definition.once === true) spent?.add(definition);
  return true;
}

/** Matched like a deny rule: a call that only may be covered counts, too. */
async function mayFallUnder(
  rule: string,
  { tool_name, tool_input = {}, cwd }: HookInput,
): Promise<boolean> {
  if (tool_name === undefined) return false;
  const { explainPermission } = await import('../permissions/evaluate-permission.ts');
  const lists = { deny: [rule], cwd };
  return explainPermission(tool_name, tool_input, 'bypassPermissions', lists).rule === rule;
}

async function runInBackground(
  run: HookRun,
  event: HookEvent,
  { onBackgroundFailure }: RunHooksOptions,
): Promise<void> {
  const { failures = [] } = await ask(run, event, undefined);
  for (const failure of failures) onBackgroundFailure?.(failure);
}

/** Hooks from code are validated like those from files, once per configuration. */
function checked(config: HooksConfig | undefined, types: readonly string[]): ReadHooks {
  if (typeof config !== 'object' || config === null) return readHooksConfig(config);
  const key = types.join(' ');
  const known = CHECKED.get(config) ?? new Map<string, ReadHooks>();
  CHECKED.set(config, known);
  const before = known.get(key);
  if (before) return before;
  const customTypes = types.filter((type) => !BUILT_IN_TYPES.has(type));
  const read = readHooksConfig(config, { customTypes });
  known.set(key, read);
  return read;
}

const CHECKED = new WeakMap<HooksConfig, Map<string, ReadHooks>>();
const BUILT_IN_TYPES: ReadonlySet<string> = new Set(Object.keys(HOOK_TIMEOUT_SECONDS));

function failuresOf(problems: ReadHooks['problems'], event: HookEvent): HookFailure[] {
  const place = `hooks.${event}`;
  return problems
    .filter(({ field, isLeftOut }) => isLeftOut && (field === 'hooks' || field.startsWith(place)))
    .map(({ field, problem }) => ({ hook: field, reason: problem }));
}

/** The outcome of one hook; a failed hook is reported, and blocks when it is required. */
async function ask(
  run: HookRun,
  event: HookEvent,
  signal: AbortSignal | undefined,
): Promise<Partial<HookOutcome>> {
  const answer = await executeHook(run, signal);
  const read = readHookAnswer(answer, event);
  if (read.failure === undefined) return read.says;
  const hook = describeHook(run.definition);
  const failures = [{ hook, reason: read.failure }];
  if (run.definition.required !== true) return { failures };
  return { failures, blocked: true, reason: `Required ${hook} failed: ${read.failure}` };
}
