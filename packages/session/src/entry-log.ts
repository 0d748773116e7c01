import {
  describeHistory,
  type Entry,
  type EntryFields,
  type FoldedMessage,
  type HeldLine,
  HeldLines,
  HistoryFold,
  isStreamed,
  LogWriter,
  type StreamEnd,
} from '@robota-sdk/agent-core/log';
import { EmitQueue } from './emit-queue.ts';
import type { NoticeCallback } from './lifecycle-hooks.ts';
import type { LogSink } from './log/log-sink.ts';
import type { SessionLogData, SessionLogger } from './log/session-logger.ts';
import { describeSaveFailure } from './records/save-failure.ts';
import { SessionSecrets } from './secrets/session-secrets.ts';
import { isFenced } from './session-error.ts';

/** Receives every entry once it is written. */
export type EntryListener = (entry: Entry) => void;

/** Session, logger and secrets of an entry log. */
export interface EntryLogOptions {
  readonly sessionId: string;
  readonly logger?: SessionLogger | undefined;
  /** Handles secrets; without it their values are stored nowhere. */
  readonly secrets?: SessionSecrets | undefined;
  /** Called when the log cannot be written, and when it can be again; not logged. */
  readonly onProblem?: NoticeCallback | undefined;
}

/** The conversation that a log continues from. */
export interface LogStart {
  readonly n: number;
  readonly messages: readonly FoldedMessage[];
  readonly hasSystem: boolean;
}

/** A streamed text delta, as the engine reports it. */
export interface TextPiece {
  readonly type: 'provider_stream_raw_delta' | 'provider_thinking_delta';
  readonly executionId: string;
  readonly conversationId: string;
  readonly round: number;
  readonly sequence: number;
  readonly delta: string;
}

interface NumberedPiece {
  readonly event: string;
  readonly n: number;
  readonly time: number;
}

const NO_PIECE: NumberedPiece = { event: '', n: 0, time: 0 };
const FLUSH_MS = 50;
const FLUSH_CHARACTERS = 16 * 1024;
/** If the buffered text may end in part of a secret, it is checked again after this many more characters. */
const RECHECK_CHARACTERS = 1024;
/** Maximum buffered while the end may be part of a secret; beyond it, all but that end is written. */
const MAX_HELD_CHARACTERS = 2 * FLUSH_CHARACTERS;
/** Numbers skipped when a log is reopened: before a crash, entries may have been emitted but not written. */
export const REOPEN_GAP = 16;
/** Entries that may interrupt a streamed text without ending it. */
const UNRELATED_TO_TEXT =
  /^(?:notice|hook|history_entry|pinned|session_renamed|model_changed|(?:background|memory|permission|subagent)_.*)$/;
/** Open logs, whose buffered lines are written when the process exits. */
const openLogs = new Set<EntryLog>();

/**
 * The log of one session. Entries are numbered, written, then emitted; streamed deltas are emitted at once and written
 * within 50 ms. Without a logger entries are only emitted.
 */
export class EntryLog {
  readonly #options: EntryLogOptions;
  readonly #listeners: EntryListener[] = [];
  readonly #secrets: SessionSecrets;
  readonly #queue = new EmitQueue((entry) => this.#emitNow(entry));
  #held: HeldLines;
  #start: LogStart | undefined;
  #sink: LogSink | undefined;
  #writer: LogWriter | undefined;
  #last = 0;
  #isPartDue = false;
  #problem: string | undefined;
  /** The flush time has passed, but the buffered text may end in part of a secret. */
  #isOverdue = false;
  /** Number of buffered characters that triggers the next check. */
  #dueAt = FLUSH_CHARACTERS;
  #lastPiece = NO_PIECE;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EntryLogOptions) {
    this.#options = options;
    this.#secrets = options.secrets ?? new SessionSecrets();
    this.#held = new HeldLines(this.#secrets.redactor);
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last;
  }

  /** Lets callers skip entries that matter only to readers of the log. */
  get isKept(): boolean {
    return this.#options.logger !== undefined;
  }

  /** Why the log cannot be written; undefined while it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** While true, emitted text must not be written elsewhere: its end may be part of a secret. */
  get isHoldingBack(): boolean {
    return this.#writer !== undefined && !this.#held.isClear;
  }

  subscribe(listener: EntryListener): void {
    this.#listeners.push(listener);
  }

  /** Call before the first entry: the state of the existing log. */
  continueFrom(start: LogStart): void {
    this.#start = start;
    this.#last = start.n;
  }

  /** Returns a promise only if the logger is asynchronous. */
  append(event: string, fields: EntryFields): void | Promise<void> {
    if (isStreamed(event, fields)) {
      this.#appendPiece(event, fields);
      return;
    }
    const writer = this.#open();
    const before = writer
      ? this.#takeHeld(writer, UNRELATED_TO_TEXT.test(event) ? 'nothing' : 'round')
      : '';
    const entry: Entry = { ...fields, n: ++this.#last, time: Date.now(), event };
    if (this.#lastPiece.event !== '') this.#lastPiece = NO_PIECE;
    this.#secrets.keep(entry);
    const written = writer
      ? this.#sink?.append(before + writer.write(entry))
      : this.#logEvent(entry);
    this.#checkSaving();
    if (written instanceof Promise)
      return this.#queue.emitAfter(this.#warnOnFailure(written), entry);
    this.#emit(entry);
  }

  /** Fast path of `append` for deltas, a hundred per second: one object each and no copies. */
  appendText(piece: TextPiece): void {
    const { type: event, executionId, conversationId, round, sequence, delta } = piece;
    const line = this.#held.addText(event, piece);
    const { n, time } = line?.first ?? this.#numberPiece(event, executionId, round);
    const entry = { n, time, event, executionId, conversationId, round, sequence, delta };
    if (line === undefined) this.#keepPiece(entry, delta, { isPlain: true });
    else if (this.#isOverdue || this.#held.size >= this.#dueAt) this.#flushIfClear();
    if (this.#queue.isImmediate) for (const listener of this.#listeners) listener(entry);
    else this.#queue.emit(entry);
  }

  /** True while appended entries are not emitted yet. */
  get isTelling(): boolean {
    return this.#queue.isPending;
  }

  /**
   * Settles when every entry appended so far is emitted; rejects with `session_fenced` after another writer took over.
   */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Emits an entry that another log stores, such as a subagent's. */
  relay(entry: Entry): void {
    this.#emit(entry);
  }

  /** Writes all buffered lines and ends the text that is being streamed. */
  flush(): void {
    this.#flush('round');
  }

  /** For process exit in the middle of a text: writes everything but a possible part of a secret. */
  flushAtExit(): void {
    this.#flush('nothing');
  }

  /** Position in the log for a checkpoint of the folds; undefined if the log is not a file. */
  checkpoint(): { readonly n: number; readonly bytes: number } | undefined {
    this.#flush('nothing');
    const bytes = this.#sink?.size();
    if (bytes === undefined) return undefined;
    this.#isPartDue = true;
    return { n: this.#last, bytes };
  }

  /** Size of the log in bytes; undefined if unknown. */
  size(): number | undefined {
    return this.#sink?.size();
  }

  /** Starts an fsync without waiting for it. */
  sync(): void {
    this.flush();
    this.#attempt(() => this.#options.logger?.sync?.(this.#options.sessionId));
  }

  async close(): Promise<void> {
    this.flush();
    clearTimeout(this.#timer);
    openLogs.delete(this);
    this.#secrets.close();
    try {
      await this.#options.logger?.close?.(this.#options.sessionId);
    } catch (error) {
      if (!isFenced(error)) this.#warn(error);
    }
  }

  #appendPiece(event: string, fields: EntryFields): void {
    const { executionId, round, delta, payload } = fields;
    const line = this.#held.lineFor(event, executionId, round);
    const { n, time } = line?.first ?? this.#numberPiece(event, executionId, round);
    const entry = { n, time, event, ...fields };
    if (line) this.#hold(line, delta ?? payload);
    else this.#keepPiece(entry, delta ?? payload);
    this.#emit(entry);
  }

  /** Deltas of one line share its number and time; without a log, consecutive deltas do. */
  #numberPiece(event: string, executionId: unknown, round: unknown): NumberedPiece {
    if (this.#open() === undefined) {
      if (this.#lastPiece.event === event) return this.#lastPiece;
      this.#lastPiece = { event, n: ++this.#last, time: Date.now() };
      return this.#lastPiece;
    }
    if (this.#held.mustFlushFor(event, executionId, round)) this.#flush('text');
    const n = ++this.#last;
    // The line for spec 000's `text_delta` uses the next number.
    if (event === 'provider_stream_raw_delta') this.#last += 1;
    return { event, n, time: Date.now() };
  }

  #keepPiece(entry: Entry, value: unknown, kind?: { readonly isPlain: boolean }): void {
    if (this.#writer) this.#hold(this.#held.begin(entry, kind), value);
    else if (this.#options.logger) this.#attempt(() => this.#logEvent(entry));
  }

  #hold(line: HeldLine, value: unknown): void {
    this.#held.add(line, value);
    // Not cleared when something else flushes first: a timer for each flush would cost more.
    this.#timer ??= this.#startTimer();
    if (this.#isOverdue || this.#held.size >= this.#dueAt) this.#flushIfClear();
  }

  #flushIfClear(): void {
    const held = this.#held;
    if (held.isClear || held.size >= MAX_HELD_CHARACTERS) this.#flush('nothing');
    else if (!this.#isOverdue) this.#dueAt = held.size + RECHECK_CHARACTERS;
  }

  /**
   * Waits for a point that cannot be inside a secret; if none comes in time, everything but the uncertain end is
   * written.
   */
  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      if (this.#held.size === 0) return;
      if (this.#held.isClear || this.#isOverdue) this.#flush('nothing');
      else {
        this.#isOverdue = true;
        this.#timer = this.#startTimer();
      }
    }, FLUSH_MS).unref();
  }

  #flush(over: StreamEnd): void {
    const held = this.#held;
    const hasEnd = over !== 'nothing' && held.stranded !== undefined;
    if (!this.#writer || (held.size === 0 && !hasEnd)) return;
    this.#write(this.#takeHeld(this.#writer, over));
    this.#checkSaving();
  }

  #takeHeld(writer: LogWriter, over: StreamEnd): string {
    const held = this.#held;
    this.#isOverdue = false;
    this.#dueAt = FLUSH_CHARACTERS;
    const stranded = over === 'nothing' ? undefined : held.stranded;
    if (stranded) {
      held.begin({ ...stranded, n: ++this.#last, time: Date.now() });
      if (stranded.event === 'provider_stream_raw_delta') this.#last += 1;
    }
    let text = '';
    if (this.#isPartDue) {
      this.#isPartDue = false;
      text = writer.checkpoint();
    }
    for (const line of held.take(over)) text += writer.writeHeld(line);
    return text;
  }

  /** Opened with the first entry, so that an unused session leaves no file. */
  #open(): LogWriter | undefined {
    if (this.#writer) return this.#writer;
    const { logger, sessionId } = this.#options;
    if (!logger?.openSink) return undefined;
    try {
      const sink = logger.openSink(sessionId);
      const redact = this.#secrets.redactor.redactValue;
      const writer = new LogWriter({ sessionId, ...this.#begin(sink), ...boundSink(sink), redact });
      this.#sink = sink;
      this.#writer = writer;
      this.#write(writer.header());
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

  /** For custom loggers: complete events of spec 000. */
  #logEvent(entry: Entry): void | Promise<void> {
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

  /** For text without a waiting caller; the next append reports that the session is lost. */
  #write(text: string): void {
    const written = this.#sink?.append(text);
    if (written instanceof Promise) void this.#queue.after(this.#warnOnFailure(written));
  }

  /** An entry that cannot be written is still emitted, with a warning; after another writer took over, nothing is. */
  #warnOnFailure(written: Promise<void>): Promise<void> {
    return written.catch((error: unknown) => {
      if (isFenced(error)) throw error;
      this.#warn(error);
    });
  }

  #emit(entry: Entry): void {
    if (this.#queue.isImmediate) this.#emitNow(entry);
    else this.#queue.emit(entry);
  }

  #emitNow(entry: Entry): void {
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

  /** Reports once that the log cannot be written, and once that it can be again. */
  #checkSaving(): void {
    if (!this.#sink) return;
    const { logger } = this.#options;
    const isSaving = logger?.isSaving?.() ?? true;
    if (!isSaving) this.#warn(logger?.getSaveError?.() ?? 'the log cannot be written');
    else if (!this.#secrets.isSaving) this.#warn('the vault of its secrets cannot be written');
    else if (this.#problem !== undefined) {
      this.#problem = undefined;
      const message = `Session ${this.#options.sessionId} is being logged again; nothing is missing.`;
      this.#options.onProblem?.({ level: 'info', message });
    }
  }

  #warn(error: unknown): void {
    if (this.#problem !== undefined) return;
    const reason = describeSaveFailure(error);
    this.#problem = `Session ${this.#options.sessionId} is not being logged: ${reason}. It continues, but what follows may be missing after a restart.`;
    this.#options.onProblem?.({ level: 'warning', message: this.#problem });
  }
}

function boundSink(sink: LogSink) {
  return {
    shrink: sink.shrink.bind(sink),
    store: sink.store.bind(sink),
  };
}

function flushAll(): void {
  for (const log of openLogs) log.flushAtExit();
}
