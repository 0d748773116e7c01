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

/** What one vendor does its own way; everything else of a chat is the same for all. */
export interface Vendor {
  /** The provider's name in events, errors and metadata. */
  readonly name: string;
  /** How people call the vendor. */
  readonly title: string;
  /** The wire protocol, as named in raw payloads. */
  readonly apiSurface: string;
  /** Where a person puts the key. */
  readonly keyVariable: string;
  /** Where a person points the provider elsewhere. */
  readonly baseUrlVariable: string;
  /** Texts that may appear in no error: keys and tokens. */
  readonly secrets: readonly string[];
  readonly hasKey: boolean;
  readonly defaultModel: string;
  readonly promptRules: PromptRules;
  /** The protocol cannot end a reply at a text; asked for it, a call is refused instead of answered otherwise. */
  readonly lacksStopSequences?: boolean;
  /** A model of the provider package that posts through `fetch`. */
  createModel(modelId: string, fetch: Fetch): LanguageModelV3;
  /** Tools and vendor options of one request. */
  callOptions(request: VendorRequest): Partial<LanguageModelV3CallOptions>;
  /** The last word on the prompt: cache points. */
  finishPrompt?(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt;
  /** The vendor stopped only to be asked again with what it said so far. */
  isPause?(stopReason: string | undefined): boolean;
  /** Usage a raw event tells before the end, for replies that are cut short. */
  readEarlyUsage?(rawEvent: unknown): UsageCounts | undefined;
  /** An event of a kind this program does not know yet; skipped instead of failing the reply. */
  isUnknownEvent?(rawEvent: unknown): boolean;
  /** The stream closed without the vendor having finished its reply. */
  isCutOff?(finish: FinishPart): boolean;
}

export type FinishPart = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

export interface VendorRequest {
  readonly model: string;
  readonly options: ChatOptions;
  readonly webSearch: boolean;
  readonly maxOutputTokens: number;
}
