import type {
  ContextWindowState,
  HistoryEntry,
  InjectedMessageFields,
  Message,
  MessageRole,
  PermissionMode,
  Tool,
  ToolSchema,
} from '@robota-sdk/agent-core';
import type { Entry, ModelTally, Rewind, TurnEnd } from '@robota-sdk/agent-core/log';
import { pinnedText } from './context/compaction-orchestrator.ts';
import type { AutoCompactThreshold } from './context/context-window-tracker.ts';
import { checkModeSwitch } from './permissions/permission-mode.ts';
import { diskProblemOf } from './records/save-failure.ts';
import type { SessionRecord } from './records/session-record.ts';
import type { WriterLock } from './records/writer-lock.ts';
import {
  type RestoreFiles,
  type RewindRequest,
  rewindSession,
  uncompactSession,
  undoLastRewind,
} from './rewind.ts';
import { runTurn } from './run-turn.ts';
import { assembleSession, beginLog, type SessionParts, schemasOf } from './session-assembly.ts';
import { SessionBounds } from './session-bounds.ts';
import { hasErrorCode, isFenced, sessionError } from './session-error.ts';
import type {
  PromptExtras,
  SessionIdentity,
  SessionOptions,
  SessionShutdownOptions,
} from './session-options.ts';
import { runShellLine, type ShellLine } from './shell-line.ts';

/** A conversation with an agent, with permissions, hooks, log and saved record. Runs one operation at a time. */
export class Session implements SessionIdentity {
  readonly sessionId: string;
  readonly #parts: SessionParts;
  readonly #lock: WriterLock | undefined;
  readonly #bounds: SessionBounds;
  #running: AbortController | undefined;
  #settled: Promise<unknown> = Promise.resolve();
  #shutdown: Promise<void> | undefined;
  #messageCount = 0;

  constructor(options: SessionOptions) {
    const parts = assembleSession(options);
    this.#parts = parts;
    this.sessionId = parts.sessionId;
    options.provider.configureNativeWebTools?.({ webSearch: true });
    this.#lock = lockSession(options, parts.sessionId);
    this.#messageCount = parts.fold.state.answers;
    this.#lock?.lost?.addEventListener('abort', () => this.abort(), { once: true });
    beginLog(parts);
    this.#bounds = new SessionBounds(parts.hooks, options);
    this.#bounds.begin();
  }

  /** Resolves with the answer to `message`. Rejects when there is none, and with an AbortError after `abort`. */
  run(message: string, rawInput?: string, extras: PromptExtras = {}): Promise<string> {
    return this.#claim(async (controller) => {
      let stopped: string | undefined;
      const { turn, records, log } = this.#parts;
      turn.stop = (reason) => {
        stopped ??= reason;
        controller.abort();
      };
      const takeStartContext = () => this.#bounds.takeStartContext(controller.signal);
      const input = { message, rawInput, extras, controller, stopReason: () => stopped };
      try {
        const { response } = await runTurn({ ...this.#parts, takeStartContext }, input);
        this.#messageCount += 1;
        return response;
      } finally {
        turn.stop = undefined;
        records.touch();
        await records.save();
        log.sync();
      }
    });
  }

  /** Runs a command the user typed and adds it, with its output, to the conversation. */
  runShellLine(command: string): Promise<ShellLine> {
    return this.#claim(async ({ signal }) => {
      const { records, log } = this.#parts;
      try {
        return await runShellLine(this.#parts, command, signal);
      } finally {
        records.touch();
        await records.save();
        log.sync();
      }
    });
  }

  /** How the last run ended; undefined before the first. */
  getLastTurn(): TurnEnd | undefined {
    return this.#parts.fold.state.lastTurn;
  }

  /** Replaces the conversation with a summary; the system message stays. */
  async compact(instructions?: string): Promise<void> {
    await this.#claim(async ({ signal }) => {
      const { context, records } = this.#parts;
      if (!(await context.compact({ trigger: 'manual', instructions, signal }))) return;
      records.touch();
      await records.save();
    });
  }

  /** Restores the state before a prompt: conversation, files, or both. Can be undone. */
  rewind(request: RewindRequest): Promise<Rewind> {
    return this.#changeHistory(() => rewindSession(this.#parts, request));
  }

  /** Undoes the latest rewind, as long as no prompt followed it; a rewind of files alone also later. */
  undoRewind(restore?: RestoreFiles): Promise<Rewind> {
    return this.#changeHistory(() => undoLastRewind(this.#parts, restore));
  }

  /** Restores the messages that the latest summary replaced. */
  uncompact(): Promise<number> {
    return this.#changeHistory(async () => {
      const messages = uncompactSession(this.#parts);
      this.#parts.context.holdOff();
      return messages;
    });
  }

  /** Keeps a fact through every compaction and adds it to the conversation now. */
  pin(text: string): void {
    const { log, agent, records, fold } = this.#parts;
    if (fold.state.pins.includes(text)) return;
    void log.append('pinned', { text });
    agent.injectMessage('user', pinnedText([text]));
    records.touch();
  }

  unpin(text: string): void {
    void this.#parts.log.append('unpinned', { text });
    this.#parts.records.touch();
  }

  getPins(): readonly string[] {
    return this.#parts.fold.state.pins;
  }

  /** Cancels the running operation, if any. */
  abort(): void {
    this.#running?.abort();
  }

  isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Ends the session; repeated calls return the same promise. */
  shutdown(options: SessionShutdownOptions = {}): Promise<void> {
    this.#shutdown ??= this.#end(options.reason ?? 'other');
    return this.#shutdown;
  }

  getSessionId(): string {
    return this.sessionId;
  }

  getCwd(): string {
    return this.#parts.cwd;
  }

  /** Number of runs with an answer. */
  getMessageCount(): number {
    return this.#messageCount;
  }

  getPermissionMode(): PermissionMode {
    return this.#parts.mode.current;
  }

  /** Throws with the code `mode_forbidden` if the settings forbid `bypassPermissions`. */
  setPermissionMode(mode: PermissionMode): void {
    checkModeSwitch(mode, this.#parts.options);
    this.#parts.mode.current = mode;
    void this.#parts.log.append('permission_mode_changed', { mode });
  }

  getSessionAllowedTools(): string[] {
    return this.#parts.enforcer.getSessionAllowedTools();
  }

  clearSessionAllowedTools(): void {
    this.#parts.enforcer.clearSessionAllowedTools();
  }

  /** Revokes one grant; false when it was not allowed. */
  revokeSessionGrant(grant: string): boolean {
    return this.#parts.enforcer.revokeSessionGrant(grant);
  }

  /** Keeps the system message. */
  clearHistory(): void {
    const { agent, context, tracker, records } = this.#parts;
    agent.clearHistory();
    tracker.reset();
    records.touch();
    context.reconcile();
    void records.save();
  }

  getHistory(): Message[] {
    return this.#parts.agent.getHistory();
  }

  /** The timeline for users: messages and events, in order. */
  getFullHistory(): HistoryEntry[] {
    return [...this.#parts.fold.state.timeline];
  }

  addHistoryEntry(entry: HistoryEntry): void {
    const { agent, log, records } = this.#parts;
    agent.addHistoryEntry(entry);
    records.touch();
    if (entry.category === 'event') void log.append('history_entry', { entry });
  }

  /** Adds a message without asking the model. */
  injectMessage(role: MessageRole, content: string, fields?: InjectedMessageFields): void {
    this.#parts.agent.injectMessage(role, content, fields);
    this.#parts.records.touch();
  }

  /** Replaces the history with a saved conversation, including tool calls, results and thinking. */
  restoreMessages(messages: readonly Message[]): void {
    this.#parts.agent.restoreMessages(messages);
    this.#parts.records.touch();
  }

  /** Keeps the first `length` messages, including the system message. */
  truncateHistory(length: number): void {
    this.#parts.agent.truncateHistory(length);
    this.#parts.records.touch();
    void this.#parts.records.save();
  }

  getContextState(): ContextWindowState {
    return this.#parts.context.state();
  }

  getAutoCompactThreshold(): AutoCompactThreshold {
    return this.#parts.tracker.getAutoCompactThreshold();
  }

  setAutoCompactThreshold(threshold: AutoCompactThreshold): void {
    this.#parts.tracker.setAutoCompactThreshold(threshold);
  }

  getSystemMessage(): string | null {
    return this.#parts.agent.getSystemMessage();
  }

  updateSystemMessage(text: string): void {
    this.#parts.agent.setSystemMessage(text);
    this.#parts.records.touch();
  }

  getToolSchemas(): ToolSchema[] {
    return schemasOf(this.#parts.agent);
  }

  /** Replaces the tools from the next request on; the same permission checks apply. */
  setTools(tools: readonly Tool[]): void {
    const { agent, enforcer, records } = this.#parts;
    agent.setTools(enforcer.wrapTools(tools));
    records.touch();
  }

  getModel(): string {
    return this.#parts.agent.getModel();
  }

  setModel(model: string): void {
    const { agent, tracker, log, records } = this.#parts;
    agent.setModel(model);
    tracker.setModel(model);
    records.touch();
    void log.append('model_changed', { model, provider: agent.getProvider().name });
  }

  /** Requests and tokens of each model in this session, by cause. */
  getUsage(): readonly ModelTally[] {
    return Object.values(this.#parts.fold.state.usage);
  }

  /** Why this session is not being saved and what to do about it; undefined while it is. */
  getSaveProblem(): string | undefined {
    const { log, records } = this.#parts;
    return records.problem ?? log.problem;
  }

  async rename(name: string): Promise<void> {
    void this.#parts.log.append('session_renamed', { name });
    await this.updateRecord({});
  }

  /** Sets record fields of higher layers and saves the record. */
  async updateRecord(fields: Partial<SessionRecord>): Promise<void> {
    this.setRecordFields(fields);
    await this.#parts.records.saveNow();
  }

  /** Like `updateRecord`, but written with the next save. */
  setRecordFields(fields: Partial<SessionRecord>): void {
    this.#parts.records.set(fields);
  }

  getRecordField(field: string): unknown {
    return this.#parts.records.get(field);
  }

  /** Logs an entry of a higher layer. */
  logEvent(event: string, data: Record<string, unknown>): void {
    void this.#parts.log.append(event, data);
  }

  /** Settles when every entry so far is written and emitted. */
  whenWritten(): Promise<void> {
    return this.#parts.log.idle();
  }

  /** Emits an entry that is logged elsewhere, such as a subagent's. */
  relay(entry: Entry): void {
    this.#parts.log.relay(entry);
  }

  #changeHistory<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#claim(async () => {
      const { records, context } = this.#parts;
      const result = await work();
      context.reconcile();
      records.touch();
      await records.save();
      return result;
    });
  }

  /** Runs `work` exclusively; rejects when the session is busy, shut down or locked. */
  #claim<Result>(work: (controller: AbortController) => Promise<Result>): Promise<Result> {
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    const controller = new AbortController();
    this.#running = controller;
    const result = work(controller).finally(() => {
      this.#running = undefined;
    });
    this.#settled = result.catch(() => undefined);
    return result;
  }

  #refusal(): Error | undefined {
    if (this.#shutdown) return new Error(`Session ${this.sessionId} is shut down.`);
    if (this.#running) {
      return sessionError(
        'session_busy',
        `Session ${this.sessionId} is already running; wait for it to finish or abort it.`,
      );
    }
    if (this.#lock?.isHeld() === false) {
      return sessionError(
        'session_locked',
        `Session ${this.sessionId} was taken over by another writer.`,
      );
    }
    return undefined;
  }

  async #end(reason: string): Promise<void> {
    const { log, records } = this.#parts;
    this.abort();
    try {
      await log.append('session_shutdown', { reason });
    } catch (error) {
      // Another writer owns the session now and logs its end.
      if (!isFenced(error)) throw error;
    }
    await this.#settled;
    await records.finish();
    // After saving, so that a hook that reads the record sees the last turn.
    const last = this.getHistory().findLast((message) => message.role === 'assistant');
    await this.#bounds.end(reason, last?.content ?? undefined);
    await log.close();
    this.#lock?.release();
  }
}

/** Acquires the writer lock; a session that cannot be written needs none. */
function lockSession(
  { sessionStore, sessionLogger }: SessionOptions,
  sessionId: string,
): WriterLock | undefined {
  try {
    return (sessionStore?.lock ? sessionStore : sessionLogger)?.lock?.(sessionId);
  } catch (error) {
    const isFromStore = sessionStore?.lock !== undefined;
    if (hasErrorCode(error, 'session_locked')) throw error;
    // A read-only disk has no other writer either; saving reports the problem.
    if (isFromStore && diskProblemOf(error) === undefined) throw error;
    return undefined;
  }
}
