import { sessionError } from '@robota-sdk/agent-session';
import type { Batch } from './append-statement.ts';
import { effectsOf } from './line-effects.ts';

export interface WriterParts {
  readonly id: string;
  readonly sid: number;
  readonly fence: number;
  /** The position of the last line, and the bytes up to there. */
  readonly last: number;
  readonly bytes: number;
  readonly lastNumber: number;
  readonly wake: (writer: SessionWriter) => void;
}

interface PendingLines {
  readonly lines: Batch['lines'];
  readonly payloads: Batch['payloads'];
  readonly secrets: Batch['secrets'];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Queues the lines of one claimed session for the database, in order. */
export class SessionWriter {
  readonly id: string;
  readonly sid: number;
  readonly lastNumber: number;
  readonly #parts: WriterParts;
  readonly #loss = new AbortController();
  #written: number;
  #bytes: number;
  #waiting: PendingLines[] = [];
  #payloads: { hash: string; data: string }[] = [];
  #secrets: string[] = [];
  #last: Promise<void> = Promise.resolve();
  #current: { readonly batch: Batch; readonly waiting: readonly PendingLines[] } | undefined;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.sid = parts.sid;
    this.lastNumber = parts.lastNumber;
    this.#written = parts.last;
    this.#bytes = parts.bytes;
  }

  /** Aborts when another node has the session or it cannot be written here. */
  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  /** Bytes of the log including pending lines. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The position of the last line including pending lines. */
  get end(): number {
    const waiting = this.#waiting.reduce((sum, { lines }) => sum + lines.length, 0);
    return this.#written + (this.#current?.batch.lines.length ?? 0) + waiting;
  }

  get hasMore(): boolean {
    return this.#waiting.length > 0;
  }

  get batch(): Batch {
    if (!this.#current) throw new Error(`Nothing of session ${this.id} is being written`);
    return this.#current.batch;
  }

  /** Stores a payload together with the next lines, which refer to it. */
  keep(hash: string, data: string): void {
    this.#payloads.push({ hash, data });
  }

  /** Stores an encrypted vault line, in base64, together with the next lines, which have its placeholder. */
  keepSecret(data: string): void {
    this.#secrets.push(data);
  }

  /** Resolves once the lines are stored; rejects with `session_fenced` once the claim is lost. */
  append(text: string): Promise<void> {
    if (this.lost.aborted) return Promise.reject(this.fencedError());
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map((data) => ({ ...effectsOf(data), data }));
    if (lines.length === 0) return Promise.resolve();
    this.#bytes += Buffer.byteLength(text);
    const payloads = this.#payloads.splice(0);
    const secrets = this.#secrets.splice(0);
    const kept = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ lines, payloads, secrets, resolve, reject });
      this.#parts.wake(this);
    });
    this.#last = kept;
    return kept;
  }

  /** Resolves when everything appended so far is stored. */
  async drain(): Promise<void> {
    await this.#last;
    if (this.lost.aborted) throw this.fencedError();
  }

  /** Makes all pending lines one batch; false when there is nothing to write. */
  begin(): boolean {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0 || this.lost.aborted) return false;
    const batch: Batch = {
      sid: this.sid,
      fence: this.#parts.fence,
      expected: this.#written,
      lines: waiting.flatMap(({ lines }) => lines),
      payloads: waiting.flatMap(({ payloads }) => payloads),
      secrets: waiting.flatMap(({ secrets }) => secrets),
    };
    this.#current = { batch, waiting };
    return true;
  }

  /** Called when the batch is stored. */
  done(): void {
    const current = this.#current;
    this.#current = undefined;
    this.#written += current?.batch.lines.length ?? 0;
    for (const { resolve } of current?.waiting ?? []) resolve();
  }

  /** Stops writing: another node has the session, or it cannot be written here. */
  fence(cause?: unknown): void {
    const error = this.fencedError(cause);
    const waiting = [...(this.#current?.waiting ?? []), ...this.#waiting];
    this.#current = undefined;
    this.#waiting = [];
    this.#loss.abort(error);
    for (const { reject } of waiting) reject(error);
  }

  fencedError(cause?: unknown): Error {
    const why = cause instanceof Error ? cause.message : 'it belongs to another node now';
    const message = `Session ${this.id} no longer runs here: ${why}. It continues where it is opened next.`;
    return sessionError('session_fenced', message, { cause });
  }
}
