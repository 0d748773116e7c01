import type { Agent, MessagePart, Prompt, Provider, RunResult } from '@robota-sdk/agent-core';
import type { ContextKeeper } from './context/context-keeper.ts';
import { contextFrom, type LifecycleHooks } from './lifecycle-hooks.ts';
import { describeHistory } from './log/history-structure.ts';
import type { SessionJournal } from './log/session-journal.ts';
import type { SessionOptions } from './session-options.ts';

/** What one turn needs of its session. */
export interface TurnParts {
  readonly agent: Agent;
  readonly context: ContextKeeper;
  readonly hooks: LifecycleHooks;
  readonly journal: SessionJournal;
  readonly options: SessionOptions;
  /** SessionStart's output, once: it belongs to the first prompt. */
  readonly takeStartContext: () => Promise<string>;
}

export interface TurnInput {
  readonly message: string;
  /** What the user typed, where `message` was made from it; hooks see this. */
  readonly rawInput?: string | undefined;
  /** Images that belong to the prompt. */
  readonly parts?: readonly MessagePart[] | undefined;
  readonly controller: AbortController;
  /** Set by a hook that wants the whole run to stop. */
  readonly stopReason: () => string | undefined;
}

/** A Stop hook may send the model back to work this often in one turn. */
const MAX_STOP_CONTINUATIONS = 5;
const HOOK_RESPONSE_CHARACTERS = 500;

/** One prompt from hooks to answer: the order of these steps is the contract. */
export async function runTurn(parts: TurnParts, input: TurnInput): Promise<string> {
  const { context, journal } = parts;
  const { signal } = input.controller;
  const startContext = await parts.takeStartContext();
  await context.compactIfDue(signal);
  throwIfAborted(signal);
  await journal.write('user', { content: input.message });
  const promptContext = await submitPrompt(parts, input);
  throwIfAborted(signal);
  const prompt = withReminder(input.message, [startContext, promptContext]);
  try {
    return await answer(parts, input, prompt);
  } catch (error) {
    if (!isAbort(error, signal)) await reportFailure(parts, error);
    throw error;
  }
}

async function answer(parts: TurnParts, input: TurnInput, first: string): Promise<string> {
  let prompt = first;
  for (let continuations = 0; ; continuations++) {
    logPreRun(parts, prompt);
    parts.context.estimate(prompt);
    const result = await askAgent(parts, input, withImages(prompt, continuations, input));
    logAssistant(parts, result.response);
    void parts.journal.write('context', { ...parts.context.reconcile() });
    const stopped = input.stopReason();
    if (stopped !== undefined) return result.response || stopped;
    const isActive = continuations > 0;
    const objection = await fireStop(parts, input, { response: result.response, isActive });
    if (objection === undefined) return result.response;
    if (continuations >= MAX_STOP_CONTINUATIONS) {
      parts.options.onNotice?.({
        level: 'warning',
        message: `A Stop hook objected ${continuations + 1} times; the turn ends here. It said: ${objection}`,
      });
      return result.response;
    }
    prompt = `Stop hook feedback:\n${objection}`;
  }
}

async function submitPrompt(parts: TurnParts, input: TurnInput): Promise<string> {
  const said = input.rawInput ?? input.message;
  const outcome = await parts.hooks.fire(
    'UserPromptSubmit',
    { prompt: said, user_message: said },
    input.controller.signal,
  );
  if (!outcome.blocked && !outcome.stop) return contextFrom(outcome);
  const reason = outcome.reason ?? outcome.stop?.reason ?? 'no reason given';
  await parts.journal.write('prompt_blocked', { reason });
  throw Object.assign(new Error(`Blocked by hook: ${reason}`), { code: 'prompt_blocked' });
}

async function askAgent(parts: TurnParts, input: TurnInput, prompt: Prompt): Promise<RunResult> {
  const { agent, options, context, journal } = parts;
  const { signal } = input.controller;
  const result = await agent.run(prompt, {
    signal,
    maxExecutionRounds: options.maxTurns ?? 0,
    onTextDelta: (delta) => {
      void journal.write('text_delta', { delta });
      options.onTextDelta?.(delta);
    },
    ...(options.onThinkingDelta && { onThinkingDelta: options.onThinkingDelta }),
    ...(options.onToolCallDelta && { onToolCallDelta: options.onToolCallDelta }),
    ...(options.onServerToolUse && { onServerToolUse: options.onServerToolUse }),
    ...(options.thinking && { thinking: options.thinking }),
    beforeRound: (round) => context.beforeRound(round, signal),
  });
  // A hook that stopped the run is no abort by the user: what was said so far is the answer.
  if (signal.aborted && input.stopReason() === undefined) throw abortError();
  return result;
}

/** Images go with the prompt itself, not with what a hook asks afterwards. */
function withImages(content: string, continuations: number, { parts }: TurnInput): Prompt {
  if (continuations > 0 || !parts?.length) return content;
  return { content, parts: [{ type: 'text', text: content }, ...parts] };
}

/** What the hook wants done before the turn may end; undefined when it may. */
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
  if (!outcome.blocked || outcome.stop) return undefined;
  return outcome.reason ?? 'Continue.';
}

function logPreRun({ agent, journal, options }: TurnParts, input: string): void {
  if (!journal.isKept) return;
  const history = agent.getHistory();
  void journal.write('pre_run', {
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

function logAssistant({ agent, journal }: TurnParts, content: string): void {
  if (!journal.isKept) return;
  const history = agent.getHistory();
  void journal.write('assistant', {
    content,
    historyLength: history.length,
    history,
    // A logger that keeps references never looks at it.
    get historyStructure() {
      return describeHistory(history);
    },
  });
}

async function reportFailure(parts: TurnParts, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const historyLength = parts.agent.getHistory().length;
  await parts.journal.write('error', { message, stack, historyLength });
  await parts.hooks.fire('StopFailure', { reason: message, stop_hook_active: false });
}

/** Hooks' words stand in front of the user's, marked so that the model can tell them apart. */
function withReminder(message: string, contexts: readonly string[]): string {
  const text = contexts.filter((context) => context !== '').join('\n');
  return text === '' ? message : `<system-reminder>\n${text}\n</system-reminder>\n${message}`;
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof DOMException && error.name === 'AbortError';
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

function abortError(): DOMException {
  return new DOMException('Aborted', 'AbortError');
}
