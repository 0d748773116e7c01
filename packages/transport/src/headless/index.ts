export type { HeadlessOptions, HeadlessTransport } from './headless-transport.ts';
export { createHeadlessTransport } from './headless-transport.ts';
export type { HeadlessFormat } from './headless-writer.ts';
