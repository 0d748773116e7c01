import type { SessionExtension } from './session-extension.ts';

/** What every session is extended with, in this order. */
export const EXTENSIONS: readonly SessionExtension[] = [];
