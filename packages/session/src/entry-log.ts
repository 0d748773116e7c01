import {
  describeHistory,
  type Entry,
  type EntryFields,
  type FoldedMessage,
  HeldLines,
  HistoryFold,
  isStreamed,
  LogWriter,
} from '@robota-sdk/agent-core/log';
import type { NoticeCallback } from './lifecycle-hooks.ts';
import type { LogSink } from './log/log-sink.ts';
import type { SessionLogData, SessionLogger } from './log/session-logger.ts';

export type EntryListener = (entry: Entry) => void;

export interface EntryLogOptions {
  readonly sessionId: string;
  readonly logger?: SessionLogger | undefined;
  /** Hears, without the log, that the log cannot be written, and that it can again. */
  readonly onProblem?: NoticeCallback | undefined;
}

/** The conversation that a log goes on with. */
export interface LogStart {
  readonly n: number;
  readonly messages: readonly FoldedMessage[];
  readonly hasSystem: boolean;
}

const FLUSH_MS = 50;
const FLUSH_CHARACTERS = 64 * 1024;
/** Numbers left free when a log is opened again: a crash may have told entries that it did not write. */
export const REOPEN_GAP = 16;
/** The lines of all logs of one process end with it, however it ends by itself. */
const openLogs = new Set<EntryLog>();

/**
 * Everything that happens in one session: numbered, written, then told. Streamed pieces are told at once and
 * written within 50 ms. Without a logger entries are only told.
 */
export class EntryLog {
  readonly #options: EntryLogOptions;
  readonly #listeners: EntryListener[] = [];
  readonly #held = new HeldLines();
  #start: LogStart | undefined;
  #sink: LogSink | undefined;
  #writer: LogWriter | undefined;
  #last = 0;
  #isPartDue = false;
  #hasWarned = false;
  #lastPiece = { event: '', time: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EntryLogOptions) {
    this.#options = options;
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last;
  }

  /** Whether anything is written, so that entries which only a reader of the log wants need not be made. */
  get isKept(): boolean {
    return this.#options.logger !== undefined;
  }

  subscribe(listener: EntryListener): void {
    this.#listeners.push(listener);
  }

  /** Before the first entry: what is in the log already. */
  continueFrom(start: LogStart): void {
    this.#start = start;
    this.#last = start.n;
  }

  /** A promise only where the logger needs one. */
  append(event: string, fields: EntryFields): void | Promise<void> {
    if (isStreamed(event, fields)) {
      this.#appendPiece(event, fields);
      return;
    }
    const writer = this.#open();
    const entry: Entry = { ...fields, n: ++this.#last, time: Date.now(), event };
    this.#lastPiece.event = '';
    const written = writer
      ? this.#sink?.append(this.#takeHeld(writer) + writer.write(entry))
      : this.#pass(entry);
    this.#watch();
    if (written instanceof Promise) {
      return written.catch((error: unknown) => this.#warn(error)).then(() => this.#tell(entry));
    }
    this.#tell(entry);
  }

  /** Tells of something that another log keeps, such as a subagent's. */
  relay(entry: Entry): void {
    this.#tell(entry);
  }

  /** Writes what is held back. */
  flush(): void {
    if (this.#writer && this.#held.size > 0) {
      void this.#sink?.append(this.#takeHeld(this.#writer));
      this.#watch();
    }
  }

  /** Where a checkpoint of the folds stands in the log; undefined where it has no place in a file. */
  checkpoint(): { readonly n: number; readonly bytes: number } | undefined {
    this.flush();
    const bytes = this.#sink?.size();
    if (bytes === undefined) return undefined;
    this.#isPartDue = true;
    return { n: this.#last, bytes };
  }

  /** How many bytes the log has; undefined where that is not known. */
  size(): number | undefined {
    return this.#sink?.size();
  }

  /** Starts it; nobody waits for the disk. */
  sync(): void {
    this.flush();
    this.#attempt(() => this.#options.logger?.sync?.(this.#options.sessionId));
  }

  async close(): Promise<void> {
    this.flush();
    clearTimeout(this.#timer);
    openLogs.delete(this);
    try {
      await this.#options.logger?.close?.(this.#options.sessionId);
    } catch (error) {
      this.#warn(error);
    }
  }

  /** The pieces of a line share its number and its time. */
  #appendPiece(event: string, fields: EntryFields): void {
    const writer = this.#open();
    const entry = writer ? this.#hold(event, fields) : this.#numberPiece(event, fields);
    if (!writer) this.#attempt(() => this.#pass(entry));
    this.#tell(entry);
  }

  #numberPiece(event: string, fields: EntryFields): Entry {
    if (this.#lastPiece.event !== event) {
      this.#last += 1;
      this.#lastPiece = { event, time: Date.now() };
    }
    return { ...fields, n: this.#last, time: this.#lastPiece.time, event };
  }

  #hold(event: string, fields: EntryFields): Entry {
    const held = this.#held;
    let line = held.lineFor(event, fields.executionId, fields.round);
    if (line === undefined) {
      if (held.mustFlushFor(event)) this.flush();
      const first: Entry = { ...fields, n: ++this.#last, time: Date.now(), event };
      // The line for spec 000's `text_delta` takes the next number.
      if (event === 'provider_stream_raw_delta') this.#last += 1;
      line = held.begin(first);
    }
    const { n, time } = line.first;
    held.add(line, fields.delta ?? fields.payload);
    if (held.size >= FLUSH_CHARACTERS) this.flush();
    else {
      // Left to run out when something else flushes first: a timer for each flush would cost more.
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.flush();
      }, FLUSH_MS).unref();
    }
    return { ...fields, n, time, event };
  }

  #takeHeld(writer: LogWriter): string {
    let text = '';
    if (this.#isPartDue) {
      this.#isPartDue = false;
      text = writer.checkpoint();
    }
    for (const line of this.#held.take()) text += writer.writeHeld(line);
    return text;
  }

  /** Opened with the first entry, so that a session nobody uses leaves no file. */
  #open(): LogWriter | undefined {
    if (this.#writer) return this.#writer;
    const { logger, sessionId } = this.#options;
    if (!logger?.openSink) return undefined;
    try {
      const sink = logger.openSink(sessionId);
      const writer = new LogWriter({ sessionId, ...this.#begin(sink), ...boundSink(sink) });
      this.#sink = sink;
      this.#writer = writer;
      void sink.append(writer.header());
      if (!process.listeners('exit').includes(flushAll)) process.on('exit', flushAll);
      openLogs.add(this);
      return writer;
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }

  #begin({ lastNumber }: LogSink): {
    readonly after: number;
    readonly history: HistoryFold<FoldedMessage> | undefined;
  } {
    const start = this.#start;
    const highest = Math.max(lastNumber, this.#last);
    const after = lastNumber === 0 ? highest : highest + REOPEN_GAP;
    this.#last = after;
    const history = start && new HistoryFold<FoldedMessage>({ epoch: 0, ...start });
    return { after, history };
  }

  /** For loggers that are not ours: the events of spec 000, whole. */
  #pass(entry: Entry): void | Promise<void> {
    const { logger, sessionId } = this.#options;
    if (!logger) return;
    const { n: _n, time: _time, event, ...fields } = entry;
    const data = fields as SessionLogData;
    if (event === 'assistant' && Array.isArray(data.history)) {
      data.historyStructure = describeHistory(data.history);
    }
    try {
      const written = logger.log(sessionId, event, data);
      if (event === 'provider_stream_raw_delta') {
        const delta = String(data.delta);
        this.#attempt(() => logger.log(sessionId, 'text_delta', { delta }));
      }
      return written;
    } catch (error) {
      this.#warn(error);
    }
  }

  #tell(entry: Entry): void {
    for (const listener of this.#listeners) listener(entry);
  }

  #attempt(work: () => void | Promise<void>): void {
    try {
      const pending = work();
      if (pending instanceof Promise) pending.catch((error: unknown) => this.#warn(error));
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Says once that the log cannot be written, and once that it can again. */
  #watch(): void {
    if (!this.#sink) return;
    const isSaving = this.#options.logger?.isSaving?.() ?? true;
    if (!isSaving) this.#warn('the log cannot be written');
    else if (this.#hasWarned) {
      this.#hasWarned = false;
      const message = `Session ${this.#options.sessionId} is being logged again; nothing is missing.`;
      this.#options.onProblem?.({ level: 'info', message });
    }
  }

  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.onProblem?.({
      level: 'warning',
      message: `Session ${this.#options.sessionId} is not being logged: ${reason}. It goes on, but what follows may be missing after a restart.`,
    });
  }
}

function boundSink(sink: LogSink) {
  return {
    redact: sink.redact.bind(sink),
    shrink: sink.shrink.bind(sink),
    store: sink.store.bind(sink),
  };
}

function flushAll(): void {
  for (const log of openLogs) log.flush();
}
