export type { DemoProviderOptions } from './demo-provider.ts';
export { DemoProvider } from './demo-provider.ts';
