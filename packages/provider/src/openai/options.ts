import { DEFAULT_MODELS } from '@robota-sdk/agent-core';
import type { ProviderOptions } from '../translate/provider-options.ts';

/** How OpenAI, or whatever speaks its protocols, is reached. */
export interface OpenAIProviderOptions extends ProviderOptions {
  /**
   * Which protocol to speak. By default `responses` to OpenAI itself and `compatible` (Chat Completions as others
   * implement it) to any other base URL; `chat` is Chat Completions exactly as OpenAI defines it.
   */
  readonly api?: OpenAIApi | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
}

export type OpenAIApi = 'responses' | 'chat' | 'compatible';

/** Asked where nobody names a model. */
export const OPENAI_DEFAULT_MODEL = DEFAULT_MODELS.openai;
