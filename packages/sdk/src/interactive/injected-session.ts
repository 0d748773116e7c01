import {
  createAssistantMessage,
  createUserMessage,
  type HistoryEntry,
  type Message,
} from '@robota-sdk/agent-core';
import type { SessionFold } from '@robota-sdk/agent-core/log';
import {
  type EntryListener,
  EntryLog,
  isAbortError,
  type PromptExtras,
  RecordKeeper,
  type SessionRecord,
  type SessionRecordStore,
  type SessionSecrets,
} from '@robota-sdk/agent-session';
import type { SessionPort } from './session-port.ts';

export interface InjectedSessionParts {
  readonly session: SessionPort;
  readonly cwd: string;
  readonly fold: SessionFold;
  readonly onEntry: EntryListener;
  readonly store: SessionRecordStore | undefined;
  readonly saved: SessionRecord | undefined;
  readonly secrets: SessionSecrets;
  readonly onNotice: (notice: {
    readonly kind?: string | undefined;
    readonly message: string;
  }) => void;
}

/**
 * Wraps a ready-made session. Such a session reports no entries of its own, so its prompts and answers become entries
 * here, and its record is saved here.
 */
export class InjectedSession {
  readonly #parts: InjectedSessionParts;
  readonly #log: EntryLog;
  readonly #records: RecordKeeper;

  constructor(parts: InjectedSessionParts) {
    const { session, cwd, fold, store, saved, secrets } = parts;
    this.#parts = parts;
    const sessionId = session.getSessionId();
    this.#log = new EntryLog({ sessionId, secrets });
    this.#log.subscribe((entry) => fold.apply(entry));
    this.#log.subscribe(parts.onEntry);
    void this.#log.append('session_init', {
      cwd,
      systemPrompt: session.getSystemMessage?.() ?? undefined,
      model: session.getModel?.(),
    });
    this.#records = new RecordKeeper({
      sessionId,
      cwd,
      log: this.#log,
      fold,
      getMessages: () => session.getHistory(),
      getToolSchemas: () => session.getToolSchemas?.() ?? [],
      store,
      logger: undefined,
      secrets,
      saved,
      onNotice: parts.onNotice,
    });
  }

  async run(message: string, rawInput?: string, extras: PromptExtras = {}): Promise<string> {
    const { session } = this.#parts;
    const { display = message, prepare } = extras;
    void this.#log.append('prompt', { display, origin: 'user' });
    try {
      const sent = (await prepare?.()) ?? { message, rawInput };
      this.#appendMessage(createUserMessage(sent.message));
      const response = await session.run(sent.message, sent.rawInput);
      if (response === '') throw emptyReply();
      this.#appendMessage(createAssistantMessage(response));
      void this.#log.append('turn_end', { status: 'completed', endedBy: 'answer', response });
      return response;
    } catch (error) {
      if (isAbortError(error)) this.#appendInterrupted();
      void this.#log.append('turn_end', endOf(error));
      throw error;
    } finally {
      await this.save();
    }
  }

  /** Why the record cannot be saved; undefined while it can. */
  get saveProblem(): string | undefined {
    return this.#records.problem;
  }

  addHistoryEntry(entry: HistoryEntry): void {
    void this.#log.append('history_entry', { entry });
  }

  clear(): void {
    this.#parts.session.clearHistory();
    void this.#log.append('history_mutation', { mutation: 'clear' });
  }

  rename(name: string): void {
    void this.#log.append('session_renamed', { name });
  }

  setRecordFields(fields: Partial<SessionRecord>): void {
    this.#records.set(fields);
  }

  save(): Promise<void> {
    this.#records.touch();
    return this.#records.saveNow();
  }

  /** Logs the text that had arrived before the abort. */
  #appendInterrupted(): void {
    const text = textSinceLastPrompt(this.#parts.session.getHistory());
    if (text !== '') this.#appendMessage(createAssistantMessage(text, { state: 'interrupted' }));
  }

  #appendMessage(message: object): void {
    const fields = { mutation: 'append_message', message };
    void this.#log.append('history_mutation', fields);
  }
}

function endOf(error: unknown): Record<string, unknown> {
  if (isAbortError(error)) return { status: 'interrupted', endedBy: 'abort' };
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error as { readonly code?: unknown };
  return { status: 'failed', endedBy: code === 'empty_reply' ? code : 'error', message };
}

function emptyReply(): Error {
  const error = new Error('The model ended its reply without saying anything. Try again.');
  return Object.assign(error, { code: 'empty_reply' });
}

/** The assistant's texts since the last prompt, joined by blank lines. */
export function textSinceLastPrompt(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const message of messages.toReversed()) {
    if (message.role === 'user') break;
    if (message.role === 'assistant' && message.content) texts.unshift(message.content);
  }
  return texts.join('\n\n');
}
