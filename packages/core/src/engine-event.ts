import type { AssistantMessage, Message, SystemMessage, ToolMessage } from './messages/message.ts';
import type { ProviderNativeRawPayload } from './provider.ts';
import type { ToolOutcome, ToolParameters, ToolSchema } from './tool.ts';

/**
 * What a run reports, in order, through one callback. The engine awaits the callback at the write-ahead
 * points only: a user message, `tool_execution_request` and `tool_execution_result`.
 */
export type EngineEvent =
  | ProviderRequestEvent
  | (RoundScope & { readonly type: 'provider_native_raw_payload' } & ProviderNativeRawPayload)
  | (RoundScope & {
      readonly type: 'provider_stream_raw_delta';
      readonly sequence: number;
      readonly delta: string;
    })
  | (RoundScope & {
      readonly type: 'provider_thinking_delta';
      readonly sequence: number;
      readonly delta: string;
    })
  | (RoundScope & {
      readonly type: 'provider_retry';
      readonly attempt: number;
      readonly waitMs: number;
      readonly reason: string;
      /** The model that is asked instead; absent where the same one is asked again. */
      readonly model?: string;
    })
  | (RoundScope & {
      readonly type: 'provider_response_raw';
      readonly response: unknown;
      readonly responseKind: 'provider-normalized-message';
    })
  | ProviderResponseNormalizedEvent
  | (RoundScope & {
      readonly type: 'assistant_message_committed';
      readonly message: AssistantMessage;
    })
  | ToolBatchStartedEvent
  | ToolExecutionRequestEvent
  | ToolExecutionResultEvent
  | (BatchScope & {
      readonly type: 'tool_message_committed';
      readonly index: number;
      readonly message: ToolMessage;
    })
  | (RoundScope & {
      readonly type: 'server_tool';
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    })
  | HistoryMutationEvent;

/** Ties an event to one `run` and one conversation. */
export interface RunScope {
  readonly executionId: string;
  readonly conversationId: string;
}

/** Ties an event to one request and what follows from it. */
export interface RoundScope extends RunScope {
  /** From 1. */
  readonly round: number;
}

/** Ties an event to the tools of one reply. */
export interface BatchScope extends RoundScope {
  readonly batchId: string;
}

/** A model is about to be asked. */
export interface ProviderRequestEvent extends RoundScope {
  readonly type: 'provider_request';
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly Message[];
  /** How many of `messages` are the conversation itself; what follows exists only in this request. */
  readonly historyLength: number;
  readonly tools: readonly ToolSchema[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Set where the reply is no part of the conversation. */
  readonly cause?: 'compaction';
}

/** A model has answered, in our own form. */
export interface ProviderResponseNormalizedEvent extends RoundScope {
  readonly type: 'provider_response_normalized';
  readonly provider: string;
  readonly model: string;
  readonly response: AssistantMessage;
  readonly toolCallsCount: number;
}

/** The tools of one reply are about to run. */
export interface ToolBatchStartedEvent extends BatchScope {
  readonly type: 'tool_batch_started';
  readonly mode: 'parallel' | 'sequential';
  readonly maxConcurrency: number;
  readonly requestCount: number;
  readonly tools: readonly string[];
}

/** A tool is about to run; written before it does. */
export interface ToolExecutionRequestEvent extends BatchScope {
  readonly type: 'tool_execution_request';
  readonly index: number;
  readonly toolName: string;
  readonly toolCallId: string;
  readonly parameters: ToolParameters;
  readonly ownerPath: readonly string[];
}

/** A tool has ended; written before the model reads of it. */
export interface ToolExecutionResultEvent extends BatchScope {
  readonly type: 'tool_execution_result';
  readonly index: number;
  readonly toolName: string;
  readonly toolCallId: string;
  readonly success: boolean;
  readonly result?: unknown;
  readonly error?: string;
  readonly errorCode?: string;
  readonly metadata?: ToolOutcome['metadata'];
}

/** Every change of the canonical conversation, so that a reader of the log can fold it again. */
export type HistoryMutationEvent = Partial<RoundScope> & { readonly type: 'history_mutation' } & (
    | {
        readonly mutation: 'append_message' | 'inject_message';
        readonly index: number;
        readonly message: Message;
      }
    | { readonly mutation: 'clear' }
    | {
        readonly mutation: 'replace_all';
        readonly messages: readonly Message[];
        readonly reason: string;
      }
    | { readonly mutation: 'truncate'; readonly length: number }
    | { readonly mutation: 'set_system_message'; readonly message: SystemMessage | null }
  );

/** Hears everything a run reports; it is awaited at the write-ahead points. */
export type EngineEventCallback = (event: EngineEvent) => void | Promise<void>;
