import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import type { ChatOptions } from '@robota-sdk/agent-core';
import type { Fetch } from '../http/node-fetch.ts';
import type { PromptRules } from './to-prompt.ts';
import type { UsageCounts } from './usage.ts';

/** The vendor-specific part of a chat. */
export interface Vendor {
  /** The provider's name in events, errors and metadata. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** The wire protocol, as named in raw payloads. */
  readonly apiSurface: string;
  /** Environment variable of the key. */
  readonly keyVariable: string;
  /** Environment variable of the base URL. */
  readonly baseUrlVariable: string;
  /** Keys and tokens, which must not appear in errors. */
  readonly secrets: readonly string[];
  readonly hasKey: boolean;
  readonly defaultModel: string;
  readonly promptRules: PromptRules;
  /** The protocol has no stop sequences, so a call that needs them is refused. */
  readonly lacksStopSequences?: boolean;
  /** Creates a model of the provider package that uses `fetch`. */
  createModel(modelId: string, fetch: Fetch): LanguageModelV3;
  /** Tools and vendor options of one request. */
  callOptions(request: VendorRequest): Partial<LanguageModelV3CallOptions>;
  /** Final changes to the prompt, such as cache points. */
  finishPrompt?(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt;
  /** The vendor paused and expects a request that continues the reply. */
  isPause?(stopReason: string | undefined): boolean;
  /** Usage from a raw event before the end, for replies that are cut off. */
  readEarlyUsage?(rawEvent: unknown): UsageCounts | undefined;
  /** An unknown event type, which is skipped instead of failing the reply. */
  isUnknownEvent?(rawEvent: unknown): boolean;
  /** The stream ended before the reply was finished. */
  isCutOff?(finish: FinishPart): boolean;
}

export type FinishPart = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

export interface VendorRequest {
  readonly model: string;
  readonly options: ChatOptions;
  readonly webSearch: boolean;
  readonly maxOutputTokens: number;
}
