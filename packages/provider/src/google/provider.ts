import { NativeWebTools } from '../translate/capabilities.ts';
import { VendorChat } from '../translate/vendor-chat.ts';
import { VendorProvider } from '../translate/vendor-provider.ts';
import type { GoogleProviderOptions } from './options.ts';
import { createGoogleVendor } from './vendor.ts';

/** Gemini over the Generative Language API. */
export class GoogleProvider extends VendorProvider {
  readonly name = 'google';
  readonly modelFamily = 'google';

  constructor(options: GoogleProviderOptions = {}) {
    const webTools = new NativeWebTools('Google', true);
    const chat = new VendorChat(createGoogleVendor(options), options, webTools);
    super({ chat, webTools, options });
  }
}
