export { OpenAIProvider } from './provider.ts';
export type { OpenAIProviderOptions } from './vendor.ts';
export { OPENAI_DEFAULT_MODEL } from './vendor.ts';
