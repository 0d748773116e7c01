import type { SessionLogData, SessionLogger } from './session-logger.ts';

/** Discards every event. */
export class SilentSessionLogger implements SessionLogger {
  log(_sessionId: string, _event: string, _data: SessionLogData): void {
    // Intentionally empty.
  }
}
