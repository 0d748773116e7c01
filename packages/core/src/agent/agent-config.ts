import type { TokenUsage } from '../context/usage.ts';
import type { EngineEventCallback } from '../engine-event.ts';
import type { MessagePart } from '../messages/message.ts';
import type {
  Provider,
  ServerToolUseCallback,
  TextDeltaCallback,
  ThinkingEffort,
  ToolCallDelta,
} from '../provider.ts';
import type { Clock } from '../run/clock.ts';
import type { RetryPolicy } from '../run/retry-policy.ts';
import type { Tool } from '../tool.ts';

export interface AgentConfig {
  readonly name?: string;
  readonly provider: Provider;
  readonly model?: string;
  readonly systemMessage?: string;
  /** What `model` and `systemMessage` fall back to, with sampling settings. */
  readonly defaultModel?: {
    readonly model: string;
    readonly provider?: string;
    readonly systemMessage?: string;
    readonly maxTokens?: number;
    readonly temperature?: number;
  };
  readonly tools?: readonly Tool[];
  /** Milliseconds a provider call may show no sign of life; left out, it may take for ever. */
  readonly timeout?: number;
  /** Rounds of one run, 10 when left out; 0 means no cap. */
  readonly maxExecutionRounds?: number;
  /** Tools of one batch that run at the same time; 5 when left out. */
  readonly toolConcurrency?: number;
  /** The context window in tokens, where the model table is not to be asked. */
  readonly contextMaxTokens?: number;
  readonly retry?: RetryPolicy;
  readonly cwd?: string;
  /** Also the `conversationId` of every event. */
  readonly sessionId?: string;
  readonly ownerPath?: readonly string[];
  readonly onEvent?: EngineEventCallback;
  /** Milliseconds an aborted tool or provider call gets to end by itself before the run ends without it; 1,000 when left out. */
  readonly abortGraceMs?: number;
  /** Time, as tests want to turn it. */
  readonly clock?: Clock;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly maxExecutionRounds?: number;
  readonly onTextDelta?: TextDeltaCallback;
  readonly onThinkingDelta?: TextDeltaCallback;
  readonly onToolCallDelta?: (delta: ToolCallDelta) => void;
  readonly onServerToolUse?: ServerToolUseCallback;
  /** Hears the events of this run, after the agent's own `onEvent`. */
  readonly onEvent?: EngineEventCallback;
  /** Awaited before each provider call; the one moment of a run when history may be replaced. */
  readonly beforeRound?: (round: number) => void | Promise<void>;
  readonly thinking?: ThinkingEffort;
}

export type Prompt = string | PromptWithParts;

export interface PromptWithParts {
  readonly content: string;
  readonly parts?: readonly MessagePart[];
}

/**
 * Why a run ended: the model was done, someone aborted, the round cap was reached, the model kept asking for
 * tools that do not exist, the context window is full, or the model said nothing at all.
 */
export type RunEnd =
  | 'answer'
  | 'abort'
  | 'round_cap'
  | 'unknown_tools'
  | 'context_full'
  | 'empty_reply';

export interface RunResult {
  /** The last text of this run; where there is none, a sentence that says why. */
  readonly response: string;
  readonly interrupted: boolean;
  /** Model replies asked for, without a forced last answer. */
  readonly rounds: number;
  readonly endedBy: RunEnd;
  /** Summed over the provider calls of this run that reported usage. */
  readonly usage?: TokenUsage;
}
