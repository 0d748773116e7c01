import type { EngineEvent } from '@robota-sdk/agent-core';
import type { NoticeCallback } from '../lifecycle-hooks.ts';
import type { SessionLogData, SessionLogger } from './session-logger.ts';

/** The log of one session as the rest of the session sees it: it takes everything and never fails. */
export class SessionJournal {
  readonly #sessionId: string;
  readonly #logger: SessionLogger | undefined;
  readonly #onNotice: NoticeCallback | undefined;
  #hasWarned = false;

  constructor(sessionId: string, logger?: SessionLogger, onNotice?: NoticeCallback) {
    this.#sessionId = sessionId;
    this.#logger = logger;
    this.#onNotice = onNotice;
  }

  get isKept(): boolean {
    return this.#logger !== undefined;
  }

  /** A promise only where the logger needs one. */
  write(event: string, data: SessionLogData): void | Promise<void> {
    if (this.#logger === undefined) return;
    try {
      const pending = this.#logger.log(this.#sessionId, event, data);
      if (pending instanceof Promise) return pending.catch((error: unknown) => this.#warn(error));
      if (this.#logger.isSaving?.() === false) this.#warn('the log cannot be written');
    } catch (error) {
      this.#warn(error);
    }
  }

  writeEngineEvent(event: EngineEvent): void | Promise<void> {
    // Deltas come by the thousand; where nothing is kept they are not even looked at.
    if (this.#logger === undefined) return;
    const { type, ...data } = event;
    const query = event.type === 'server_tool' ? { query: queryOf(event.input) } : {};
    return this.write(type, { ...data, ...query } as SessionLogData);
  }

  /** Starts it; nobody waits for the disk. */
  sync(): void {
    try {
      const pending = this.#logger?.sync?.(this.#sessionId);
      if (pending instanceof Promise) pending.catch((error: unknown) => this.#warn(error));
    } catch (error) {
      this.#warn(error);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#logger?.close?.(this.#sessionId);
    } catch (error) {
      this.#warn(error);
    }
  }

  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#onNotice?.({
      level: 'warning',
      message: `Session ${this.#sessionId} is not being logged: ${reason}. It goes on, but cannot be replayed from here.`,
    });
  }
}

function queryOf(input: Readonly<Record<string, unknown>>): string {
  return typeof input.query === 'string' ? input.query : '';
}
