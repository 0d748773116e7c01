import { VendorProvider } from '../translate/vendor-provider.ts';
import type { GoogleProviderOptions } from './options.ts';
import { createGoogleVendor } from './vendor.ts';

/** Gemini over the Generative Language API. */
export class GoogleProvider extends VendorProvider {
  readonly name = 'google';
  readonly modelFamily = 'google';

  constructor(options: GoogleProviderOptions = {}) {
    super(createGoogleVendor(options), options, { title: 'Google', hasWebSearch: true });
  }
}
