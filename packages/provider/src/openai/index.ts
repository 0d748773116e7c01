export type { VendorProvider } from '../translate/vendor-provider.ts';
export type { OpenAIProviderOptions } from './options.ts';
export { OPENAI_DEFAULT_MODEL } from './options.ts';
export { OpenAIProvider } from './provider.ts';
