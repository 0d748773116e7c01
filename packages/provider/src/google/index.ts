export type { VendorProvider } from '../translate/vendor-provider.ts';
export type { GoogleProviderOptions } from './options.ts';
export { GOOGLE_DEFAULT_MODEL } from './options.ts';
export { GoogleProvider } from './provider.ts';
