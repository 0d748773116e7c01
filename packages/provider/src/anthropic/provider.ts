import { VendorProvider } from '../translate/vendor-provider.ts';
import type { AnthropicProviderOptions } from './options.ts';
import { createAnthropicVendor } from './vendor.ts';

/** Claude over the Messages API, or any compatible endpoint. */
export class AnthropicProvider extends VendorProvider {
  readonly name = 'anthropic';
  readonly modelFamily = 'anthropic';

  constructor(options: AnthropicProviderOptions = {}) {
    super(createAnthropicVendor(options), options, { title: 'Anthropic', hasWebSearch: true });
  }
}
