import type { HistoryEntry, Message, PermissionMode, ToolSchema } from '@robota-sdk/agent-core';
import { assertSessionId, type SessionRecordStore } from '@robota-sdk/agent-session';
import type { SessionListeners } from '../assembly/create-session.ts';
import type { SessionDoors } from '../assembly/session-extension.ts';
import { loadSavedSession, type SavedSession } from '../records/load-saved-session.ts';
import type { InteractiveSessionOptions } from './options.ts';
import { SessionPersistence } from './session-persistence.ts';
import { type SessionPlace, sessionPlaceOf } from './session-place.ts';
import type { SessionPort } from './session-port.ts';
import { type AssembledSession, assembleSession, restoreConversation } from './session-source.ts';

export interface SessionLifeParts {
  readonly options: InteractiveSessionOptions;
  readonly listeners: SessionListeners;
  readonly doors: Omit<SessionDoors, 'record'>;
  readonly onSaved: (saved: SavedSession) => void;
  readonly onAssembled: (assembled: AssembledSession) => void;
  readonly onNotSaved: (error: Error) => void;
  /** The timeline, live. */
  readonly history: () => readonly HistoryEntry[];
  readonly isExecuting: () => boolean;
}

/** Changes asked for while the session is not there yet, or made to it when it is. */
interface Wishes {
  mode?: PermissionMode;
  model?: string;
  language?: string;
  systemPrompt?: string;
}

/** From nothing to a standing session and back: put together on first use, saved, shut down once. */
export class SessionLife {
  readonly sessionId: string;
  readonly persistence: SessionPersistence;
  readonly #parts: SessionLifeParts;
  readonly #place: SessionPlace;
  readonly #wishes: Wishes = {};
  #saved: SavedSession | undefined;
  #port: SessionPort | undefined;
  #assembled: AssembledSession | undefined;
  #starting: Promise<SessionPort> | undefined;
  #ending: Promise<void> | undefined;

  constructor(parts: SessionLifeParts) {
    this.#parts = parts;
    const { options } = parts;
    this.#place = sessionPlaceOf(options);
    const { sessionId, store, logger, mayWrite } = this.#place;
    this.sessionId = sessionId;
    this.persistence = new SessionPersistence(
      {
        store: mayWrite ? store : undefined,
        logger,
        sessionId,
        cwd: options.cwd,
        onFailure: parts.onNotSaved,
      },
      options.sessionName,
    );
    this.#port = options.session;
    this.#restoreIfAtHand();
  }

  /** The session, once it stands. */
  get port(): SessionPort | undefined {
    return this.#port;
  }

  get assembled(): AssembledSession | undefined {
    return this.#assembled;
  }

  get saved(): SavedSession | undefined {
    return this.#saved;
  }

  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  get wishes(): Readonly<Wishes> {
    return this.#wishes;
  }

  /** Puts the session together; after a failure the next call tries again. */
  start(): Promise<SessionPort> {
    this.#starting ??= this.#assemble().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /** The session that stands, or the one that will. */
  async stand(): Promise<SessionPort> {
    return this.#port ?? (await this.start());
  }

  /** Like `start`, but a session that is only looked at needs nothing but its past. */
  async ready(): Promise<void> {
    if (this.#parts.options.readOnly) await this.#load();
    else await this.start();
  }

  wish(wish: Wishes): void {
    Object.assign(this.#wishes, wish);
    if (this.#port) this.#grant(this.#port, wish);
  }

  /** A session is on record before it is first asked, so that one killed in mid-turn is found again. */
  saveFirst(): Promise<void> | undefined {
    const hasLog = this.#parts.options.session === undefined;
    return hasLog && !this.persistence.hasRecord ? this.save() : undefined;
  }

  /** Never rejects; undefined when it was done at once. */
  save(): Promise<void> | undefined {
    if (this.#port) return this.persistence.save(snapshotOf(this.#port, this.#parts.history()));
    if (!this.#saved || this.#parts.options.forkSession) return undefined;
    const { messages, history, record } = this.#saved;
    const systemPrompt = record.systemPrompt ?? null;
    const toolSchemas = (record.toolSchemas ?? []) as ToolSchema[];
    return this.persistence.save({ messages, history, systemPrompt, toolSchemas });
  }

  end(reason: string | undefined, idle: () => Promise<void>): Promise<void> {
    this.#ending ??= this.#end(reason, idle);
    return this.#ending;
  }

  async #assemble(): Promise<SessionPort> {
    const { options } = this.#parts;
    if (options.readOnly) throw readOnlyError(this.sessionId);
    if (options.session) return this.#adoptInjected(options.session);
    await this.#refuseTakenId();
    const { store, logger, logDirectory, mayWrite } = this.#place;
    const assembled = await assembleSession({
      options,
      sessionId: this.sessionId,
      logger,
      store: store && mayWrite ? this.#recordStoreFor(store) : undefined,
      listeners: this.#parts.listeners,
      saved: () => this.#load(),
      doors: { ...this.#parts.doors, record: this.#record() },
      logDirectory: mayWrite ? logDirectory : undefined,
    });
    this.#assembled = assembled;
    this.#port = assembled.session;
    this.#grant(assembled.session, this.#wishes);
    this.#parts.onAssembled(assembled);
    return assembled.session;
  }

  /** A new session never takes the place of a saved one. */
  async #refuseTakenId(): Promise<void> {
    const { sessionId } = this.#parts.options;
    if (sessionId === undefined || sessionId !== this.sessionId) return;
    if (this.persistence.hasRecord || !(await this.#place.store?.load(sessionId))) return;
    const message = `A session with the id ${sessionId} is saved already; resume it or choose another id.`;
    throw Object.assign(new Error(message), { code: 'session_exists' });
  }

  async #adoptInjected(session: SessionPort): Promise<SessionPort> {
    if (this.#parts.options.cwd === undefined) {
      throw new Error('cwd is not set — provide cwd in session options');
    }
    await this.#load();
    return session;
  }

  /** A store that answers at once shows the past before the first prompt. */
  #restoreIfAtHand(): void {
    const { resumeSessionId } = this.#parts.options;
    if (resumeSessionId === undefined) return;
    const loaded = this.#tryRead(resumeSessionId);
    if (loaded instanceof Promise) loaded.catch(() => undefined);
    else if (loaded) this.#adopt(loaded);
  }

  /** A failure is told by `start`, which reads again. */
  #tryRead(id: string): SavedSession | Promise<SavedSession> | undefined {
    try {
      return this.#read(id);
    } catch {
      return undefined;
    }
  }

  async #load(): Promise<SavedSession | undefined> {
    const { resumeSessionId } = this.#parts.options;
    if (resumeSessionId === undefined || this.#saved) return this.#saved;
    this.#adopt(await this.#read(resumeSessionId));
    return this.#saved;
  }

  #read(id: string): SavedSession | Promise<SavedSession> {
    assertSessionId(id);
    return loadSavedSession(id, this.#place);
  }

  #adopt(saved: SavedSession): void {
    this.#saved = saved;
    this.persistence.adopt(saved.record, { isFork: this.#parts.options.forkSession === true });
    this.#parts.onSaved(saved);
    // A session that is there already gets its past now; one still to be assembled when it stands.
    if (this.#port) restoreConversation(this.#port, saved);
  }

  /** The engine's own saves: those of a turn are left to the end of the turn, when the timeline is whole. */
  #recordStoreFor(store: SessionRecordStore): SessionRecordStore {
    return {
      save: () => (this.#parts.isExecuting() || this.#isUnused() ? undefined : this.save()),
      load: (id) => store.load(id),
      list: () => store.list(),
      delete: (id) => store.delete(id),
      ...(store.getFilePath && { getFilePath: (id) => store.getFilePath?.(id) ?? '' }),
      ...(store.lock && { lock: store.lock.bind(store) }),
      ...(store.settle && { settle: store.settle.bind(store) }),
    };
  }

  #record(): SessionDoors['record'] {
    return {
      get: (field) => this.persistence.getField(field),
      set: (field, value) => this.persistence.setField(field, value),
      save: () => void (this.#parts.isExecuting() || this.#isUnused() ? undefined : this.save()),
    };
  }

  /** Nobody said anything: there is nothing to come back to. */
  #isUnused(): boolean {
    const { hasRecord, name } = this.persistence;
    return !hasRecord && name === undefined && this.#parts.history().length === 0;
  }

  #grant(port: SessionPort, { mode, model, language, systemPrompt }: Wishes): void {
    if (mode) port.setPermissionMode(mode);
    if (model) port.setModel?.(model);
    const prompt = systemPrompt ?? (language && this.#assembled?.promptIn(language));
    if (prompt) port.updateSystemMessage?.(prompt);
  }

  async #end(reason: string | undefined, idle: () => Promise<void>): Promise<void> {
    this.#port?.abort();
    await idle();
    await this.#starting?.catch(() => undefined);
    // What extensions have running ends first, so that the record says how.
    await this.#assembled?.contributions.dispose();
    await this.#snapshotSandbox();
    // A session that can shut down saves itself on the way, before its SessionEnd hooks.
    if (this.#port?.shutdown) await this.#port.shutdown(reason === undefined ? {} : { reason });
    else if (this.#port) await this.save();
    await this.#place.logger?.close?.(this.sessionId);
  }

  async #snapshotSandbox(): Promise<void> {
    const { options } = this.#parts;
    if (options.session || !this.#port || !options.sandbox?.snapshot) return;
    this.persistence.setField('sandboxSnapshotId', await options.sandbox.snapshot());
  }
}

function snapshotOf(port: SessionPort, history: readonly HistoryEntry[]) {
  const allowed = port.getSessionAllowedTools();
  return {
    messages: port.getHistory() as readonly Message[],
    history,
    systemPrompt: port.getSystemMessage(),
    toolSchemas: port.getToolSchemas(),
    model: port.getModel?.(),
    ...(allowed.length > 0 && { sessionAllowedTools: allowed }),
  };
}

function readOnlyError(id: string): Error {
  return Object.assign(new Error(`Session ${id} is open read-only; fork it to go on.`), {
    code: 'session_read_only',
  });
}
