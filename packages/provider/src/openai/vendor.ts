import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Fetch } from '../http/node-fetch.ts';
import { configuredBase, firstSet, withVersion } from '../translate/provider-options.ts';
import type { PromptRules } from '../translate/to-prompt.ts';
import type { FinishPart, Vendor } from '../translate/vendor.ts';
import { OPENAI_DEFAULT_MODEL, type OpenAIApi, type OpenAIProviderOptions } from './options.ts';
import { chatOptions, compatibleOptions, responsesOptions } from './request.ts';

const OFFICIAL = 'https://api.openai.com';
const BASE_VARIABLE = 'OPENAI_BASE_URL';

export function createOpenAIVendor(options: OpenAIProviderOptions): Vendor {
  const apiKey = options.apiKey ?? firstSet(options.environment ?? process.env, 'OPENAI_API_KEY');
  const base = configuredBase(options, BASE_VARIABLE);
  const api = apiOf(options);
  return {
    name: 'openai',
    // A compatible endpoint is named by its host.
    title: api === 'compatible' && base ? new URL(base).host : 'OpenAI',
    apiSurface: api === 'responses' ? 'openai-responses' : 'openai-chat-completions',
    keyVariable: 'OPENAI_API_KEY',
    baseUrlVariable: BASE_VARIABLE,
    secrets: apiKey ? [apiKey] : [],
    // A local server needs no key.
    hasKey: Boolean(apiKey) || base !== undefined,
    defaultModel: OPENAI_DEFAULT_MODEL,
    promptRules: PROMPT_RULES[api],
    lacksStopSequences: api === 'responses',
    createModel: (modelId, fetch) => createModel(modelId, { ...options, api, apiKey, base, fetch }),
    callOptions: CALL_OPTIONS[api],
    isCutOff,
  };
}

export function apiOf(options: OpenAIProviderOptions): OpenAIApi {
  const base = configuredBase(options, BASE_VARIABLE);
  if (options.api) return options.api;
  return base === undefined || base.startsWith(OFFICIAL) ? 'responses' : 'compatible';
}

/** Adds the version to a bare host; a path is kept, because gateways use various ones. */
function completeBase(base: string): string {
  return new URL(base).pathname === '/' ? withVersion(base, 'v1') : base.replace(/\/+$/, '');
}

interface ModelSettings extends Omit<OpenAIProviderOptions, 'apiKey'> {
  readonly api: OpenAIApi;
  readonly apiKey: string | undefined;
  readonly base: string | undefined;
  readonly fetch: Fetch;
}

function createModel(modelId: string, settings: ModelSettings): LanguageModelV3 {
  const { api, apiKey, fetch, organization, project } = settings;
  const baseURL = completeBase(settings.base ?? OFFICIAL);
  const headers = { ...settings.headers };
  if (api === 'compatible') {
    const key = apiKey ? { apiKey } : {};
    return createOpenAICompatible({
      name: 'openaiCompatible',
      baseURL,
      headers,
      fetch,
      includeUsage: true,
      ...key,
    })(modelId);
  }
  const openai = createOpenAI({
    apiKey: apiKey ?? 'no-key',
    baseURL,
    headers,
    fetch,
    ...(organization ? { organization } : {}),
    ...(project ? { project } : {}),
  });
  return api === 'responses' ? openai.responses(modelId) : openai.chat(modelId);
}

/** Each protocol is a separate family, since none accepts the other's reasoning. */
const PROMPT_RULES: Record<OpenAIApi, PromptRules> = {
  responses: {
    family: 'openai',
    optionsKey: 'openai',
    needsLeadingUser: false,
    imagesFollowToolResults: false,
    toolCallId: shortId,
  },
  chat: {
    family: 'openai-chat',
    optionsKey: 'openai',
    needsLeadingUser: false,
    imagesFollowToolResults: true,
    toolCallId: shortId,
  },
  compatible: {
    family: 'openai-compatible',
    optionsKey: 'openaiCompatible',
    // Gemini behind this protocol expects its signatures under its own name.
    sendKey: 'google',
    needsLeadingUser: false,
    imagesFollowToolResults: true,
    returnsUnsignedThinking: true,
    toolCallId: (id) => id,
  },
};

const CALL_OPTIONS: Record<OpenAIApi, Vendor['callOptions']> = {
  responses: responsesOptions,
  chat: chatOptions,
  compatible: compatibleOptions,
};

/** OpenAI limits call ids to 64 characters; the end of a longer one is the most distinctive part. */
function shortId(id: string): string {
  return id.slice(-64);
}

function isCutOff({ finishReason }: FinishPart): boolean {
  return finishReason.unified === 'other' && finishReason.raw === undefined;
}
