export type { ReplayProviderOptions } from './replay-provider.ts';
export { ReplayProvider } from './replay-provider.ts';
