import type { RoundScope } from '../engine-event.ts';
import type { AssistantMessage, Message } from '../messages/message.ts';
import type { ChatOptions } from '../provider.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';
import { normalizeReply } from './normalize-reply.ts';
import { ProviderCall } from './provider-call.ts';
import { retryDelayMs } from './retry-policy.ts';
import { appendMessage, type Run } from './run.ts';

export interface ProviderQuestion {
  readonly round: number;
  /** The messages to send. */
  readonly messages: readonly Message[];
}

/**
 * The model's reply, committed to the conversation; null when an abort left nothing to commit. A reply that failed
 * after part of it was shown is committed as interrupted before the error is rethrown.
 */
export async function askProvider(
  run: Run,
  question: ProviderQuestion,
): Promise<AssistantMessage | null> {
  const scope: RoundScope = { ...run.scope, round: question.round };
  const request = { messages: question.messages, options: chatOptions(run) };
  reportRequest(run, scope, request);
  const answer = await answerWithRetries(run, scope, request);
  return answer && commitReply(run, scope, answer);
}

/** A reply that is neither shown nor added to the conversation. Null after an abort. */
export async function askOutsideConversation(
  run: Run,
  { messages, cause }: { readonly messages: readonly Message[]; readonly cause: 'compaction' },
): Promise<AssistantMessage | null> {
  const scope: RoundScope = { ...run.scope, round: 1 };
  const request = { messages, options: { model: run.model || undefined }, cause };
  reportRequest(run, scope, request);
  return await answerWithRetries(run, scope, request);
}

/** Adds a reply to the conversation and reports it. */
function commitReply(run: Run, scope: RoundScope, message: AssistantMessage): AssistantMessage {
  if (isEmpty(message)) return message;
  run.events.emit({ type: 'assistant_message_committed', ...scope, message });
  void appendMessage(run, message, scope.round);
  return message;
}

interface Request {
  readonly messages: readonly Message[];
  readonly options: ChatOptions;
  /** Set if the reply is not part of the conversation. */
  readonly cause?: 'compaction';
}

function chatOptions(run: Run): ChatOptions {
  const { tools, limits, options, provider } = run;
  const hasTools = tools.schemas.length > 0 && provider.supportsTools?.() !== false;
  return {
    ...(run.model !== '' && { model: run.model }),
    ...(hasTools && { tools: tools.schemas }),
    ...(limits.maxTokens !== undefined && { maxTokens: limits.maxTokens }),
    ...(limits.temperature !== undefined && { temperature: limits.temperature }),
    ...(options.thinking !== undefined && { thinking: options.thinking }),
    ...(limits.stopSequences !== undefined && { stopSequences: limits.stopSequences }),
  };
}

function reportRequest(run: Run, scope: RoundScope, request: Request): void {
  if (!run.events.hasListeners) return;
  const { tools = [], model = run.model, ...options } = request.options;
  run.events.emit({
    type: 'provider_request',
    ...scope,
    provider: run.provider.name,
    model,
    messages: request.messages,
    historyLength: request.cause === undefined ? request.messages.length : 0,
    tools,
    options: options as Readonly<Record<string, unknown>>,
    ...(request.cause && { cause: request.cause }),
  });
}

/** Retries the same model while waiting may help, then falls back to the next one. */
async function answerWithRetries(
  run: Run,
  scope: RoundScope,
  given: Request,
): Promise<AssistantMessage | null> {
  let request = given;
  const isShown = given.cause === undefined;
  for (let failures = 1; ; failures++) {
    const call = new ProviderCall(run, scope, { isShown });
    try {
      const reply = await call.chat(request.messages, request.options);
      return readAnswer(run, scope, { call, reply });
    } catch (error) {
      if (run.signal.aborted) return interruptedAnswer(call, scope.round, 'abort');
      const model = await prepareRetry(run, scope, { call, error, failures, isShown });
      if (model !== undefined) {
        request = { ...request, options: { ...request.options, model } };
        reportRequest(run, scope, request);
        failures = 0;
      }
    }
    if (run.signal.aborted) return null;
  }
}

interface FailedCall {
  readonly call: ProviderCall;
  readonly error: unknown;
  readonly failures: number;
  readonly isShown: boolean;
}

/**
 * Waits before the next attempt, returns the fallback model, or rethrows the error; what was already shown stays, as an
 * interrupted reply.
 */
async function prepareRetry(
  run: Run,
  scope: RoundScope,
  failed: FailedCall,
): Promise<string | undefined> {
  const { call, error, failures } = failed;
  const waitMs = call.hasStreamed ? null : retryDelayMs(error, failures, run.limits.retry);
  const reason = error instanceof Error ? error.message : String(error);
  if (waitMs !== null) {
    run.events.emit({ type: 'provider_retry', ...scope, attempt: failures, waitMs, reason });
    await waitForRetry(run, waitMs);
    return undefined;
  }
  const model = !call.hasStreamed && canFallBack(error) ? run.fallBack() : undefined;
  if (model !== undefined) {
    const retry = { attempt: failures, waitMs: 0, reason, model };
    run.events.emit({ type: 'provider_retry', ...scope, ...retry });
    return model;
  }
  const partial = interruptedAnswer(call, scope.round, 'error');
  if (partial !== null && failed.isShown) commitReply(run, scope, partial);
  throw error;
}

const MODEL_SPECIFIC_ERRORS: ReadonlySet<ProviderErrorKind> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'idle_timeout',
]);

/** A wrong key, a network outage or a malformed request would fail with every model. */
function canFallBack(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return MODEL_SPECIFIC_ERRORS.has(error.kind) || error.status === 404;
}

function readAnswer(
  run: Run,
  scope: RoundScope,
  { call, reply }: { readonly call: ProviderCall; readonly reply: unknown },
): AssistantMessage | null {
  const isInterrupted = run.signal.aborted;
  if (reply === null && isInterrupted) return interruptedAnswer(call, scope.round, 'abort');
  const response = normalizeReply(run, reply, {
    round: scope.round,
    streamedText: call.pending.text,
    isInterrupted,
  });
  if (run.events.hasListeners) reportReply(run, scope, { reply, response });
  return response;
}

function reportReply(
  run: Run,
  scope: RoundScope,
  { reply, response }: { readonly reply: unknown; readonly response: AssistantMessage },
): void {
  run.events.emit({
    type: 'provider_response_raw',
    ...scope,
    response: reply,
    responseKind: 'provider-normalized-message',
  });
  run.events.emit({
    type: 'provider_response_normalized',
    ...scope,
    provider: run.provider.name,
    model: run.model,
    response,
    toolCallsCount: response.toolCalls?.length ?? 0,
  });
}

function interruptedAnswer(
  call: ProviderCall,
  round: number,
  interruptedBy: 'abort' | 'error',
): AssistantMessage | null {
  const message = call.pending.toInterruptedMessage();
  return message && { ...message, metadata: { round, interruptedBy } };
}

/** An abort ends the wait early without an error. */
async function waitForRetry(run: Run, milliseconds: number): Promise<void> {
  try {
    await run.limits.clock.sleep(milliseconds, run.signal);
  } catch (error) {
    if (!run.signal.aborted) throw error;
  }
}

function isEmpty(message: AssistantMessage): boolean {
  return !message.content && !message.toolCalls?.length && !message.parts?.length;
}
