import { DEFAULT_MODELS } from '@robota-sdk/agent-core';
import type { ProviderOptions } from '../translate/provider-options.ts';

/** Options of the OpenAI provider, also used for compatible endpoints. */
export interface OpenAIProviderOptions extends ProviderOptions {
  /**
   * The protocol. By default `responses` for OpenAI itself and `compatible` (Chat Completions as others
   * implement it) for any other base URL; `chat` is Chat Completions exactly as OpenAI defines it.
   */
  readonly api?: OpenAIApi | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
}

export type OpenAIApi = 'responses' | 'chat' | 'compatible';

/** Used when no model is given. */
export const OPENAI_DEFAULT_MODEL = DEFAULT_MODELS.openai;
