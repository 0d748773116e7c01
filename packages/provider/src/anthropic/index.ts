export type { VendorProvider } from '../translate/vendor-provider.ts';
export type { AnthropicProviderOptions } from './options.ts';
export { ANTHROPIC_DEFAULT_MODEL } from './options.ts';
export { AnthropicProvider } from './provider.ts';
