import type { Message, PermissionMode } from '@robota-sdk/agent-core';
import { emptySessionState, SessionFold } from '@robota-sdk/agent-core/log';
import {
  assertSessionId,
  type EntryListener,
  openSecrets,
  type PermissionHandler,
  type PromptExtras,
  REOPEN_GAP,
  type Session,
  type SessionRecord,
  type SessionSecrets,
} from '@robota-sdk/agent-session';
import { BlocksFold } from '@robota-sdk/agent-transcript/blocks';
import type { ExtensionHost } from '../assembly/session-extension.ts';
import { type AssembledSession, assembleEngine } from '../assembly/session-factory.ts';
import { cutAt } from '../records/fork-at.ts';
import { logFileOf, type OpenedSession, openSession } from '../records/open-session.ts';
import { settleBackgroundTasks } from '../records/settle-background-tasks.ts';
import { InjectedSession } from './injected-session.ts';
import type { InteractiveSessionOptions } from './options.ts';
import { type SessionPlace, sessionPlaceOf } from './session-place.ts';
import type { SessionPort } from './session-port.ts';

export interface SessionLifecycleParts {
  readonly options: InteractiveSessionOptions;
  readonly onEntry: EntryListener;
  readonly permissionHandler: PermissionHandler;
  /** Saves a rule that a user allowed for the project. */
  readonly onProjectGrant: (pattern: string) => void;
  readonly host: Omit<ExtensionHost, 'record' | 'log' | 'relay'>;
  readonly onNotice: (kind: string, message: string) => void;
  readonly onAssembled: (assembled: AssembledSession) => void;
}

/** Changes requested before the session exists; applied once it does. */
interface PendingChanges {
  permissionMode?: PermissionMode | undefined;
  model?: string | undefined;
  language?: string | undefined;
  systemPrompt?: string | undefined;
  name?: string | undefined;
}

/** Loads a session to resume, assembles it on first use and shuts it down once. */
export class SessionLifecycle {
  readonly sessionId: string;
  readonly #parts: SessionLifecycleParts;
  readonly #place: SessionPlace;
  readonly #pending: PendingChanges;
  readonly #fields: Partial<SessionRecord> = {};
  #fold: SessionFold;
  #blocks = new BlocksFold();
  #opened: OpenedSession | undefined;
  #openedAt = 0;
  #port: SessionPort | undefined;
  #engine: Session | undefined;
  #injected: InjectedSession | undefined;
  #assembled: AssembledSession | undefined;
  #starting: Promise<SessionPort> | undefined;
  #ending: Promise<void> | undefined;

  constructor(parts: SessionLifecycleParts) {
    this.#parts = parts;
    const { options } = parts;
    this.#place = sessionPlaceOf(options);
    this.sessionId = this.#place.sessionId;
    this.#pending = options.sessionName === undefined ? {} : { name: options.sessionName };
    this.#fold = new SessionFold({ ...emptySessionState(), sessionId: this.sessionId });
    this.#port = options.session;
    this.#openSynchronously();
  }

  /** A ready-made session needs no assembly, unless its saved state is still loading. */
  begin(): void {
    const { session, cwd, resumeSessionId } = this.#parts.options;
    const isLoaded = resumeSessionId === undefined || this.#opened !== undefined;
    if (session && cwd !== undefined && isLoaded) this.#inject(session);
  }

  get fold(): SessionFold {
    return this.#fold;
  }

  get blocks(): BlocksFold {
    return this.#blocks;
  }

  /** The session, once it is assembled. */
  get port(): SessionPort | undefined {
    return this.#port;
  }

  get engine(): Session | undefined {
    return this.#engine;
  }

  get injected(): InjectedSession | undefined {
    return this.#injected;
  }

  get assembled(): AssembledSession | undefined {
    return this.#assembled;
  }

  /** Why this session is not being saved; undefined while it is, or when it is not meant to be. */
  get saveProblem(): string | undefined {
    return this.#engine?.getSaveProblem() ?? this.#injected?.saveProblem;
  }

  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  get pending(): Readonly<PendingChanges> {
    return this.#pending;
  }

  /** Whether the session is stored, so that reopening it continues the entry numbers. */
  get isKept(): boolean {
    const { store, logger, mayWrite } = this.#place;
    return mayWrite && (store !== undefined || logger !== undefined);
  }

  /** Lower bound of new entry numbers, with a gap because a crash may have lost entries it had already emitted. */
  get firstNumber(): number {
    if (!this.#opened || this.#parts.options.forkSession) return 0;
    return this.#openedAt + REOPEN_GAP;
  }

  /** Assembles the session; after a failure the next call tries again. */
  start(): Promise<SessionPort> {
    this.#starting ??= this.#assemble().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /** Runs a prompt; `start` must have resolved. */
  run(message: string, rawInput: string | undefined, extras: PromptExtras): Promise<string> {
    const session = this.#engine ?? this.#injected;
    if (!session) return Promise.reject(new Error('The session is not assembled yet.'));
    return session.run(message, rawInput, extras);
  }

  /** Like `start`, but a read-only session is loaded without being assembled. */
  async ready(): Promise<void> {
    if (this.#parts.options.readOnly) await this.#open();
    else await this.start();
  }

  change(changes: PendingChanges): void {
    if (this.#port) this.#apply(this.#port, changes);
    else Object.assign(this.#pending, changes);
  }

  /** Never rejects: a failing store is reported as a notice. */
  async save(): Promise<void> {
    if (this.#engine) await this.#engine.updateRecord({});
    else await this.#injected?.save();
  }

  end(reason: string | undefined, idle: () => Promise<void>): Promise<void> {
    this.#ending ??= this.#end(reason, idle);
    return this.#ending;
  }

  async #assemble(): Promise<SessionPort> {
    const { options, onNotice } = this.#parts;
    if (options.readOnly) throw readOnlyError(this.sessionId);
    await this.#open();
    if (options.session) return this.#injected ? options.session : this.#inject(options.session);
    await this.#refuseTakenId();
    const { store, logger, logDirectory, mayWrite } = this.#place;
    const assembled = await assembleEngine({
      options,
      sessionId: this.sessionId,
      fold: this.#fold,
      blocks: () => this.#blocks,
      opened: this.#opened,
      logger,
      store: mayWrite ? store : undefined,
      logDirectory: mayWrite ? logDirectory : undefined,
      host: { ...this.#parts.host, ...this.#recordHost() },
      callbacks: {
        onEntry: this.#parts.onEntry,
        permissionHandler: this.#parts.permissionHandler,
        onProjectGrant: this.#parts.onProjectGrant,
        onNotice: ({ kind, message }) => {
          if (kind === 'not_saved') onNotice(kind, message);
        },
      },
    });
    this.#assembled = assembled;
    this.#engine = assembled.session;
    this.#port = assembled.session;
    await this.#restoreFiles(assembled);
    assembled.session.setRecordFields(this.#fields);
    this.#applyPending(assembled.session);
    this.#parts.onAssembled(assembled);
    return assembled.session;
  }

  /** A fork inherits the original's snapshots; a resumed session settles file changes that a crash interrupted. */
  async #restoreFiles({ files }: AssembledSession): Promise<void> {
    if (!files || !this.#opened) return;
    const { state } = this.#opened.fold;
    if (this.#parts.options.forkSession) files.inherit(this.#opened.id, state);
    else await files.recover(state);
  }

  /** Wraps a ready-made session, so that its entries and record are kept here. */
  #inject(session: SessionPort): SessionPort {
    const { options, onEntry, onNotice } = this.#parts;
    if (options.cwd === undefined) {
      throw new Error('cwd is not set — provide cwd in session options');
    }
    const { store, mayWrite } = this.#place;
    const injected = new InjectedSession({
      session,
      cwd: options.cwd,
      fold: this.#fold,
      onEntry,
      store: mayWrite ? store : undefined,
      saved: this.#opened?.record,
      secrets: this.#secretsOf(this.sessionId),
      onNotice: ({ kind = 'session', message }) => onNotice(kind, message),
    });
    this.#injected = injected;
    if (this.#pending.name !== undefined) injected.rename(this.#pending.name);
    return session;
  }

  /** A new session never overwrites a saved one. */
  async #refuseTakenId(): Promise<void> {
    const { sessionId } = this.#parts.options;
    if (sessionId === undefined || this.#isResumed()) return;
    if (!(await this.#place.store?.load(sessionId))) return;
    const message = `A session with the id ${sessionId} is saved already; resume it or choose another id.`;
    throw Object.assign(new Error(message), { code: 'session_exists' });
  }

  #isResumed(): boolean {
    const { resumeSessionId, forkSession } = this.#parts.options;
    return resumeSessionId !== undefined && !forkSession;
  }

  /** A synchronous store makes the history available before the first prompt; `start` reports a failure. */
  #openSynchronously(): void {
    const { resumeSessionId } = this.#parts.options;
    if (resumeSessionId === undefined) return;
    try {
      const opened = this.#read(resumeSessionId);
      if (opened instanceof Promise) opened.catch(() => undefined);
      else this.#adopt(opened);
    } catch {
      // `start` reads again and rejects with the reason.
    }
  }

  async #open(): Promise<void> {
    const { resumeSessionId } = this.#parts.options;
    if (resumeSessionId === undefined || this.#opened) return;
    this.#adopt(await this.#read(resumeSessionId));
  }

  #read(id: string): OpenedSession | Promise<OpenedSession> {
    assertSessionId(id);
    return openSession(id, this.#place);
  }

  #adopt(opened: OpenedSession): void {
    const { options, onNotice } = this.#parts;
    if (options.forkSession && options.forkAt !== undefined) {
      cutAt(opened, options.forkAt, logFileOf(opened.id, this.#place));
    }
    this.#opened = opened;
    this.#openedAt = opened.fold.state.n;
    this.#blocks = opened.blocks;
    this.#fold = options.forkSession ? forkedFold(opened.fold, this.sessionId) : opened.fold;
    const { backgroundTasks } = opened.record;
    if (backgroundTasks && !options.forkSession) {
      this.#fields.backgroundTasks = settleBackgroundTasks(backgroundTasks);
    }
    if (opened.problem) onNotice('restore', opened.problem.message);
    const { turn, grants } = opened.fold.state;
    if (turn) onNotice('restore', `The last turn of session ${opened.id} was cut off.`);
    if (grants.length > 0 && !options.forkSession) {
      const list = grants.join(', ');
      onNotice('grants', `Allowed earlier in this session and not any more: ${list}.`);
    }
    if (options.session) {
      const { messages } = this.#secretsOf(opened.id).restoreState(opened.fold.state);
      restoreConversation(options.session, messages);
    }
  }

  /** The secrets of a session that has a store but no log. */
  #secretsOf(id: string): SessionSecrets {
    const { vault } = this.#parts.options;
    const { store: sessionStore } = this.#place;
    return openSecrets({ sessionStore, vault }, id).own;
  }

  #recordHost(): Pick<ExtensionHost, 'record' | 'log' | 'relay'> {
    return {
      record: {
        get: (field) =>
          this.#engine?.getRecordField(field) ??
          this.#fields[field] ??
          (this.#parts.options.forkSession ? undefined : this.#opened?.record[field]),
        set: (field, value) => {
          this.#fields[field] = value;
          this.#engine?.setRecordFields({ [field]: value });
        },
        save: () => {
          if (!this.#isUnused()) void this.save();
        },
      },
      log: (event, fields) => this.#engine?.logEvent(event, fields),
      relay: (entry) => this.#engine?.relay(entry),
    };
  }

  /** A new session without a name or any history is not worth saving. */
  #isUnused(): boolean {
    const { timeline, name } = this.#fold.state;
    return !this.#isResumed() && name === undefined && timeline.length === 0;
  }

  /** Whether the requested mode is forbidden is known only now; if so, the actual mode is set again to emit it. */
  #applyPending(session: Session): void {
    const { permissionMode, ...others } = this.#pending;
    this.#apply(session, others);
    try {
      if (permissionMode) session.setPermissionMode(permissionMode);
    } catch (error) {
      this.#parts.onNotice('permissions', (error as Error).message);
    }
    const requested = permissionMode ?? this.#requestedMode();
    const mode = session.getPermissionMode();
    if (requested !== undefined && requested !== mode) session.setPermissionMode(mode);
  }

  #requestedMode(): PermissionMode | undefined {
    const { options } = this.#parts;
    return options.session ? undefined : options.permissionMode;
  }

  #apply(port: SessionPort, changes: PendingChanges): void {
    const { permissionMode, model, language, systemPrompt, name } = changes;
    if (permissionMode) port.setPermissionMode(permissionMode);
    if (model) port.setModel?.(model);
    const prompt = systemPrompt ?? (language && this.#assembled?.promptIn(language));
    if (prompt) port.updateSystemMessage?.(prompt);
    if (name !== undefined) this.#rename(name);
  }

  #rename(name: string): void {
    if (this.#engine) void this.#engine.rename(name);
    else if (this.#injected) {
      this.#injected.rename(name);
      void this.#injected.save();
    } else this.#pending.name = name;
  }

  async #end(reason: string | undefined, idle: () => Promise<void>): Promise<void> {
    this.#port?.abort();
    await idle();
    await this.#starting?.catch(() => undefined);
    // Extensions stop their work first, so that the record contains how it ended.
    await this.#assembled?.contributions.dispose();
    await this.#snapshotSandbox();
    if (!this.#engine && this.#isResumed() && this.#pending.name !== undefined) await this.start();
    // A session with `shutdown` saves itself there, before its SessionEnd hooks run.
    if (this.#port?.shutdown) await this.#port.shutdown(reason === undefined ? {} : { reason });
    else await this.#injected?.save();
    await this.#place.logger?.close?.(this.sessionId);
  }

  async #snapshotSandbox(): Promise<void> {
    const { options } = this.#parts;
    if (options.session || !this.#engine || !options.sandbox?.snapshot) return;
    this.#engine.setRecordFields({ sandboxSnapshotId: await options.sandbox.snapshot() });
  }
}

/** Restores a ready-made session; without `restoreMessages`, tool calls and their results are dropped together. */
function restoreConversation(session: SessionPort, saved: readonly Message[]): void {
  const messages = saved.filter(({ role }) => role !== 'system');
  if (session.restoreMessages) {
    session.restoreMessages(messages);
    return;
  }
  for (const message of messages) {
    if (message.role === 'tool' || !message.content) continue;
    session.injectMessage(message.role, message.content);
  }
}

/** A copy of another session's state without its usage, grants, questions and rewinds. */
function forkedFold({ state }: SessionFold, sessionId: string): SessionFold {
  const {
    usage: _usage,
    grants: _grants,
    questions: _questions,
    rewinds: _rewinds,
    ...inherited
  } = state;
  return new SessionFold({
    ...emptySessionState(),
    ...structuredClone(inherited),
    n: 0,
    sessionId,
  });
}

function readOnlyError(id: string): Error {
  return Object.assign(new Error(`Session ${id} is open read-only; fork it to continue.`), {
    code: 'session_read_only',
  });
}
