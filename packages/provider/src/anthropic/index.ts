export { AnthropicProvider } from './provider.ts';
export type { AnthropicProviderOptions } from './vendor.ts';
export { ANTHROPIC_DEFAULT_MODEL } from './vendor.ts';
