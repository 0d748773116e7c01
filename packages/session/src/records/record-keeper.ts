import type { Agent, ToolSchema } from '@robota-sdk/agent-core';
import type { NoticeCallback } from '../lifecycle-hooks.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionRecordStore } from './session-record-store.ts';

export interface RecordKeeperOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly agent: Agent;
  readonly getToolSchemas: () => readonly ToolSchema[];
  readonly store: SessionRecordStore | undefined;
  readonly onNotice: NoticeCallback | undefined;
}

/** Saves a session so that it can be come back to; without a store it does nothing. */
export class RecordKeeper {
  readonly #options: RecordKeeperOptions;
  readonly #createdAt = new Date().toISOString();
  #fields: Partial<SessionRecord> = {};
  #existing: Promise<SessionRecord | undefined> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #hasChanged = false;

  constructor(options: RecordKeeperOptions) {
    this.#options = options;
  }

  /** Fields beside the conversation, such as a name; they stay until they are set again. */
  set(fields: Partial<SessionRecord>): void {
    this.#fields = { ...this.#fields, ...fields };
    this.#hasChanged = true;
  }

  /** Says that there is something a save would keep. */
  touch(): void {
    this.#hasChanged = true;
  }

  /** One save at a time; a failure is told, not thrown, since the conversation itself is fine. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  /** The last save: a session nobody used must not replace a record it never read. */
  async finish(): Promise<void> {
    const { store, sessionId } = this.#options;
    if (this.#hasChanged || (await this.#load()) === undefined) await this.save();
    await this.#tell(async () => store?.settle?.(sessionId));
  }

  async #save(): Promise<void> {
    const { store } = this.#options;
    if (store === undefined) return;
    const existing = await this.#load();
    await this.#tell(async () => store.save(this.#record(existing)));
  }

  #record(existing: SessionRecord | undefined): SessionRecord {
    const { agent, sessionId, cwd, getToolSchemas } = this.#options;
    const systemPrompt = agent.getSystemMessage();
    return {
      ...existing,
      id: sessionId,
      cwd: existing?.cwd ?? cwd,
      createdAt: existing?.createdAt ?? this.#createdAt,
      updatedAt: new Date().toISOString(),
      messages: agent.getHistory(),
      history: agent.getFullHistory(),
      ...(systemPrompt !== null && { systemPrompt }),
      toolSchemas: [...getToolSchemas()],
      ...this.#fields,
    };
  }

  /** Read once: what an earlier run of the session knew and this one does not. */
  #load(): Promise<SessionRecord | undefined> {
    this.#existing ??= this.#readExisting();
    return this.#existing;
  }

  async #readExisting(): Promise<SessionRecord | undefined> {
    const { store, sessionId } = this.#options;
    let existing: SessionRecord | undefined;
    await this.#tell(async () => {
      existing = await store?.load?.(sessionId);
    });
    if (existing === undefined) return undefined;
    // The conversation comes from the agent; keeping the old one would only hold memory.
    return { ...existing, messages: [], history: [] };
  }

  async #tell(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.onNotice?.({
        level: 'warning',
        message: `Session ${this.#options.sessionId} is not being saved: ${reason}`,
      });
    }
  }
}
