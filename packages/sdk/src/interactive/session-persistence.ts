import { statSync } from 'node:fs';
import type { HistoryEntry, Message, ToolSchema } from '@robota-sdk/agent-core';
import type { SessionLogger, SessionRecord, SessionRecordStore } from '@robota-sdk/agent-session';
import { settleBackgroundTasks } from '../records/settle-background-tasks.ts';

export interface PersistenceParts {
  readonly store: SessionRecordStore | undefined;
  readonly logger: SessionLogger | undefined;
  readonly sessionId: string;
  readonly cwd: string | undefined;
  readonly onFailure: (error: Error) => void;
}

/** What the conversation is at the moment of saving. Arrays are live: the store writes only what is new. */
export interface ConversationSnapshot {
  readonly messages: readonly Message[];
  readonly history: readonly HistoryEntry[];
  readonly systemPrompt: string | null;
  readonly toolSchemas: readonly ToolSchema[];
  readonly model?: string | undefined;
  /** Shown on resume, never in force again by itself. */
  readonly sessionAllowedTools?: readonly string[];
}

/** Fields of a record that the snapshot and this class write themselves. */
const OWN_FIELDS = new Set(['id', 'cwd', 'name', 'createdAt', 'updatedAt', 'messages', 'history']);

/** Keeps the record of one session. Saving never fails a turn: the first failure is told, once. */
export class SessionPersistence {
  readonly #parts: PersistenceParts;
  readonly #fields = new Map<string, unknown>();
  #createdAt = new Date().toISOString();
  #name: string | undefined;
  #hasFailed = false;
  #hasRecord = false;
  #saving: Promise<void> | undefined;

  constructor(parts: PersistenceParts, name?: string) {
    this.#parts = parts;
    this.#name = name;
  }

  get name(): string | undefined {
    return this.#name;
  }

  set name(name: string | undefined) {
    this.#name = name;
  }

  /** Whether the store holds a record of this session, so that a list shows it. */
  get hasRecord(): boolean {
    return this.#hasRecord;
  }

  /** Takes over what a saved record holds beside the conversation. */
  adopt(record: SessionRecord, options: { readonly isFork: boolean }): void {
    this.#name ??= record.name;
    if (!options.isFork) {
      this.#createdAt = record.createdAt;
      this.#hasRecord = true;
    }
    for (const [field, value] of Object.entries(record)) {
      if (!OWN_FIELDS.has(field)) this.#fields.set(field, value);
    }
    if (record.backgroundTasks) {
      this.#fields.set('backgroundTasks', settleBackgroundTasks(record.backgroundTasks));
    }
    if (options.isFork) for (const field of LEFT_BEHIND) this.#fields.delete(field);
  }

  /** Any further field of the record, such as `backgroundTasks`; undefined removes it. */
  setField(field: string, value: unknown): void {
    if (value === undefined) this.#fields.delete(field);
    else this.#fields.set(field, value);
  }

  getField(field: string): unknown {
    return this.#fields.get(field);
  }

  /** Saves at once where the store does; behind one that takes its time, saves stay in order. */
  save(snapshot: ConversationSnapshot): Promise<void> | undefined {
    if (!this.#parts.store) return undefined;
    if (!this.#saving) return this.#begin(snapshot);
    return this.#saving.then(() => this.#begin(snapshot));
  }

  /** The log ends here as far as the record knows; a longer log means a turn that was cut off. */
  #logBytes(): number | undefined {
    const path = this.#parts.logger?.getFilePath?.(this.#parts.sessionId);
    if (path === undefined) return undefined;
    return statSync(path, { throwIfNoEntry: false })?.size;
  }

  #begin(snapshot: ConversationSnapshot): Promise<void> | undefined {
    try {
      const saving = this.#parts.store?.save(this.#record(snapshot));
      if (!(saving instanceof Promise)) return this.#saved();
      this.#saving = saving
        .then(
          () => this.#saved(),
          (error: unknown) => this.#failed(error),
        )
        .finally(() => {
          this.#saving = undefined;
        });
      return this.#saving;
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #saved(): undefined {
    this.#hasFailed = false;
    this.#hasRecord = true;
  }

  #failed(cause: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `Session ${this.#parts.sessionId} could not be saved: ${reason}`;
    this.#parts.onFailure(new Error(message, { cause }));
  }

  #record(snapshot: ConversationSnapshot): SessionRecord {
    const { messages, history, systemPrompt, toolSchemas, model, sessionAllowedTools } = snapshot;
    const { sessionId, cwd } = this.#parts;
    const logBytes = this.#logBytes();
    return {
      ...Object.fromEntries(this.#fields),
      id: sessionId,
      cwd: cwd ?? process.cwd(),
      ...(this.#name !== undefined && { name: this.#name }),
      createdAt: this.#createdAt,
      updatedAt: new Date().toISOString(),
      messages: messages as unknown[],
      history: history as unknown[],
      ...(systemPrompt !== null && { systemPrompt }),
      toolSchemas: [...toolSchemas],
      ...(model !== undefined && { model }),
      ...(sessionAllowedTools && { sessionAllowedTools: [...sessionAllowedTools] }),
      ...(logBytes !== undefined && { logBytes }),
    };
  }
}

/** What belongs to the original alone: its log, its cost, its grants, its running work, its sandbox. */
const LEFT_BEHIND = [
  'logBytes',
  'modelUsage',
  'sessionAllowedTools',
  'sandboxSnapshotId',
  'backgroundTasks',
  'backgroundTaskEvents',
  'backgroundJobGroups',
  'backgroundJobGroupEvents',
];
