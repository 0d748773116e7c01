import type { Message } from './messages/message.ts';
import type { ModelFamily } from './models/model-table.ts';
import type { ToolSchema } from './tool.ts';

/**
 * Port: a model. Only `name` and `chat` are required. `chat` resolves with an assistant message; when `options.signal`
 * aborts it resolves with what had arrived (`state: 'interrupted'`) or rejects. Failures reject with a `ProviderError`
 * if status and retry time are known. Callbacks belong to one call: a provider keeps none between calls, so that
 * sessions may share it.
 */
export interface Provider {
  readonly name: string;
  readonly version?: string;
  /** The model for calls that name none. */
  readonly model?: string;
  /** `model` is only the vendor's default, so settings take precedence. */
  readonly isDefaultModel?: boolean;
  /** The vendor whose models it serves; null for any vendor. */
  readonly modelFamily?: ModelFamily | null;
  chat(messages: readonly Message[], options?: ChatOptions): Promise<Message>;
  supportsTools?(): boolean;
  validateConfig?(): boolean;
  getCapabilities?(): ProviderCapabilities;
  configureNativeWebTools?(request: NativeWebToolsRequest): ProviderCapabilities;
  /** Used only for calls without their own callback. */
  onServerToolUse?: ServerToolUseCallback | undefined;
  close?(): Promise<void> | void;
  dispose?(): Promise<void> | void;
}

/** Options and stream callbacks of one model request. */
export interface ChatOptions {
  readonly model?: string | undefined;
  readonly tools?: readonly ToolSchema[] | undefined;
  /** `none`: the model is sent its tools, since the history refers to them, but must answer with text. */
  readonly toolChoice?: 'auto' | 'none' | undefined;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** How much reasoning to ask for, if the vendor supports it. */
  readonly thinking?: ThinkingEffort | undefined;
  /** Texts at which the model ends its reply. A provider without support for them must reject, not ignore them. */
  readonly stopSequences?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly nativeWebTools?: NativeWebToolsRequest | undefined;
  readonly onTextDelta?: TextDeltaCallback | undefined;
  readonly onThinkingDelta?: TextDeltaCallback | undefined;
  readonly onToolCallDelta?: ((delta: ToolCallDelta) => void) | undefined;
  readonly onServerToolUse?: ServerToolUseCallback | undefined;
  readonly onProviderNativeRawPayload?: ((event: ProviderNativeRawPayload) => void) | undefined;
}

/** How much reasoning to ask for. */
export type ThinkingEffort = 'off' | 'low' | 'medium' | 'high';

/** Receives each text delta. */
export type TextDeltaCallback = (delta: string) => void;

/** A streamed piece of a tool call. */
export interface ToolCallDelta {
  readonly id: string;
  readonly name: string;
  /** A piece of the JSON text of the arguments. */
  readonly argumentsDelta: string;
}

/** Called for tools that the vendor runs. */
export type ServerToolUseCallback = (
  name: string,
  input: Readonly<Record<string, unknown>>,
) => void;

/** A request, answer or event exactly as it went over the wire. */
export interface ProviderNativeRawPayload {
  readonly provider: string;
  readonly apiSurface?: string;
  readonly payloadKind: 'request' | 'response' | 'stream_event';
  readonly payload: unknown;
  /** From 0 within one call. */
  readonly sequence?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Which of the vendor's own web tools to enable. */
export interface NativeWebToolsRequest {
  readonly webSearch?: boolean;
  readonly webFetch?: boolean;
}

/** What a provider can do. */
export interface ProviderCapabilities {
  readonly functionCalling: { readonly supported: boolean; readonly reason?: string };
  readonly nativeWebTools: {
    readonly webSearch: NativeWebCapability;
    readonly webFetch: NativeWebCapability;
  };
}

/** Whether the vendor supports a web tool, and whether it is enabled. */
export interface NativeWebCapability {
  readonly supported: boolean;
  readonly enabled: boolean;
  readonly source?: string;
  readonly reason?: string;
}
