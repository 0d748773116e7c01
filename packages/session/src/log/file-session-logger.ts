import { join } from 'node:path';
import { makePrivateDirectory } from '../records/private-files.ts';
import { assertSessionId } from '../records/session-id.ts';
import { DeltaBatches } from './delta-batch.ts';
import { PayloadWriter } from './external-payload.ts';
import { LineEncoder } from './line-encoder.ts';
import { LogFile } from './log-file.ts';
import { readLogTail } from './read-log-tail.ts';
import { redact } from './redact.ts';
import type { SessionLogData, SessionLogger } from './session-logger.ts';

export interface FileSessionLoggerOptions {
  /** Values with a larger JSON text go to `{sessionId}.payloads/{sha256}.json`. */
  readonly externalPayloadThresholdBytes?: number;
  readonly redactedValue?: string;
  /** Hears of the first failure; logging itself never throws. */
  readonly onError?: (error: unknown) => void;
}

interface OpenLog {
  readonly file: LogFile;
  readonly encoder: LineEncoder;
  readonly payloads: PayloadWriter;
  readonly batches: DeltaBatches;
  readonly idJson: string;
  timer: NodeJS.Timeout | undefined;
}

const FLUSH_MS = 50;
const FLUSH_CHARACTERS = 64 * 1024;
const INLINE_BYTES = 32 * 1024;
/** The lines of all logs of one process end with it, however it ends by itself. */
const openLoggers = new Set<FileSessionLogger>();

/** Appends events to `<logDir>/<sessionId>.jsonl`, one JSON line each, redacted and without repetition. */
export class FileSessionLogger implements SessionLogger {
  readonly #logDir: string;
  readonly #threshold: number;
  readonly #redactedValue: string | undefined;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #logs = new Map<string, OpenLog>();
  #hasFailed = false;

  constructor(logDir: string, options: FileSessionLoggerOptions = {}) {
    this.#logDir = logDir;
    this.#threshold = options.externalPayloadThresholdBytes ?? INLINE_BYTES;
    this.#redactedValue = options.redactedValue;
    this.#onError = options.onError;
    this.#guard(() => makePrivateDirectory(logDir));
  }

  log(sessionId: string, event: string, data: SessionLogData): void {
    this.#guard(() => {
      const log = this.#logs.get(sessionId) ?? this.#open(sessionId);
      if (DeltaBatches.accepts(event, data)) this.#hold(log, event, data);
      else log.file.append(this.#takeHeld(log) + this.#line(log, event, data));
    });
  }

  /** Writes what is held back. */
  flush(): void {
    for (const log of this.#logs.values()) this.#guard(() => this.#flush(log));
  }

  async sync(sessionId: string): Promise<void> {
    const log = this.#logs.get(sessionId);
    if (!log) return;
    this.#guard(() => this.#flush(log));
    await log.file.sync().catch((error: unknown) => this.#fail(error));
  }

  close(sessionId?: string): void {
    const ids = sessionId === undefined ? [...this.#logs.keys()] : [sessionId];
    for (const id of ids) {
      const log = this.#logs.get(id);
      if (!log) continue;
      this.#guard(() => this.#flush(log));
      clearTimeout(log.timer);
      this.#guard(() => log.file.close());
      this.#logs.delete(id);
    }
    if (this.#logs.size === 0) openLoggers.delete(this);
  }

  isSaving(): boolean {
    return !this.#hasFailed;
  }

  getFilePath(sessionId: string): string {
    assertSessionId(sessionId);
    return join(this.#logDir, `${sessionId}.jsonl`);
  }

  #open(sessionId: string): OpenLog {
    const path = this.getFilePath(sessionId);
    const payloads = new PayloadWriter(this.#logDir, sessionId);
    const encoder = new LineEncoder(payloads);
    const tail = readLogTail(path);
    if (tail) encoder.resume(tail);
    const log: OpenLog = {
      file: new LogFile(path),
      encoder,
      payloads,
      batches: new DeltaBatches(),
      idJson: JSON.stringify(sessionId),
      timer: undefined,
    };
    this.#logs.set(sessionId, log);
    flushAtExit(this);
    return log;
  }

  #hold(log: OpenLog, event: string, data: SessionLogData): void {
    log.batches.add(event, data);
    if (log.batches.size >= FLUSH_CHARACTERS) {
      this.#flush(log);
      return;
    }
    // Left to run out when something else flushes first: a timer for each flush would cost more.
    log.timer ??= setTimeout(() => {
      log.timer = undefined;
      this.#guard(() => this.#flush(log));
    }, FLUSH_MS).unref();
  }

  #flush(log: OpenLog): void {
    const text = this.#takeHeld(log);
    if (text !== '') log.file.append(text);
  }

  #takeHeld(log: OpenLog): string {
    if (log.batches.size === 0) return '';
    let text = '';
    for (const { event, data } of log.batches.take()) text += this.#line(log, event, data);
    return text;
  }

  #line(log: OpenLog, event: string, data: SessionLogData): string {
    const clean = redact(log.encoder.encode(event, data), this.#redactedValue);
    let body = JSON.stringify(clean);
    // A character is at most three bytes, so short lines need not be measured.
    if (body.length * 3 > this.#threshold) {
      body = JSON.stringify(externalizeFields(clean, log.payloads, this.#threshold));
    }
    const head = `{"timestamp":"${timestamp()}","sessionId":${log.idJson},"event":${eventJson(event)}`;
    return body === '{}' ? `${head}}\n` : `${head},${body.slice(1)}\n`;
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onError?.(error);
  }
}

function externalizeFields(
  data: SessionLogData,
  payloads: PayloadWriter,
  threshold: number,
): SessionLogData {
  const line: SessionLogData = {};
  for (const [key, value] of Object.entries(data)) {
    line[key] = payloads.externalize(value, threshold) as SessionLogData[string];
  }
  return line;
}

const eventNames = new Map<string, string>();

/** There are few kinds of events, so their JSON text is made once. */
function eventJson(event: string): string {
  const known = eventNames.get(event);
  if (known !== undefined) return known;
  const json = JSON.stringify(event);
  if (eventNames.size < 500) eventNames.set(event, json);
  return json;
}

let lastMillisecond = 0;
let lastTimestamp = '';

/** Many events share a millisecond, and formatting it is most of the cost of a small one. */
function timestamp(): string {
  const now = Date.now();
  if (now !== lastMillisecond) {
    lastMillisecond = now;
    lastTimestamp = new Date(now).toISOString();
  }
  return lastTimestamp;
}

function flushAtExit(logger: FileSessionLogger): void {
  if (openLoggers.size === 0 && process.listeners('exit').indexOf(flushAll) < 0) {
    process.on('exit', flushAll);
  }
  openLoggers.add(logger);
}

function flushAll(): void {
  for (const logger of openLoggers) logger.flush();
}
