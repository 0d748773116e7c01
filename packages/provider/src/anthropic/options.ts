import { DEFAULT_MODELS } from '@robota-sdk/agent-core';
import type { ProviderOptions } from '../translate/provider-options.ts';

/** How Claude is reached. */
export interface AnthropicProviderOptions extends ProviderOptions {
  /** A bearer token instead of a key. */
  readonly authToken?: string | undefined;
}

/** Asked where nobody names a model. */
export const ANTHROPIC_DEFAULT_MODEL = DEFAULT_MODELS.anthropic;
