export { GoogleProvider } from './provider.ts';
export type { GoogleProviderOptions } from './vendor.ts';
export { GOOGLE_DEFAULT_MODEL } from './vendor.ts';
