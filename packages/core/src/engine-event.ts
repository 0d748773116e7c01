import type { AssistantMessage, Message, SystemMessage, ToolMessage } from './messages/message.ts';
import type { ProviderNativeRawPayload } from './provider.ts';
import type { ToolOutcome, ToolParameters, ToolSchema } from './tool.ts';

/**
 * Events of a run, in order, through one callback. The engine awaits the callback only at the write-ahead points: a
 * user message, `tool_execution_request` and `tool_execution_result`.
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
      /** The fallback model; absent when the same model is retried. */
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

/** Identifies the run and conversation of an event. */
export interface RunScope {
  readonly executionId: string;
  readonly conversationId: string;
}

/** Identifies the model request of an event. */
export interface RoundScope extends RunScope {
  /** From 1. */
  readonly round: number;
}

/** Identifies the tool batch of an event. */
export interface BatchScope extends RoundScope {
  readonly batchId: string;
}

/** A model request is about to be sent. */
export interface ProviderRequestEvent extends RoundScope {
  readonly type: 'provider_request';
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly Message[];
  /** How many of `messages` belong to the conversation; the rest exist only in this request. */
  readonly historyLength: number;
  readonly tools: readonly ToolSchema[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Set if the reply is not part of the conversation. */
  readonly cause?: 'compaction';
}

/** A model's reply as a core message. */
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

/** A tool has ended; written before the model sees the result. */
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

/** A change of the conversation, so that log readers can fold it. */
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

/** Receives the events of a run; awaited at the write-ahead points. */
export type EngineEventCallback = (event: EngineEvent) => void | Promise<void>;
