import type { TokenUsage } from '../context/usage.ts';
import type { EngineEventCallback } from '../engine-event.ts';
import type { EndedBy, FailureEnd } from '../log/entry.ts';
import type { MessagePart } from '../messages/message.ts';
import type { ModelOptions } from '../model-options.ts';
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

/** Options of an agent. */
export interface AgentConfig {
  readonly name?: string | undefined;
  readonly provider: Provider;
  readonly model?: string | undefined;
  readonly systemMessage?: string | undefined;
  /** Fallback for `model` and `systemMessage`, with sampling settings. */
  readonly defaultModel?: {
    readonly model: string;
    readonly provider?: string | undefined;
    readonly systemMessage?: string | undefined;
    readonly maxTokens?: number | undefined;
    readonly temperature?: number | undefined;
  };
  readonly tools?: readonly Tool[] | undefined;
  /** Milliseconds a provider call may be idle; unlimited when left out. */
  readonly timeout?: number | undefined;
  /** Maximum rounds of one run, 10 when left out; 0 means no limit. */
  readonly maxExecutionRounds?: number | undefined;
  /** Maximum concurrent tools of one batch; 5 when left out. */
  readonly toolConcurrency?: number | undefined;
  /** The context window in tokens; taken from the model table when left out. */
  readonly contextMaxTokens?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly stopSequences?: ModelOptions['stopSequences'] | undefined;
  readonly fallbackModels?: ModelOptions['fallbackModels'] | undefined;
  readonly cwd?: string | undefined;
  /** Also the `conversationId` of every event. */
  readonly sessionId?: string | undefined;
  readonly ownerPath?: readonly string[] | undefined;
  readonly onEvent?: EngineEventCallback | undefined;
  /**
   * Milliseconds an aborted tool or provider call gets to end by itself before it is abandoned; 1,000 when left out.
   */
  readonly abortGraceMs?: number | undefined;
  /** For tests that control time. */
  readonly clock?: Clock | undefined;
}

/** Options of one run. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxExecutionRounds?: number | undefined;
  readonly onTextDelta?: TextDeltaCallback | undefined;
  readonly onThinkingDelta?: TextDeltaCallback | undefined;
  readonly onToolCallDelta?: ((delta: ToolCallDelta) => void) | undefined;
  readonly onServerToolUse?: ServerToolUseCallback | undefined;
  /** Receives the events of this run, after the agent's own `onEvent`. */
  readonly onEvent?: EngineEventCallback | undefined;
  /**
   * Awaited before each provider call; the only time during a run when history may be replaced. A returned value ends
   * the run.
   */
  readonly beforeRound?:
    | ((round: number) => FailureEnd | undefined | Promise<FailureEnd | undefined>)
    | ((round: number) => void | Promise<void>)
    | undefined;
  readonly thinking?: ThinkingEffort | undefined;
}

/** A prompt: text, or text with images and files. */
export type Prompt = string | PromptWithParts;

/** A prompt with images or files. */
export interface PromptWithParts {
  readonly content: string;
  readonly parts?: readonly MessagePart[] | undefined;
}

/** Result of one run of an agent. */
export interface RunResult {
  /** The last text of the model in this run; empty if there is none. */
  readonly response: string;
  readonly interrupted: boolean;
  /** Number of model requests. */
  readonly rounds: number;
  /** Only the first three kinds are answers. */
  readonly endedBy: EndedBy;
  /** Summed over the provider calls of this run that reported usage. */
  readonly usage?: TokenUsage;
}

/** Options of a request outside the conversation. */
export interface AsideOptions {
  readonly cause: 'compaction';
  readonly signal?: AbortSignal | undefined;
}
