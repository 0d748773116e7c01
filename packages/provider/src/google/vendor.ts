import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { configuredBase, firstSet, withVersion } from '../translate/provider-options.ts';
import type { FinishPart, Vendor } from '../translate/vendor.ts';
import { GOOGLE_DEFAULT_MODEL, type GoogleProviderOptions } from './options.ts';
import { callOptions } from './request.ts';

export function createGoogleVendor(options: GoogleProviderOptions): Vendor {
  const environment = options.environment ?? process.env;
  const apiKey = options.apiKey ?? firstSet(environment, 'GEMINI_API_KEY', 'GOOGLE_API_KEY');
  const given = configuredBase(options, 'GOOGLE_GEMINI_BASE_URL');
  const baseURL = withVersion(given ?? 'https://generativelanguage.googleapis.com', 'v1beta');
  return {
    name: 'google',
    title: 'Google',
    apiSurface: 'google-generate-content',
    keyVariable: 'GEMINI_API_KEY',
    baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
    secrets: apiKey ? [apiKey] : [],
    hasKey: Boolean(apiKey) || given !== undefined,
    defaultModel: GOOGLE_DEFAULT_MODEL,
    promptRules: {
      family: 'google',
      optionsKey: 'google',
      needsLeadingUser: true,
      imagesFollowToolResults: false,
      toolCallId: (id) => id,
    },
    createModel: (modelId, fetch) =>
      createGoogleGenerativeAI({
        apiKey: apiKey ?? 'no-key',
        baseURL,
        headers: { ...options.headers },
        fetch,
      })(modelId),
    callOptions,
    isCutOff,
  };
}

/** A missing finish reason, or a malformed tool call; both are worth a retry. */
function isCutOff({ finishReason }: FinishPart): boolean {
  if (finishReason.raw === 'MALFORMED_FUNCTION_CALL') return true;
  return finishReason.unified === 'other' && finishReason.raw === undefined;
}
