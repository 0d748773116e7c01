import { NativeWebTools } from '../translate/capabilities.ts';
import { VendorChat } from '../translate/vendor-chat.ts';
import { VendorProvider } from '../translate/vendor-provider.ts';
import type { OpenAIProviderOptions } from './options.ts';
import { apiOf, createOpenAIVendor } from './vendor.ts';

/** OpenAI over Responses, or any endpoint with Chat Completions. */
export class OpenAIProvider extends VendorProvider {
  readonly name = 'openai';
  /** `null` for compatible endpoints, which may serve models of any vendor. */
  readonly modelFamily: 'openai' | null;

  constructor(options: OpenAIProviderOptions = {}) {
    const api = apiOf(options);
    const webTools = new NativeWebTools('OpenAI', api === 'responses');
    const chat = new VendorChat(createOpenAIVendor(options), options, webTools);
    super({ chat, webTools, options });
    this.modelFamily = api === 'compatible' ? null : 'openai';
  }
}
