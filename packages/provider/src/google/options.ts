import { DEFAULT_MODELS } from '@robota-sdk/agent-core';
import type { ProviderOptions } from '../translate/provider-options.ts';

/** Options of the Google provider. */
export type GoogleProviderOptions = ProviderOptions;

/** Used when no model is given. */
export const GOOGLE_DEFAULT_MODEL = DEFAULT_MODELS.google;
