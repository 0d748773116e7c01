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
import type { AutoCompactThreshold } from './context/context-window-tracker.ts';
import type { SessionRecord } from './records/session-record.ts';
import type { WriterLock } from './records/writer-lock.ts';
import { SessionBounds } from './session-bounds.ts';
import { sessionError } from './session-error.ts';
import type {
  PromptExtras,
  SessionIdentity,
  SessionOptions,
  SessionShutdownOptions,
} from './session-options.ts';
import {
  assembleSession,
  checkPermissionMode,
  type SessionParts,
  schemasOf,
} from './session-parts.ts';
import { runTurn } from './turn.ts';
import type { UsageEntry } from './usage-ledger.ts';

/** A conversation with an agent: guarded, watched, logged, saved. One thing at a time. */
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
    this.#lock = options.sessionStore?.lock?.(parts.sessionId);
    this.#logInit();
    this.#bounds = new SessionBounds(parts.hooks, options);
    this.#bounds.begin();
  }

  /** The answer to `message`. Rejects when the model fails, and with an AbortError after `abort`. */
  run(message: string, rawInput?: string, extras: PromptExtras = {}): Promise<string> {
    return this.#claim(async (controller) => {
      let stopped: string | undefined;
      this.#parts.turn.stop = (reason) => {
        stopped ??= reason;
        controller.abort();
      };
      const takeStartContext = () => this.#bounds.takeStartContext(controller.signal);
      const { parts } = extras;
      const input = { message, rawInput, parts, controller, stopReason: () => stopped };
      try {
        const response = await runTurn({ ...this.#parts, takeStartContext }, input);
        this.#messageCount += 1;
        return response;
      } finally {
        this.#parts.turn.stop = undefined;
        this.#parts.records.touch();
        await this.#parts.records.save();
        this.#parts.journal.sync();
      }
    });
  }

  /** Replaces the conversation by a summary of it; the system message stays. */
  async compact(instructions?: string): Promise<void> {
    await this.#claim(async ({ signal }) => {
      const { context, records } = this.#parts;
      if (!(await context.compact({ trigger: 'manual', instructions, signal }))) return;
      records.touch();
      await records.save();
    });
  }

  /** Cancels what is running; does nothing when nothing is. */
  abort(): void {
    this.#running?.abort();
  }

  isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Ends the session, once: later calls get the first one's promise. */
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

  /** How many runs came to their answer. */
  getMessageCount(): number {
    return this.#messageCount;
  }

  getPermissionMode(): PermissionMode {
    return this.#parts.mode.current;
  }

  setPermissionMode(mode: PermissionMode): void {
    this.#parts.mode.current = checkPermissionMode(mode);
  }

  getSessionAllowedTools(): string[] {
    return this.#parts.enforcer.getSessionAllowedTools();
  }

  clearSessionAllowedTools(): void {
    this.#parts.enforcer.clearSessionAllowedTools();
  }

  /** Keeps the system message. */
  clearHistory(): void {
    const { agent, context, tracker, records } = this.#parts;
    agent.clearHistory();
    tracker.reset();
    records.touch();
    context.reconcile();
    // Saved at once, so that what was cleared does not come back after a crash.
    void records.save();
  }

  getHistory(): Message[] {
    return this.#parts.agent.getHistory();
  }

  getFullHistory(): HistoryEntry[] {
    return this.#parts.agent.getFullHistory();
  }

  addHistoryEntry(entry: HistoryEntry): void {
    const { agent, journal, records } = this.#parts;
    agent.addHistoryEntry(entry);
    records.touch();
    if (entry.category === 'event') void journal.write('history_entry', { entry });
  }

  /** Adds to the conversation without asking the model. */
  injectMessage(role: MessageRole, content: string, fields?: InjectedMessageFields): void {
    this.#parts.agent.injectMessage(role, content, fields);
    this.#parts.records.touch();
  }

  /** Takes over a saved conversation with its tool calls, results and thinking. */
  restoreMessages(messages: readonly Message[]): void {
    this.#parts.agent.restoreMessages(messages);
    this.#parts.records.touch();
  }

  /** Goes back to the first `length` messages, the system message counted. */
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

  /** Replaces the tools from the next request on; they stand behind the same gate. */
  setTools(tools: readonly Tool[]): void {
    const { agent, enforcer, records } = this.#parts;
    agent.setTools(enforcer.wrapTools(tools));
    records.touch();
  }

  getModel(): string {
    return this.#parts.agent.getModel();
  }

  setModel(model: string): void {
    const { agent, tracker, journal } = this.#parts;
    agent.setModel(model);
    tracker.setModel(model);
    void journal.write('model_changed', { model });
  }

  /** Every answered model request of this session, once, with its cause. */
  getUsage(): readonly UsageEntry[] {
    return this.#parts.usage.list();
  }

  async rename(name: string): Promise<void> {
    void this.#parts.journal.write('session_renamed', { name });
    await this.updateRecord({ name });
  }

  /** Adds fields to the saved record that are not this session's own, and saves it. */
  async updateRecord(fields: Partial<SessionRecord>): Promise<void> {
    this.#parts.records.set(fields);
    await this.#parts.records.save();
  }

  /** Writes an event of a higher layer into this session's log. */
  logEvent(event: string, data: Record<string, string | number | boolean | object | null>): void {
    void this.#parts.journal.write(event, data);
  }

  /** Runs `work` as the only thing this session does. */
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

  #logInit(): void {
    const { agent, journal, options, cwd } = this.#parts;
    const { systemMessage } = options;
    void journal.write('session_init', {
      cwd,
      systemPrompt: systemMessage,
      systemPromptLength: systemMessage?.length ?? 0,
      provider: options.provider.name,
      model: agent.getModel(),
      toolSchemas: schemasOf(agent),
    });
  }

  async #end(reason: string): Promise<void> {
    const { journal, records } = this.#parts;
    this.abort();
    await journal.write('session_shutdown', { reason });
    await this.#settled;
    await records.finish();
    // After saving, so that a hook that reads the record sees the last turn.
    const last = this.getHistory().findLast((message) => message.role === 'assistant');
    await this.#bounds.end(reason, last?.content ?? undefined);
    await journal.close();
    this.#lock?.release();
  }
}
