import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { BatchScope, ToolExecutionResultEvent } from '../engine-event.ts';
import type { ToolCall } from '../messages/message.ts';
import type { ToolOutcome } from '../tool.ts';
import { INTERRUPTED } from './abort-grace.ts';
import { roomForToolResult } from './context-room.ts';
import { parseCallArguments } from './parse-call-arguments.ts';
import { appendMessage, type Run } from './run.ts';
import { runToolCall } from './run-tool-call.ts';
import { toToolMessage } from './tool-message.ts';

export interface ToolBatch {
  readonly round: number;
  readonly calls: readonly ToolCall[];
  /** If given, no call is run; each gets this outcome. */
  readonly refusal?: ToolOutcome;
}

/**
 * Runs the calls of one reply concurrently up to the limit, and commits one result for each, in call order. That holds
 * even when a listener fails: the open calls then count as interrupted, and the error is rethrown.
 */
export async function runToolBatch(run: Run, batch: ToolBatch): Promise<readonly ToolOutcome[]> {
  const { calls, round } = batch;
  const scope: BatchScope = { ...run.scope, round, batchId: randomUUID() };
  const outcomes: ToolOutcome[] = [];
  reportBatch(run, scope, calls);
  try {
    await runCalls(run, { ...batch, scope, outcomes });
  } finally {
    calls.forEach((call, index) => {
      outcomes[index] ??= INTERRUPTED;
      commitResult(run, scope, { call, index, outcome: outcomes[index] });
    });
  }
  return outcomes;
}

interface OpenBatch extends ToolBatch {
  readonly scope: BatchScope;
  readonly outcomes: ToolOutcome[];
}

async function runCalls(run: Run, batch: OpenBatch): Promise<void> {
  const stopper = new AbortController();
  setMaxListeners(0, stopper.signal);
  const stop = (): void => stopper.abort(run.signal.reason);
  if (run.signal.aborted) stop();
  else run.signal.addEventListener('abort', stop, { once: true });
  const waiting = batch.calls.entries();
  const worker = async (): Promise<void> => {
    try {
      for (const [index, call] of waiting) await runCall(run, batch, { call, index, stopper });
    } catch (error) {
      stopper.abort(error);
      throw error;
    }
  };
  try {
    const count = Math.min(run.limits.toolConcurrency, batch.calls.length);
    const ends = await Promise.allSettled(Array.from({ length: count }, worker));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    run.signal.removeEventListener('abort', stop);
  }
}

async function runCall(
  run: Run,
  { scope, refusal, outcomes }: OpenBatch,
  work: { readonly call: ToolCall; readonly index: number; readonly stopper: AbortController },
): Promise<void> {
  const { call, index, stopper } = work;
  const parsed = parseCallArguments(call.function.arguments);
  const named = { index, toolName: call.function.name, toolCallId: call.id };
  const { ownerPath } = run.limits;
  const parameters = parsed.ok ? parsed.parameters : {};
  if (run.events.hasListeners) {
    const type = 'tool_execution_request';
    await run.events.deliver({ type, ...scope, ...named, parameters, ownerPath });
  }
  const outcome = refusal ?? (await runToolCall(run, call, { parsed, signal: stopper.signal }));
  outcomes[index] = outcome;
  if (run.events.hasListeners) {
    await run.events.deliver({
      type: 'tool_execution_result',
      ...scope,
      ...named,
      ...eventFields(outcome),
    });
  }
}

function eventFields(
  outcome: ToolOutcome,
): Pick<ToolExecutionResultEvent, 'success' | 'result' | 'error' | 'errorCode' | 'metadata'> {
  const { success, data, error, errorCode, metadata } = outcome;
  return {
    success,
    ...(data !== undefined && { result: data }),
    ...(error !== undefined && { error }),
    ...(errorCode !== undefined && { errorCode }),
    ...(metadata !== undefined && { metadata }),
  };
}

function reportBatch(run: Run, scope: BatchScope, calls: readonly ToolCall[]): void {
  if (!run.events.hasListeners) return;
  const maxConcurrency = run.limits.toolConcurrency;
  run.events.emit({
    type: 'tool_batch_started',
    ...scope,
    mode: maxConcurrency > 1 ? 'parallel' : 'sequential',
    maxConcurrency,
    requestCount: calls.length,
    tools: calls.map((call) => call.function.name),
  });
}

function commitResult(
  run: Run,
  scope: BatchScope,
  result: { readonly call: ToolCall; readonly index: number; readonly outcome: ToolOutcome },
): void {
  const { call, index, outcome } = result;
  const maxCharacters = roomForToolResult(run);
  const message = toToolMessage(call, outcome, { round: scope.round, maxCharacters });
  run.events.emit({ type: 'tool_message_committed', ...scope, index, message });
  void appendMessage(run, message, scope.round);
}
