import { join } from 'node:path';
import { makePrivateDirectory, tryMakePrivateDirectory } from '../records/private-files.ts';
import { assertSessionId } from '../records/session-id.ts';
import { acquireWriterLock, type WriterLock } from '../records/writer-lock.ts';
import type { SecretVault } from '../secrets/secret-vault.ts';
import { VAULT_SUFFIX, VaultFile, type VaultFileOptions } from '../secrets/vault-file.ts';
import { lastNumber } from './last-number.ts';
import { LogFile } from './log-file.ts';
import type { LogSink } from './log-sink.ts';
import { INLINE_BYTES, PayloadWriter, payloadFiles } from './payload-files.ts';
import { redact } from './redact.ts';
import type { SessionLogData, SessionLogger } from './session-logger.ts';

/** Options for writing logs to files. */
export interface FileSessionLoggerOptions {
  /** Values with longer JSON are stored in `{sessionId}.payloads/{sha256}.json`. */
  readonly externalPayloadThresholdBytes?: number | undefined;
  readonly redactedValue?: string | undefined;
  /** Called for the first failure after each success; logging itself never throws. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

interface OpenLog {
  readonly file: LogFile;
  readonly payloads: PayloadWriter;
}

/**
 * Writes session logs to `<logDir>/<sessionId>.jsonl`, redacted. Sessions write entries through `openSink`; calls of
 * `log` become lines with their own `timestamp` and `sessionId`.
 */
export class FileSessionLogger implements SessionLogger {
  readonly redactedValue: string | undefined;
  readonly #logDir: string;
  readonly #threshold: number;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #logs = new Map<string, OpenLog>();
  #failure: { readonly error: unknown } | undefined;

  constructor(logDir: string, options: FileSessionLoggerOptions = {}) {
    this.#logDir = logDir;
    this.#threshold = options.externalPayloadThresholdBytes ?? INLINE_BYTES;
    this.redactedValue = options.redactedValue;
    this.#onError = options.onError;
    this.#guard(() => makePrivateDirectory(logDir));
  }

  log(sessionId: string, event: string, data: SessionLogData): void {
    this.#guard(() => {
      const log = this.#open(sessionId);
      const clean = redact(data, this.redactedValue);
      const fields = this.#orInline(clean, () => this.#shrink(log, clean));
      const line = { timestamp: new Date().toISOString(), sessionId, event, ...fields };
      log.file.append(`${JSON.stringify(line, bigintAsText)}\n`);
    });
  }

  openSink(sessionId: string): LogSink {
    const log = this.#open(sessionId);
    return {
      lastNumber: lastNumber(this.getFilePath(sessionId)),
      append: (text) =>
        this.#guard(() => {
          // The directory may have been unmounted or removed meanwhile.
          if (this.#failure) tryMakePrivateDirectory(this.#logDir);
          log.file.append(text);
        }),
      size: () => log.file.size,
      shrink: (line) => this.#orInline(line, () => this.#shrink(log, line)),
      // With an infinite threshold the log is self-contained.
      store: (value) =>
        Number.isFinite(this.#threshold)
          ? this.#orInline<unknown>(value, () => log.payloads.store(JSON.stringify(value)))
          : value,
    };
  }

  openVault(sessionId: string, options?: VaultFileOptions): SecretVault {
    assertSessionId(sessionId);
    return new VaultFile(join(this.#logDir, `${sessionId}${VAULT_SUFFIX}`), options);
  }

  lock(sessionId: string): WriterLock {
    assertSessionId(sessionId);
    makePrivateDirectory(this.#logDir);
    return acquireWriterLock(join(this.#logDir, `${sessionId}.lock`), sessionId);
  }

  async sync(sessionId: string): Promise<void> {
    await this.#logs
      .get(sessionId)
      ?.file.sync()
      .catch((error: unknown) => this.#fail(error));
  }

  close(sessionId?: string): void {
    const ids = sessionId === undefined ? [...this.#logs.keys()] : [sessionId];
    for (const id of ids) {
      const log = this.#logs.get(id);
      if (!log) continue;
      this.#guard(() => log.file.flush());
      this.#guard(() => log.file.close());
      this.#logs.delete(id);
    }
  }

  isSaving(): boolean {
    return this.#failure === undefined;
  }

  getSaveError(): unknown {
    return this.#failure?.error;
  }

  getFilePath(sessionId: string): string {
    assertSessionId(sessionId);
    return join(this.#logDir, `${sessionId}.jsonl`);
  }

  #open(sessionId: string): OpenLog {
    const known = this.#logs.get(sessionId);
    if (known) return known;
    const log: OpenLog = {
      file: new LogFile(this.getFilePath(sessionId)),
      payloads: new PayloadWriter(sessionId, payloadFiles(this.#logDir, sessionId)),
    };
    this.#logs.set(sessionId, log);
    return log;
  }

  #shrink({ payloads }: OpenLog, line: Record<string, unknown>): Record<string, unknown> {
    return payloads.shrink(line, this.#threshold);
  }

  /** A value that cannot be stored as a file stays in its line, which is written once there is room. */
  #orInline<Value>(value: Value, store: () => Value): Value {
    try {
      return store();
    } catch (error) {
      this.#fail(error);
      return value;
    }
  }

  #guard(work: () => void): void {
    try {
      work();
      this.#failure = undefined;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const isKnown = this.#failure !== undefined;
    this.#failure = { error };
    if (!isKnown) this.#onError?.(error);
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
