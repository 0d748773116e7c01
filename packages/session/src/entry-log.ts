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
import type { NoticeCallback } from './lifecycle-hooks.ts';
import type { LogSink } from './log/log-sink.ts';
import type { SessionLogData, SessionLogger } from './log/session-logger.ts';
import { describeSaveFailure } from './records/save-failure.ts';
import { SessionSecrets } from './secrets/session-secrets.ts';
import { isFenced } from './session-error.ts';
import { TellingOrder } from './telling-order.ts';

/** Hears of every entry once it is written. */
export type EntryListener = (entry: Entry) => void;

/** Whose log it is and where it is written. */
export interface EntryLogOptions {
  readonly sessionId: string;
  readonly logger?: SessionLogger | undefined;
  /** What becomes of secrets; without it their values are kept nowhere. */
  readonly secrets?: SessionSecrets | undefined;
  /** Hears, without the log, that the log cannot be written, and that it can again. */
  readonly onProblem?: NoticeCallback | undefined;
}

/** The conversation that a log goes on with. */
export interface LogStart {
  readonly n: number;
  readonly messages: readonly FoldedMessage[];
  readonly hasSystem: boolean;
}

/** A piece of streamed text, as the engine reports it. */
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
/** Where what waits may end in a part of a secret, the next look is taken when so much more has come. */
const LOOK_AGAIN_CHARACTERS = 1024;
/** So much waits for the end of what may be a secret; then what is certain is written. */
const MOST_HELD_CHARACTERS = 2 * FLUSH_CHARACTERS;
/** Numbers left free when a log is opened again: a crash may have told entries that it did not write. */
export const REOPEN_GAP = 16;
/** Entries that may come in the middle of a streamed text and have no part in it. */
const GOES_BETWEEN =
  /^(?:notice|hook|history_entry|pinned|session_renamed|model_changed|(?:background|memory|permission|subagent)_.*)$/;
/** The lines of all logs of one process end with it, however it ends by itself. */
const openLogs = new Set<EntryLog>();

/**
 * Everything that happens in one session: numbered, written, then told. Streamed pieces are told at once and
 * written within 50 ms. Without a logger entries are only told.
 */
export class EntryLog {
  readonly #options: EntryLogOptions;
  readonly #listeners: EntryListener[] = [];
  readonly #secrets: SessionSecrets;
  readonly #order = new TellingOrder((entry) => this.#tellNow(entry));
  #held: HeldLines;
  #start: LogStart | undefined;
  #sink: LogSink | undefined;
  #writer: LogWriter | undefined;
  #last = 0;
  #isPartDue = false;
  #problem: string | undefined;
  /** The time for what is held is over, but its end may be a part of a secret. */
  #isOverdue = false;
  /** Of how many waiting characters the next look is taken. */
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

  /** Whether anything is written, so that entries which only a reader of the log wants need not be made. */
  get isKept(): boolean {
    return this.#options.logger !== undefined;
  }

  /** Why the log cannot be written, in a sentence; undefined while it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** While this is true, nothing that was told so far may be written elsewhere: its end may be a part of a secret. */
  get isHoldingBack(): boolean {
    return this.#writer !== undefined && !this.#held.isClear;
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
    const before = writer
      ? this.#takeHeld(writer, GOES_BETWEEN.test(event) ? 'nothing' : 'round')
      : '';
    const entry: Entry = { ...fields, n: ++this.#last, time: Date.now(), event };
    if (this.#lastPiece.event !== '') this.#lastPiece = NO_PIECE;
    this.#secrets.keep(entry);
    const written = writer ? this.#sink?.append(before + writer.write(entry)) : this.#pass(entry);
    this.#watch();
    if (written instanceof Promise) return this.#order.tellAfter(this.#despite(written), entry);
    this.#tell(entry);
  }

  /** `append` for what comes a hundred times a second: each piece becomes one object and is copied nowhere. */
  appendText({
    type: event,
    executionId,
    conversationId,
    round,
    sequence,
    delta,
  }: TextPiece): void {
    const line = this.#held.lineFor(event, executionId, round);
    const { n, time } = line?.first ?? this.#numberPiece(event, executionId, round);
    const entry = { n, time, event, executionId, conversationId, round, sequence, delta };
    this.#keepPiece(entry, line, delta);
    this.#tell(entry);
  }

  /** Whether something was appended that has not been told yet. */
  get isTelling(): boolean {
    return this.#order.isTelling;
  }

  /** Settles when everything appended so far has been told; rejects with `session_fenced` once nothing may be. */
  idle(): Promise<void> {
    return this.#order.idle();
  }

  /** Tells of something that another log keeps, such as a subagent's. */
  relay(entry: Entry): void {
    this.#tell(entry);
  }

  /** Writes everything that is held; a text that is being streamed counts as over. */
  flush(): void {
    this.#flush('round');
  }

  /** The process ends in the middle of a text: of it everything is written but what may be half a secret. */
  flushAtExit(): void {
    this.#flush('nothing');
  }

  /** Where a checkpoint of the folds stands in the log; undefined where it has no place in a file. */
  checkpoint(): { readonly n: number; readonly bytes: number } | undefined {
    this.#flush('nothing');
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
    this.#keepPiece(entry, line, delta ?? payload);
    this.#tell(entry);
  }

  /** The pieces of a line share its number and its time; without a log, those that follow one another do. */
  #numberPiece(event: string, executionId: unknown, round: unknown): NumberedPiece {
    if (this.#open() === undefined) {
      if (this.#lastPiece.event === event) return this.#lastPiece;
      this.#lastPiece = { event, n: ++this.#last, time: Date.now() };
      return this.#lastPiece;
    }
    if (this.#held.mustFlushFor(event, executionId, round)) this.#flush('text');
    const n = ++this.#last;
    // The line for spec 000's `text_delta` takes the next number.
    if (event === 'provider_stream_raw_delta') this.#last += 1;
    return { event, n, time: Date.now() };
  }

  #keepPiece(entry: Entry, line: HeldLine | undefined, value: unknown): void {
    if (this.#writer) this.#hold(line ?? this.#held.begin(entry), value);
    else if (this.#options.logger) this.#attempt(() => this.#pass(entry));
  }

  #hold(line: HeldLine, value: unknown): void {
    const held = this.#held;
    held.add(line, value);
    // Left to run out when something else flushes first: a timer for each flush would cost more.
    this.#timer ??= this.#startTimer();
    if (!this.#isOverdue && held.size < this.#dueAt) return;
    if (held.isClear || held.size >= MOST_HELD_CHARACTERS) this.#flush('nothing');
    else if (!this.#isOverdue) this.#dueAt = held.size + LOOK_AGAIN_CHARACTERS;
  }

  /** A line ends where no secret can be; when the next pieces do not say, only what is certain is written. */
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
    this.#watch();
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

  /** Opened with the first entry, so that a session nobody uses leaves no file. */
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

  /** Of what nobody waits for; whoever appends next hears that the session is lost. */
  #write(text: string): void {
    const written = this.#sink?.append(text);
    if (written instanceof Promise) void this.#order.after(this.#despite(written));
  }

  /** What cannot be written is told all the same, with a warning; a session that is lost says nothing more. */
  #despite(written: Promise<void>): Promise<void> {
    return written.catch((error: unknown) => {
      if (isFenced(error)) throw error;
      this.#warn(error);
    });
  }

  #tell(entry: Entry): void {
    if (this.#order.isAtOnce) this.#tellNow(entry);
    else this.#order.tell(entry);
  }

  #tellNow(entry: Entry): void {
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
