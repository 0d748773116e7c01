import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type ContextWindowState,
  contextWindowState,
  getMessagesForAPI,
  getModelLimits,
  type HistoryEntry,
  type Message,
  type PermissionMode,
} from '@robota-sdk/agent-core';
import type { ToolState } from '@robota-sdk/agent-core/log';
import {
  type ConversationBlock,
  type ConversationState,
  neutraliseEscapes,
} from '@robota-sdk/agent-transcript';
import type { ExtensionHost } from '../assembly/session-extension.ts';
import type { AssembledSession } from '../assembly/session-factory.ts';
import type { CommandSource } from '../commands/command.ts';
import { SystemCommandExecutor } from '../commands/command-executor.ts';
import type { CommandResult } from '../commands/system-command.ts';
import { createSystemCommands } from '../commands/system-commands.ts';
import type { InactiveSetting } from '../config/inactive-settings.ts';
import { rememberProjectRule } from '../config/remember-rule.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { SessionChanges } from '../live/live-session.ts';
import { notSupported } from '../live/session-capabilities.ts';
import { EntryEvents } from './entry-events.ts';
import { EventHub } from './event-hub.ts';
import type { InteractiveSessionEvents, SessionNotice } from './events.ts';
import type { SubmitOutcome } from './execution-result.ts';
import { isAbort } from './is-abort.ts';
import { type ModelCost, priceTallies } from './model-cost.ts';
import {
  assertSessionOptions,
  type InteractiveSessionOptions,
  type SubmitOptions,
} from './options.ts';
import {
  type PermissionAnswer,
  PermissionBroker,
  type PermissionRequest,
} from './permission-broker.ts';
import { PromptQueue, type QueuedPrompt } from './prompt-queue.ts';
import { SessionLifecycle } from './session-lifecycle.ts';
import type { SessionPort } from './session-port.ts';
import type { TransportAdapter } from './transport-adapter.ts';
import { answerPrompt } from './turn-runner.ts';

/** Commands that change the conversation and so wait until nothing runs. */
const NEEDS_QUIET = ['clear', 'compact'];

/** What a client talks to: prompts, commands and questions go in, events come out. */
export class InteractiveSession {
  readonly sessionId: string;
  readonly #options: InteractiveSessionOptions;
  readonly #epoch = randomUUID();
  readonly #events = new EventHub();
  readonly #entryEvents: EntryEvents;
  readonly #broker: PermissionBroker;
  readonly #queue: PromptQueue;
  readonly #lifecycle: SessionLifecycle;
  readonly #commands: SystemCommandExecutor;
  /** Ends what extensions do for a person outside of a turn. */
  #beside = new AbortController();

  constructor(options: InteractiveSessionOptions) {
    assertSessionOptions(options);
    const { cwd } = options;
    this.#options = cwd === undefined ? options : { ...options, cwd: resolve(cwd) };
    this.#entryEvents = new EntryEvents({ events: this.#events, folds: () => this.#lifecycle });
    this.#broker = new PermissionBroker({
      handler: options.permissionHandler,
      hasAudience: () =>
        this.#events.hasListener('permission_request') || this.#events.hasListener('question'),
      onHandlerError: (error) => this.#events.emit('error', error),
    });
    this.#queue = new PromptQueue({
      depth: options.queueDepth,
      run: (prompt, isAborted) => this.#answer(prompt, isAborted),
      onChange: (waiting) => this.#events.emit('queue', waiting),
      interrupt: () => this.#interrupt(),
      onAbort: () => {
        this.#beside.abort();
        this.#beside = new AbortController();
      },
    });
    this.#commands = new SystemCommandExecutor([
      ...createSystemCommands(),
      ...(options.commands ?? []),
    ]);
    this.#lifecycle = new SessionLifecycle({
      options: this.#options,
      onEntry: this.#entryEvents.hear,
      permissionHandler: (toolName, toolArgs, request) =>
        this.#broker.ask({ toolName, toolArgs, ...request }),
      onProjectGrant: (pattern) => this.#rememberRule(pattern),
      host: this.#extensionHost(),
      onNotice: (kind, message) => this.#entryEvents.notice(kind, message),
      onAssembled: (assembled) => this.#assembled(assembled),
    });
    this.sessionId = this.#lifecycle.sessionId;
    this.#lifecycle.begin();
  }

  on<Event extends keyof InteractiveSessionEvents>(
    event: Event,
    listener: InteractiveSessionEvents[Event],
  ): this {
    this.#events.on(event, listener);
    return this;
  }

  off<Event extends keyof InteractiveSessionEvents>(
    event: Event,
    listener: InteractiveSessionEvents[Event],
  ): this {
    this.#events.off(event, listener);
    return this;
  }

  /** Resolves when the session is assembled; rejects when it cannot be, and may be called again. */
  async whenReady(): Promise<void> {
    await this.#lifecycle.ready();
  }

  /**
   * Answers a prompt, or lets it wait its turn. Resolves with how it ended; a failed turn is no rejection.
   * `displayInput` is shown in its place, `rawInput` is what hooks match on.
   */
  submit(
    input: string,
    displayInput: string = input,
    rawInput?: string,
    options: SubmitOptions = {},
  ): Promise<SubmitOutcome> {
    return this.#submit({ ...options, input, displayInput, rawInput });
  }

  /** Null when there is no such command. Never rejects: a command that throws has failed. */
  async executeCommand(name: string, args = ''): Promise<CommandResult | null> {
    if (NEEDS_QUIET.includes(name) && this.#queue.isExecuting()) {
      const message = 'Another prompt or command is already running. Wait for it to finish.';
      return { success: false, message };
    }
    try {
      await this.#findCommand(name);
      const result = await this.#commands.execute(name, this, args);
      // Words of tools, files and servers are among what a command says.
      return result && { ...result, message: neutraliseEscapes(result.message) };
    } catch (error) {
      if (isAbort(error)) return { success: false, message: 'Stopped.' };
      return { success: false, message: error instanceof Error ? error.message : String(error) };
    }
  }

  listCommands(): { readonly name: string; readonly description: string }[] {
    return this.#commands.list();
  }

  /** Names of the tools the model is offered; known once the session is assembled. */
  listTools(): string[] {
    return (this.#lifecycle.port?.getToolSchemas?.() ?? []).map(({ name }) => name);
  }

  /** What extensions add to a slash palette; known once the session is assembled. */
  getCommandSources(): readonly CommandSource[] {
    return this.#lifecycle.assembled?.contributions.commandSources ?? [];
  }

  /** Stops the running prompt and empties the queue; `interrupted` follows. */
  abort(): void {
    this.#queue.abort();
  }

  /** Settles once nothing runs and nothing waits. */
  whenIdle(): Promise<void> {
    return this.#queue.idle();
  }

  /** A session that begins as a copy of this one, under a new id. */
  fork(sessionId?: string): InteractiveSession {
    const options = this.#options;
    if (options.session) throw notSupported('a ready-made engine', 'be forked');
    const { sessionId: _own, sessionName: _name, readOnly: _readOnly, ...rest } = options;
    return new InteractiveSession({
      ...rest,
      sessionId,
      resumeSessionId: this.sessionId,
      forkSession: true,
    });
  }

  cancelQueue(): void {
    this.#queue.cancel();
  }

  isExecuting(): boolean {
    return this.#queue.isExecuting();
  }

  getPendingPrompt(): string | null {
    return this.#queue.list()[0]?.displayInput ?? null;
  }

  /** Prompts that wait, the next one first. */
  getQueue(): readonly QueuedPrompt[] {
    return this.#queue.list();
  }

  getMessages(): Message[] {
    return getMessagesForAPI(this.#lifecycle.fold.state.timeline);
  }

  getFullHistory(): HistoryEntry[] {
    return [...this.#lifecycle.fold.state.timeline];
  }

  addHistoryEntry(entry: HistoryEntry): void {
    const { engine, injected, fold } = this.#lifecycle;
    if (engine) engine.logEvent('history_entry', { entry });
    else if (injected) injected.addHistoryEntry(entry);
    else fold.apply({ n: 0, time: Date.now(), event: 'history_entry', entry });
  }

  /** The conversation in blocks, what is being said right now included. */
  getBlocks(): readonly ConversationBlock[] {
    return this.#lifecycle.blocks.state.blocks;
  }

  /** The same with subagents' threads, abandoned branches and totals: what stream events continue. */
  getConversation(): ConversationState {
    return this.#lifecycle.blocks.state;
  }

  /** The number of the last entry that events told of; it goes on where an earlier opening ended. */
  getLastSequence(): number {
    return Math.max(this.#entryEvents.sequence, this.#lifecycle.firstNumber);
  }

  /** Stays the same as long as numbers are continued: in every opening of a session that is kept. */
  getStreamEpoch(): string {
    return this.#lifecycle.isKept ? this.sessionId : this.#epoch;
  }

  getContextState(): ContextWindowState {
    const { port } = this.#lifecycle;
    return (
      port?.getContextState() ??
      contextWindowState(0, getModelLimits(this.getModel() ?? '').contextWindow)
    );
  }

  getStreamingText(): string {
    return this.#entryEvents.turn?.text ?? '';
  }

  getActiveTools(): ToolState[] {
    return [...(this.#entryEvents.turn?.tools ?? [])];
  }

  /** Completed prompts. */
  getMessageCount(): number {
    return this.#lifecycle.port?.getMessageCount() ?? 0;
  }

  /** What every model was asked and what that cost. */
  getCosts(): Promise<ModelCost[]> {
    return priceTallies(Object.values(this.#lifecycle.fold.state.usage));
  }

  getPendingPermissions(): PermissionRequest[] {
    return this.#broker.pending();
  }

  /** False when the request is unknown or somebody answered before. */
  answerPermission(requestId: string, answer: PermissionAnswer, by?: string): boolean {
    return this.#broker.answer(requestId, answer, by);
  }

  getSessionAllowedTools(): string[] {
    return this.#lifecycle.port?.getSessionAllowedTools() ?? [];
  }

  getPermissionMode(): PermissionMode {
    const { port, pending } = this.#lifecycle;
    const { session } = this.#options;
    const given = session ? undefined : this.#options.permissionMode;
    return port?.getPermissionMode() ?? pending.permissionMode ?? given ?? 'default';
  }

  setPermissionMode(mode: PermissionMode): void {
    this.#change({ permissionMode: mode });
  }

  getModel(): string | undefined {
    const { port, pending, fold } = this.#lifecycle;
    const chosen = this.#options.session ? undefined : this.#options.model;
    return port?.getModel?.() ?? pending.model ?? chosen ?? fold.state.model;
  }

  setModel(model: string): void {
    this.#change({ model });
  }

  setLanguage(language: string): void {
    this.#change({ language });
  }

  setSystemPrompt(systemPrompt: string): void {
    this.#lifecycle.change({ systemPrompt });
  }

  getSystemPrompt(): string | null {
    const { port, pending, fold } = this.#lifecycle;
    return port?.getSystemMessage?.() ?? pending.systemPrompt ?? fold.state.systemPrompt ?? null;
  }

  async compact(instructions?: string): Promise<void> {
    const session = await this.#lifecycle.start();
    await session.compact(instructions);
    await this.#lifecycle.injected?.save();
  }

  async clearHistory(): Promise<void> {
    const session = await this.#lifecycle.start();
    const { injected } = this.#lifecycle;
    if (injected) injected.clear();
    else session.clearHistory();
    await this.#lifecycle.save();
  }

  getName(): string | undefined {
    const { engine, injected, pending, fold } = this.#lifecycle;
    const isApplied = engine !== undefined || injected !== undefined;
    return isApplied ? fold.state.name : (pending.name ?? fold.state.name);
  }

  setName(name: string): void {
    this.#change({ name });
  }

  getCwd(): string | undefined {
    return this.#options.cwd;
  }

  /** The resolved settings; known once the session is assembled. */
  getConfig(): ResolvedConfig | undefined {
    return this.#lifecycle.assembled?.surroundings.config;
  }

  /** What the project's settings ask for and do not get until the directory is trusted. */
  getInactiveSettings(): readonly InactiveSetting[] {
    return this.#lifecycle.assembled?.surroundings.inactive ?? [];
  }

  /** Why this session is not being saved, in a sentence that says what to do; undefined while all is well. */
  getSaveProblem(): string | undefined {
    return this.#lifecycle.saveProblem;
  }

  /** Every notice so far. */
  getNotices(): readonly SessionNotice[] {
    return this.#entryEvents.notices;
  }

  attachTransport(transport: TransportAdapter): void {
    transport.attach(this);
  }

  /** The conversation underneath. */
  getSession(): SessionPort {
    const { port } = this.#lifecycle;
    if (port) return port;
    throw new Error('InteractiveSession not initialized. Call submit() or await initialization.');
  }

  /** Stops what runs, saves, and ends the session; afterwards prompts are rejected. */
  async shutdown(options: { readonly reason?: string | undefined } = {}): Promise<void> {
    const ending = this.#lifecycle.end(options.reason, () => this.#queue.idle());
    this.#queue.abort();
    await ending;
  }

  /** What the engine changes it says in its log; before it is there, and of a ready-made session, it is told here. */
  #change(changes: SessionChanges): void {
    const { language: _language, ...logged } = changes;
    this.#lifecycle.change(changes);
    if (!this.#lifecycle.engine || Object.keys(logged).length === 0) {
      this.#events.emit('state', changes);
    }
  }

  async #submit(prompt: QueuedPrompt): Promise<SubmitOutcome> {
    if (this.#lifecycle.isEnding) {
      throw Object.assign(new Error('Interactive session is shutting down.'), {
        code: 'session_closed',
      });
    }
    if (this.#options.readOnly) {
      const reason = `Session ${this.sessionId} is open read-only; fork it to go on.`;
      return { status: 'refused', reason };
    }
    const isEmpty = prompt.input.trim() === '' && !prompt.parts?.length;
    if (isEmpty) return { status: 'refused', reason: 'The prompt is empty.' };
    return this.#queue.submit(prompt);
  }

  #answer(prompt: QueuedPrompt, isAborted: () => boolean): Promise<SubmitOutcome> {
    const lifecycle = this.#lifecycle;
    return answerPrompt(prompt, {
      events: this.#events,
      entryEvents: this.#entryEvents,
      fold: () => lifecycle.fold,
      isAborted,
      session: () => lifecycle.start(),
      run: (message, rawInput, extras) => lifecycle.run(message, rawInput, extras),
      prepare: (given) => lifecycle.assembled?.contributions.preparePrompt(given) ?? given,
    });
  }

  #interrupt(): void {
    this.#broker.denyAll();
    this.#lifecycle.port?.abort();
  }

  /** A name that is not built in may be a skill's or a plugin's: those are known once the session is assembled. */
  async #findCommand(name: string): Promise<void> {
    const { session, readOnly } = this.#options;
    if (this.#commands.has(name) || session || readOnly || this.#lifecycle.isEnding) return;
    await this.#lifecycle.start();
  }

  #assembled({ surroundings, contributions }: AssembledSession): void {
    for (const command of contributions.commands) this.#commands.add(command);
    for (const { kind, message } of surroundings.notices) this.#entryEvents.notice(kind, message);
  }

  #rememberRule(pattern: string): void {
    const { cwd } = this.#options;
    if (cwd === undefined) return;
    rememberProjectRule(cwd, pattern).catch((error: Error) =>
      this.#entryEvents.notice('settings', error.message),
    );
  }

  #extensionHost(): Omit<ExtensionHost, 'record' | 'log' | 'relay'> {
    return {
      notice: (message) => this.#entryEvents.notice('extension', message),
      askPermission: (toolName, toolArgs, request) => this.#ask({ toolName, toolArgs, ...request }),
      permissionHandler: (toolName, toolArgs, request) =>
        this.#broker.ask({ toolName, toolArgs, ...request }),
      addHistoryEvent: (type, data) => {
        const id = randomUUID();
        this.addHistoryEntry({ id, timestamp: new Date(), category: 'event', type, data });
      },
      submit: (prompt) => this.#submit(prompt),
      idle: () => this.#queue.idle(),
      abortSignal: () => this.#beside.signal,
    };
  }

  /** A question that is no part of a tool call: told and settled in the log like any other. */
  async #ask(question: Omit<PermissionRequest, 'requestId'> & { signal: AbortSignal }) {
    const requestId = randomUUID();
    let by: string | undefined;
    const answering = this.#broker.ask({
      ...question,
      requestId,
      answeredBy: (who) => {
        by = who;
      },
    });
    const { engine } = this.#lifecycle;
    const { signal: _signal, ...asked } = question;
    engine?.logEvent('permission_request', { requestId, ...asked });
    const answer = await answering;
    engine?.logEvent('permission_resolved', { requestId, answer, by });
    return answer;
  }
}
