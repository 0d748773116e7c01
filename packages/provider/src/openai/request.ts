import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { ChatOptions, ThinkingEffort } from '@robota-sdk/agent-core';
import { toFunctionTools, toolChoiceOf } from '../translate/function-tools.ts';
import type { VendorRequest } from '../translate/vendor.ts';

const WEB_SEARCH = {
  type: 'provider',
  id: 'openai.web_search',
  name: 'web_search',
  args: {},
} as const;

/** Nothing is stored at the vendor; encrypted reasoning is sent with each request. */
export function responsesOptions(request: VendorRequest): Partial<LanguageModelV3CallOptions> {
  const { options, model, webSearch } = request;
  const effort = reasoningEffort(model, options.thinking);
  const tools = [...toFunctionTools(options.tools), ...(webSearch ? [WEB_SEARCH] : [])];
  return {
    ...(tools.length > 0 ? { tools, ...toolChoiceOf(options) } : {}),
    providerOptions: {
      openai: {
        store: false,
        ...(effort ? { reasoningEffort: effort } : {}),
        ...(effort && options.thinking !== 'off' ? { reasoningSummary: 'auto' } : {}),
      },
    },
  };
}

export function chatOptions({
  options,
  model,
}: VendorRequest): Partial<LanguageModelV3CallOptions> {
  const effort = reasoningEffort(model, options.thinking);
  return {
    ...functionTools(options),
    ...(effort ? { providerOptions: { openai: { reasoningEffort: effort } } } : {}),
  };
}

/** Servers interpret `off` differently, so it sends nothing. */
export function compatibleOptions({ options }: VendorRequest): Partial<LanguageModelV3CallOptions> {
  const { thinking } = options;
  const wantsThinking = thinking !== undefined && thinking !== 'off';
  return {
    ...functionTools(options),
    ...(wantsThinking
      ? { providerOptions: { openaiCompatible: { reasoningEffort: thinking } } }
      : {}),
  };
}

function functionTools(
  options: ChatOptions,
): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
  const tools = toFunctionTools(options.tools);
  return tools.length > 0 ? { tools, ...toolChoiceOf(options) } : {};
}

/** `off` is the lowest effort each model generation supports. */
function reasoningEffort(model: string, thinking: ThinkingEffort | undefined): string | undefined {
  if (thinking !== 'off') return thinking;
  if (/^gpt-5\.\d/.test(model)) return 'none';
  return /^gpt-5/.test(model) ? 'minimal' : 'low';
}
