import { NativeWebTools } from '../translate/capabilities.ts';
import { VendorChat } from '../translate/vendor-chat.ts';
import { VendorProvider } from '../translate/vendor-provider.ts';
import type { AnthropicProviderOptions } from './options.ts';
import { createAnthropicVendor } from './vendor.ts';

/** Claude over the Messages API, or any compatible endpoint. */
export class AnthropicProvider extends VendorProvider {
  readonly name = 'anthropic';
  readonly modelFamily = 'anthropic';

  constructor(options: AnthropicProviderOptions = {}) {
    const webTools = new NativeWebTools('Anthropic', true);
    const chat = new VendorChat(createAnthropicVendor(options), options, webTools);
    super({ chat, webTools, options });
  }
}
