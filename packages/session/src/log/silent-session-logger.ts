import type { SessionLogger } from './session-logger.ts';

/** Keeps nothing. */
export class SilentSessionLogger implements SessionLogger {
  log(): void {
    // Nothing is kept, on purpose.
  }
}
