import { DEFAULT_MODELS } from '@robota-sdk/agent-core';
import type { ProviderOptions } from '../translate/provider-options.ts';

/** Options of the Anthropic provider. */
export interface AnthropicProviderOptions extends ProviderOptions {
  /** A bearer token instead of a key. */
  readonly authToken?: string | undefined;
}

/** Used when no model is given. */
export const ANTHROPIC_DEFAULT_MODEL = DEFAULT_MODELS.anthropic;
