import { statSync } from 'node:fs';
import type { Message, ToolSchema } from '@robota-sdk/agent-core';
import type { SessionFold } from '@robota-sdk/agent-core/log';
import type { EntryLog } from '../entry-log.ts';
import type { NoticeCallback } from '../lifecycle-hooks.ts';
import type { SessionLogger } from '../log/session-logger.ts';
import type { SessionSecrets } from '../secrets/session-secrets.ts';
import { isFenced } from '../session-error.ts';
import { recordOf } from './checkpoint.ts';
import { describeSaveFailure } from './save-failure.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionRecordStore } from './session-record-store.ts';

/** Session state and stores of a record keeper. */
export interface RecordKeeperOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly log: EntryLog;
  readonly fold: SessionFold;
  readonly getMessages: () => readonly Message[];
  readonly getToolSchemas: () => readonly ToolSchema[];
  readonly store: SessionRecordStore | undefined;
  readonly logger: SessionLogger | undefined;
  /** Redacts secrets in the record. */
  readonly secrets: SessionSecrets;
  /** The saved record; loaded from the store when left out. */
  readonly saved?: SessionRecord | undefined;
  /** State of other folds for the checkpoint. */
  readonly folds?: (() => Record<string, unknown>) | undefined;
  /** If false, a session without any message is not saved. */
  readonly keepUnused?: boolean | undefined;
  readonly onNotice: NoticeCallback;
}

/** Minimum log growth before the record is written again; larger records wait for their own size. */
const MIN_GROWTH_BYTES = 64 * 1024;

/** Saves a session's record: a checkpoint of its folds if there is a log, else the complete state. */
export class RecordKeeper {
  readonly #options: RecordKeeperOptions;
  readonly #createdAt = new Date().toISOString();
  #fields: Partial<SessionRecord> = {};
  #existing: Promise<SessionRecord | undefined> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #hasChanged = false;
  #problem: string | undefined;
  /** A save was skipped because the end of a text was held back. */
  #isPostponed = false;
  /** Sizes at the last save; set if the log allows the next save to wait. */
  #last: { readonly logBytes: number; readonly recordBytes: number } | undefined;

  constructor(options: RecordKeeperOptions) {
    this.#options = options;
    if (options.saved) this.#existing = Promise.resolve(options.saved);
  }

  /** Why the record cannot be saved; undefined while it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Additional fields, such as background tasks; they stay until set again. */
  set(fields: Partial<SessionRecord>): void {
    this.#fields = { ...this.#fields, ...fields };
    this.#hasChanged = true;
  }

  get(field: string): unknown {
    return this.#fields[field] ?? this.#options.saved?.[field];
  }

  /** Marks the record as changed. */
  touch(): void {
    this.#hasChanged = true;
  }

  /** Called after every run; writes if a checkpoint is due. Never rejects: failures are reported. */
  save(): Promise<void> {
    return this.#queue({ isForced: false });
  }

  /** Writes even if no checkpoint is due. */
  saveNow(): Promise<void> {
    return this.#queue({ isForced: true });
  }

  /** The final save: an unused session must not replace a record it never read. */
  async finish(): Promise<void> {
    const { timeline, name } = this.#options.fold.state;
    const isUnused = timeline.length === 0 && name === undefined;
    if (isUnused && this.#options.keepUnused === false) return;
    if (this.#hasChanged || (await this.#load()) === undefined) await this.saveNow();
  }

  /** One save at a time. */
  #queue(options: { readonly isForced: boolean }): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save(options));
    return this.#saving;
  }

  async #save({ isForced }: { readonly isForced: boolean }): Promise<void> {
    const { store } = this.#options;
    if (store === undefined || (!isForced && !this.#isPostponed && !this.#isDue())) return;
    const existing = await this.#load();
    // The end of a streamed text may be part of a secret; the save after the turn includes it.
    this.#isPostponed = this.#options.log.isHoldingBack;
    if (this.#isPostponed) return;
    try {
      // Folds contain emitted entries only, and a checkpoint must include every entry before its position.
      while (this.#options.log.isTelling) await this.#options.log.idle();
      await store.save(this.#redacted(this.#record(existing)));
      this.#remember();
      this.#succeed();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Messages and history entries never change, so each is redacted once. */
  #redacted({ messages, history, ...rest }: SessionRecord): SessionRecord {
    const { secrets } = this.#options;
    return {
      ...secrets.redactor.redactValue(rest),
      messages: secrets.redactList(messages),
      history: secrets.redactList(history),
    } as SessionRecord;
  }

  /** The store reads the rest from the log, so the record may lag behind. */
  #isDue(): boolean {
    const last = this.#last;
    const size = this.#options.log.size();
    if (last === undefined || size === undefined) return true;
    return size - last.logBytes >= Math.max(MIN_GROWTH_BYTES, last.recordBytes);
  }

  #record(existing: SessionRecord | undefined): SessionRecord {
    const { sessionId, cwd, fold, getMessages, getToolSchemas, folds } = this.#options;
    const position = this.#hasSharedLog() ? this.#options.log.checkpoint() : undefined;
    const {
      log: _log,
      folds: _folds,
      messages: _messages,
      history: _history,
      ...kept
    } = existing ?? ({} as SessionRecord);
    const known = recordOf(fold.state);
    return {
      ...kept,
      ...known,
      id: sessionId,
      cwd: existing?.cwd || known.cwd || cwd,
      createdAt: existing?.createdAt ?? this.#createdAt,
      updatedAt: new Date().toISOString(),
      messages: getMessages() as unknown[],
      toolSchemas: [...getToolSchemas()],
      ...this.#fields,
      ...(position && { log: position, folds: folds?.() ?? {} }),
    };
  }

  #hasSharedLog(): boolean {
    const { store, logger, sessionId } = this.#options;
    if (logger && store?.keepsLogOf?.(logger)) return true;
    const path = store?.getLogPath?.(sessionId);
    return path !== undefined && path === logger?.getFilePath?.(sessionId);
  }

  #remember(): void {
    this.#hasChanged = false;
    const { store, sessionId, log } = this.#options;
    const logBytes = log.size();
    const size = store?.getSavedSize?.(sessionId) ?? this.#fileSize();
    const isKnown = this.#hasSharedLog() && logBytes !== undefined && size !== undefined;
    this.#last = isKnown ? { logBytes, recordBytes: size } : undefined;
  }

  #fileSize(): number | undefined {
    const { store, sessionId } = this.#options;
    const path = store?.getFilePath?.(sessionId);
    return path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size;
  }

  /** Loaded once: fields of earlier processes that this one does not know. */
  #load(): Promise<SessionRecord | undefined> {
    this.#existing ??= this.#readExisting();
    return this.#existing;
  }

  async #readExisting(): Promise<SessionRecord | undefined> {
    const { store, sessionId } = this.#options;
    try {
      const existing = await store?.load(sessionId);
      // A record that the store built from the log just written adds nothing to the fold.
      return existing && this.#isOwn(existing) ? undefined : existing;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #isOwn({ createdAt }: SessionRecord): boolean {
    return Date.parse(createdAt) === this.#options.fold.state.createdAt;
  }

  #fail(error: unknown): void {
    // Another writer took over the session and saves it.
    if (this.#problem !== undefined || isFenced(error)) return;
    const message = `Session ${this.#options.sessionId} is not being saved: ${describeSaveFailure(error)}`;
    this.#problem = message;
    this.#options.onNotice({ level: 'warning', kind: 'not_saved', message });
  }

  #succeed(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    const message = `Session ${this.#options.sessionId} is being saved again.`;
    this.#options.onNotice({ level: 'info', kind: 'not_saved', message });
  }
}
