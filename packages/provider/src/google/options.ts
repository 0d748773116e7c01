import { DEFAULT_MODELS } from '@robota-sdk/agent-core';
import type { ProviderOptions } from '../translate/provider-options.ts';

/** How Gemini is reached. */
export type GoogleProviderOptions = ProviderOptions;

/** Asked where nobody names a model. */
export const GOOGLE_DEFAULT_MODEL = DEFAULT_MODELS.google;
