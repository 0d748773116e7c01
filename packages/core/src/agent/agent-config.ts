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

/** What an agent is made of. */
export interface AgentConfig {
  readonly name?: string | undefined;
  readonly provider: Provider;
  readonly model?: string | undefined;
  readonly systemMessage?: string | undefined;
  /** What `model` and `systemMessage` fall back to, with sampling settings. */
  readonly defaultModel?: {
    readonly model: string;
    readonly provider?: string | undefined;
    readonly systemMessage?: string | undefined;
    readonly maxTokens?: number | undefined;
    readonly temperature?: number | undefined;
  };
  readonly tools?: readonly Tool[] | undefined;
  /** Milliseconds a provider call may show no sign of life; left out, it may take for ever. */
  readonly timeout?: number | undefined;
  /** Rounds of one run, 10 when left out; 0 means no cap. */
  readonly maxExecutionRounds?: number | undefined;
  /** Tools of one batch that run at the same time; 5 when left out. */
  readonly toolConcurrency?: number | undefined;
  /** The context window in tokens, where the model table is not to be asked. */
  readonly contextMaxTokens?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly stopSequences?: ModelOptions['stopSequences'] | undefined;
  readonly fallbackModels?: ModelOptions['fallbackModels'] | undefined;
  readonly cwd?: string | undefined;
  /** Also the `conversationId` of every event. */
  readonly sessionId?: string | undefined;
  readonly ownerPath?: readonly string[] | undefined;
  readonly onEvent?: EngineEventCallback | undefined;
  /** Milliseconds an aborted tool or provider call gets to end by itself before the run ends without it; 1,000 when left out. */
  readonly abortGraceMs?: number | undefined;
  /** Time, as tests want to turn it. */
  readonly clock?: Clock | undefined;
}

/** What one run may set for itself. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxExecutionRounds?: number | undefined;
  readonly onTextDelta?: TextDeltaCallback | undefined;
  readonly onThinkingDelta?: TextDeltaCallback | undefined;
  readonly onToolCallDelta?: ((delta: ToolCallDelta) => void) | undefined;
  readonly onServerToolUse?: ServerToolUseCallback | undefined;
  /** Hears the events of this run, after the agent's own `onEvent`. */
  readonly onEvent?: EngineEventCallback | undefined;
  /**
   * Awaited before each provider call; the one moment of a run when history may be replaced. What it answers ends
   * the run there.
   */
  readonly beforeRound?:
    | ((round: number) => FailureEnd | undefined | Promise<FailureEnd | undefined>)
    | ((round: number) => void | Promise<void>)
    | undefined;
  readonly thinking?: ThinkingEffort | undefined;
}

/** What a run is asked: text, or text with images and files. */
export type Prompt = string | PromptWithParts;

/** Text with the images and files that go with it. */
export interface PromptWithParts {
  readonly content: string;
  readonly parts?: readonly MessagePart[] | undefined;
}

/** What a run came to. */
export interface RunResult {
  /** The last text the model said in this run; empty where it said none. */
  readonly response: string;
  readonly interrupted: boolean;
  /** Model replies asked for. */
  readonly rounds: number;
  /** Only the first three kinds are answers. */
  readonly endedBy: EndedBy;
  /** Summed over the provider calls of this run that reported usage. */
  readonly usage?: TokenUsage;
}

/** A request beside the conversation. */
export interface AsideOptions {
  readonly cause: 'compaction';
  readonly signal?: AbortSignal | undefined;
}
