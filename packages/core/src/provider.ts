import type { Message } from './messages/message.ts';
import type { ModelFamily } from './models/model-table.ts';
import type { ToolSchema } from './tool.ts';

/**
 * Port: a model that answers. `name` and `chat` are all it needs. `chat` resolves with an assistant message;
 * when `options.signal` aborts it resolves with what had arrived (`state: 'interrupted'`) or rejects. Failures
 * reject with a `ProviderError` where status and retry time are known. Every callback is per call: a provider
 * keeps no callback between calls, so that sessions may share it.
 */
export interface Provider {
  readonly name: string;
  readonly version?: string;
  /** The model asked when a call names none. */
  readonly model?: string;
  /** Nobody chose `model`: it is the vendor's default, and what settings say counts before it. */
  readonly isDefaultModel?: boolean;
  /** Whose models it serves; null where it serves anybody's. */
  readonly modelFamily?: ModelFamily | null;
  chat(messages: readonly Message[], options?: ChatOptions): Promise<Message>;
  supportsTools?(): boolean;
  validateConfig?(): boolean;
  getCapabilities?(): ProviderCapabilities;
  configureNativeWebTools?(request: NativeWebToolsRequest): ProviderCapabilities;
  /** Used only where a call gives none of its own. */
  onServerToolUse?: ServerToolUseCallback | undefined;
  close?(): Promise<void> | void;
  dispose?(): Promise<void> | void;
}

/** How one request to a model is made, and who hears what streams in. */
export interface ChatOptions {
  readonly model?: string | undefined;
  readonly tools?: readonly ToolSchema[] | undefined;
  /** `none`: the model sees its tools, since the history names them, but must answer in words. */
  readonly toolChoice?: 'auto' | 'none' | undefined;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** How much reasoning to ask for, where the vendor has it. */
  readonly thinking?: ThinkingEffort | undefined;
  /** Texts at which the model ends its reply. A provider that cannot do it rejects, it does not ignore them. */
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

/** Hears each piece of text as it streams in. */
export type TextDeltaCallback = (delta: string) => void;

/** A piece of a tool call that streams in. */
export interface ToolCallDelta {
  readonly id: string;
  readonly name: string;
  /** A piece of the JSON text of the arguments. */
  readonly argumentsDelta: string;
}

/** Hears of tools that run at the vendor. */
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

/** Which of the vendor's own web tools are wanted. */
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

/** Whether a vendor can do something of the web itself, and whether it is switched on. */
export interface NativeWebCapability {
  readonly supported: boolean;
  readonly enabled: boolean;
  readonly source?: string;
  readonly reason?: string;
}
