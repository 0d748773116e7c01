import type { RunOptions } from '../agent/agent-config.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { RequestView } from '../conversation/request-view.ts';
import type { RunScope } from '../engine-event.ts';
import type { FailureEnd } from '../log/entry.ts';
import type { Message } from '../messages/message.ts';
import type { Provider } from '../provider.ts';
import type { Clock } from './clock.ts';
import type { EventDispatcher } from './event-dispatcher.ts';
import type { RetryPolicy } from './retry-policy.ts';
import type { ToolRegistry } from './tool-registry.ts';

/** State shared by the rounds of one run. Model, provider and tools may change between rounds. */
export interface Run {
  readonly scope: RunScope;
  readonly conversation: Conversation;
  readonly view: RequestView;
  readonly events: EventDispatcher;
  readonly signal: AbortSignal;
  readonly options: RunOptions;
  readonly limits: RunLimits;
  readonly provider: Provider;
  readonly model: string;
  readonly tools: ToolRegistry;
  /** Runs between rounds, when every tool call has its result. A resolved value ends the run. */
  atBoundary(round: number): Promise<FailureEnd | undefined>;
  /** Switches to the next fallback model for the rest of the run; undefined when there is none. */
  fallBack(): string | undefined;
}

/** Limits from the configuration, with defaults. */
export interface RunLimits {
  readonly maxRounds: number;
  readonly idleTimeoutMs: number;
  readonly toolConcurrency: number;
  readonly abortGraceMs: number;
  readonly contextMaxTokens: number | undefined;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly stopSequences: readonly string[] | undefined;
  readonly fallbackModels: readonly string[];
  readonly cwd: string | undefined;
  readonly sessionId: string | undefined;
  readonly ownerPath: readonly string[];
}

/** Adds a message to the conversation and reports it; callers await the result if the report must be written first. */
export function appendMessage(run: Run, message: Message, round?: number): Promise<void> | void {
  const index = run.conversation.append(message);
  if (!run.events.hasListeners) return;
  const event = {
    type: 'history_mutation',
    ...run.scope,
    ...(round !== undefined && { round }),
    mutation: 'append_message',
    index,
    message,
  } as const;
  if (message.role === 'user') return run.events.deliver(event);
  run.events.emit(event);
}
