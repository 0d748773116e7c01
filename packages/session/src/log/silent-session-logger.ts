import type { SessionLogData, SessionLogger } from './session-logger.ts';

/** Keeps nothing. */
export class SilentSessionLogger implements SessionLogger {
  log(_sessionId: string, _event: string, _data: SessionLogData): void {
    // Nothing is kept, on purpose.
  }
}
