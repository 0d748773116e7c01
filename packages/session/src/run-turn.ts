import type { Agent, MessagePart, Prompt, Provider, RunResult } from '@robota-sdk/agent-core';
import {
  type EndedBy,
  type FailureEnd,
  isAnswer,
  type SessionFold,
} from '@robota-sdk/agent-core/log';
import { assertPriceKnown, isBudgetSpent } from './budget.ts';
import type { ContextKeeper } from './context/context-keeper.ts';
import type { EntryLog } from './entry-log.ts';
import { contextFrom, type LifecycleHooks, type NoticeCallback } from './lifecycle-hooks.ts';
import { abortError, isAbortError } from './session-error.ts';
import type { PromptExtras, SessionOptions } from './session-options.ts';

/** The collaborators of one turn. */
export interface TurnParts {
  readonly agent: Agent;
  readonly context: ContextKeeper;
  readonly hooks: LifecycleHooks;
  readonly log: EntryLog;
  readonly fold: SessionFold;
  readonly options: SessionOptions;
  readonly notice: NoticeCallback;
  /** Output of the SessionStart hooks; returned once, for the first prompt. */
  readonly takeStartContext: () => Promise<string>;
}

export interface TurnInput {
  readonly message: string;
  /** What the user typed, if `message` was derived from it; hooks see this. */
  readonly rawInput?: string | undefined;
  readonly extras: PromptExtras;
  readonly controller: AbortController;
  /** The reason, once a hook stopped the run. */
  readonly stopReason: () => string | undefined;
}

/** An answer and how it ended: complete, cut short, or refused. */
export interface TurnAnswer {
  readonly response: string;
  readonly endedBy: EndedBy;
}

/** Maximum times Stop hooks may make the model continue in one turn. */
const MAX_STOP_CONTINUATIONS = 5;
const HOOK_RESPONSE_CHARACTERS = 500;

/** Runs one prompt; its log entries are enclosed by `prompt` and `turn_end`. */
export async function runTurn(parts: TurnParts, input: TurnInput): Promise<TurnAnswer> {
  const { log } = parts;
  const { display = input.message, origin = 'user', user, messageId } = input.extras;
  const { rawInput } = input;
  await log.append('prompt', { display, rawInput, origin, user, messageId });
  try {
    const answer = await answerPrompt(parts, input);
    const { response, endedBy } = answer;
    await log.append('turn_end', { status: 'completed', endedBy, response });
    return answer;
  } catch (error) {
    await log.append('turn_end', failedEnd(error));
    throw error;
  }
}

/** The order of these steps is specified. */
async function answerPrompt(parts: TurnParts, input: TurnInput): Promise<TurnAnswer> {
  const { context, log } = parts;
  const { signal } = input.controller;
  const startContext = await parts.takeStartContext();
  await context.compactIfDue(signal);
  throwIfAborted(signal);
  try {
    const sent = await preparedMessage(input);
    await log.append('user', { content: sent.message });
    const promptContext = await submitPrompt(parts, sent);
    throwIfAborted(signal);
    const prompt = withReminder(sent.message, [startContext, promptContext]);
    return await answer(parts, sent, prompt);
  } catch (error) {
    if (!isAbortError(error, signal)) await reportFailure(parts, error);
    throw error;
  }
}

interface SentPrompt extends TurnInput {
  readonly parts?: readonly MessagePart[] | undefined;
}

async function preparedMessage(input: TurnInput): Promise<SentPrompt> {
  const { parts, prepare } = input.extras;
  if (prepare === undefined) return { ...input, parts };
  return { ...input, ...(await prepare()) };
}

async function answer(parts: TurnParts, input: SentPrompt, first: string): Promise<TurnAnswer> {
  let prompt = first;
  for (let continuations = 0; ; continuations++) {
    logPreRun(parts, prompt);
    parts.context.estimate(prompt);
    const result = await askAgent(parts, input, withImages(prompt, continuations, input));
    logAssistant(parts, result.response);
    parts.context.reconcile();
    const stopped = input.stopReason();
    if (stopped !== undefined) throw stoppedByHook(stopped);
    if (!isAnswer(result.endedBy)) throw noAnswer(result.endedBy, parts.options.maxTurns);
    const isActive = continuations > 0;
    const objection = await fireStop(parts, input, { response: result.response, isActive });
    if (objection === undefined) return result;
    if (continuations >= MAX_STOP_CONTINUATIONS) {
      parts.notice({
        level: 'warning',
        kind: 'hook',
        message: `A Stop hook objected ${continuations + 1} times; the turn ends here. It said: ${objection}`,
      });
      return result;
    }
    prompt = `Stop hook feedback:\n${objection}`;
  }
}

const FAILURE_MESSAGES: Readonly<
  Record<Exclude<FailureEnd, 'abort' | 'error' | 'hook_stopped'>, string>
> = {
  round_cap: 'The limit of model calls for one prompt is reached. Send another prompt to continue.',
  unknown_tools: 'The model asked for tools that do not exist, twice in a row. Try again.',
  context_full: 'Context window is near capacity. Run /compact and retry.',
  empty_reply: 'The model ended its reply without saying anything. Try again.',
  budget:
    'The budget of this session is used up. Raise maxBudgetTokens or maxBudgetUsd, or start another session.',
};

function noAnswer(endedBy: FailureEnd, maxTurns: number | undefined): Error {
  if (endedBy === 'abort') return abortError();
  const limit = endedBy === 'round_cap' && maxTurns ? ` (maxTurns: ${maxTurns})` : '';
  const isNamed = endedBy !== 'error' && endedBy !== 'hook_stopped';
  const reason = isNamed ? FAILURE_MESSAGES[endedBy] : 'The run failed.';
  return Object.assign(new Error(`${reason}${limit}`), { code: endedBy });
}

/** A run stopped by a hook is not a user abort, and its text so far is not an answer. */
function stoppedByHook(reason: string): Error {
  return Object.assign(new Error(`Stopped by hook: ${reason}`), { code: 'hook_stopped' });
}

async function submitPrompt(parts: TurnParts, input: SentPrompt): Promise<string> {
  const typed = input.rawInput ?? input.message;
  const outcome = await parts.hooks.fire(
    'UserPromptSubmit',
    { prompt: typed, user_message: typed },
    input.controller.signal,
  );
  if (!outcome.blocked && !outcome.stop) return contextFrom(outcome);
  const reason = outcome.reason ?? outcome.stop?.reason ?? 'no reason given';
  await parts.log.append('prompt_blocked', { reason });
  throw Object.assign(new Error(`Blocked by hook: ${reason}`), { code: 'prompt_blocked' });
}

async function askAgent(parts: TurnParts, input: TurnInput, prompt: Prompt): Promise<RunResult> {
  const { agent, options, context } = parts;
  const { signal } = input.controller;
  const result = await agent.run(prompt, {
    signal,
    maxExecutionRounds: options.maxTurns ?? 0,
    onToolCallDelta: options.onToolCallDelta,
    thinking: options.thinking,
    async beforeRound(round) {
      await context.beforeRound(round, signal);
      await assertPriceKnown(options, agent.getModel());
      const tallies = Object.values(parts.fold.state.usage);
      return (await isBudgetSpent(options, tallies)) ? 'budget' : undefined;
    },
  });
  if (signal.aborted && input.stopReason() === undefined) throw abortError();
  return result;
}

/** Images are sent with the prompt itself, not with the feedback of a Stop hook. */
function withImages(content: string, continuations: number, { parts }: SentPrompt): Prompt {
  if (continuations > 0 || !parts?.length) return content;
  return { content, parts: [{ type: 'text', text: content }, ...parts] };
}

/** The objection of a Stop hook; undefined when the turn may end. */
async function fireStop(
  parts: TurnParts,
  input: TurnInput,
  { response, isActive }: { readonly response: string; readonly isActive: boolean },
): Promise<string | undefined> {
  if (parts.options.subagent) return undefined;
  const outcome = await parts.hooks.fire(
    'Stop',
    {
      response: response.slice(0, HOOK_RESPONSE_CHARACTERS),
      last_assistant_message: response,
      stop_hook_active: isActive,
    },
    input.controller.signal,
  );
  if (outcome.stop) {
    const message = `A Stop hook ended the turn here: ${outcome.stop.reason}`;
    parts.notice({ level: 'warning', kind: 'hook', message });
    return undefined;
  }
  return outcome.blocked ? (outcome.reason ?? 'Continue.') : undefined;
}

function logPreRun({ agent, log, options }: TurnParts, input: string): void {
  if (!log.isKept) return;
  const history = agent.getHistory();
  void log.append('pre_run', {
    provider: options.provider.name,
    model: agent.getModel(),
    ...nativeWebState(options.provider),
    input,
    historyLength: history.length,
    history,
  });
}

function nativeWebState(provider: Provider): Record<string, boolean> {
  const native = provider.getCapabilities?.().nativeWebTools;
  return {
    nativeWebSearchSupported: native?.webSearch.supported ?? false,
    nativeWebSearchEnabled: native?.webSearch.enabled ?? false,
    nativeWebFetchSupported: native?.webFetch.supported ?? false,
    nativeWebFetchEnabled: native?.webFetch.enabled ?? false,
  };
}

function logAssistant({ agent, log }: TurnParts, content: string): void {
  if (!log.isKept) return;
  const history = agent.getHistory();
  void log.append('assistant', { content, historyLength: history.length, history });
}

async function reportFailure(parts: TurnParts, error: unknown): Promise<void> {
  const message = messageOf(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const historyLength = parts.agent.getHistory().length;
  await parts.log.append('error', { message, stack, historyLength });
  await parts.hooks.fire('StopFailure', { reason: message, stop_hook_active: false });
}

function failedEnd(error: unknown): Record<string, unknown> {
  if (isAbortError(error)) return { status: 'interrupted', endedBy: 'abort' };
  const { code } = error as { readonly code?: unknown };
  const isNamed = typeof code === 'string' && (code in FAILURE_MESSAGES || code === 'hook_stopped');
  const endedBy = isNamed ? code : 'error';
  return {
    status: 'failed',
    endedBy,
    message: messageOf(error),
    ...(typeof code === 'string' && { code }),
  };
}

/** Puts hook output in front of the message, marked so that the model can tell them apart. */
function withReminder(message: string, contexts: readonly string[]): string {
  const text = contexts.filter((context) => context !== '').join('\n');
  return text === '' ? message : `<system-reminder>\n${text}\n</system-reminder>\n${message}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}
