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
import type { ConversationBlock, ConversationState } from '@robota-sdk/agent-transcript';
import type { AssembledSession } from '../assembly/session-factory.ts';
import type { CommandSource } from '../commands/command.ts';
import { SystemCommandExecutor } from '../commands/command-executor.ts';
import type { CommandResult } from '../commands/system-command.ts';
import { createSystemCommands } from '../commands/system-commands.ts';
import type { InactiveSetting } from '../config/inactive-settings.ts';
import { rememberProjectRule } from '../config/remember-rule.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { questionOf } from '../live/engine-question.ts';
import type { LiveAnswer, LiveQuestion } from '../live/live-question.ts';
import type { SessionChanges } from '../live/live-session.ts';
import { notSupported } from '../live/session-capabilities.ts';
import type { RewindOptions, UndoRewindOptions } from '../rewind/rewind.ts';
import { SessionRewind } from '../rewind/session-rewind.ts';
import { runSystemCommand } from './command-runner.ts';
import { EntryEvents } from './entry-events.ts';
import { EventHub } from './event-hub.ts';
import type { InteractiveSessionEvents, SessionNotice } from './events.ts';
import type { SubmitOutcome } from './execution-result.ts';
import { extensionHostFor } from './extension-host.ts';
import { type ModelCost, priceTallies } from './model-cost.ts';
import {
  assertSessionOptions,
  type InteractiveSessionOptions,
  type SubmitOptions,
} from './options.ts';
import { PermissionBroker, type PermissionRequest } from './permission-broker.ts';
import { PromptQueue, type QueuedPrompt, refusalOf } from './prompt-queue.ts';
import { SessionLifecycle } from './session-lifecycle.ts';
import type { SessionPort } from './session-port.ts';
import { answerShellLine } from './shell-line-runner.ts';
import type { TransportAdapter } from './transport-adapter.ts';
import { answerPrompt } from './turn-runner.ts';

/** The API for clients: accepts prompts, commands and answers to questions, and emits events. */
export class InteractiveSession {
  readonly sessionId: string;
  readonly #options: InteractiveSessionOptions;
  readonly #epoch = randomUUID();
  readonly #events = new EventHub();
  readonly #entryEvents: EntryEvents;
  readonly #broker: PermissionBroker;
  readonly #queue: PromptQueue;
  readonly #lifecycle: SessionLifecycle;
  readonly #rewind: SessionRewind;
  readonly #commands: SystemCommandExecutor;
  /** Cancels what extensions do for a user outside of a turn. */
  #outsideTurns = new AbortController();

  constructor(options: InteractiveSessionOptions) {
    assertSessionOptions(options);
    this.#options = options.cwd === undefined ? options : { ...options, cwd: resolve(options.cwd) };
    this.#entryEvents = new EntryEvents({ events: this.#events, folds: () => this.#lifecycle });
    this.#broker = new PermissionBroker({
      handler: options.permissionHandler,
      hasAudience: (kind) =>
        this.#events.hasListener('question') ||
        (kind === 'permission' && this.#events.hasListener('permission_request')),
      onHandlerError: (error) => this.#events.emit('error', error),
    });
    this.#queue = new PromptQueue({
      depth: options.queueDepth,
      run: (prompt, isAborted) => this.#answer(prompt, isAborted),
      onChange: (waiting) => this.#events.emit('queue', waiting),
      interrupt: () => this.#interrupt(),
      onAbort: () => {
        this.#outsideTurns.abort();
        this.#outsideTurns = new AbortController();
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
        this.#broker.askPermission({ toolName, toolArgs, ...request }),
      onProjectGrant: (pattern) => this.#rememberRule(pattern),
      host: extensionHostFor({
        broker: this.#broker,
        engine: () => this.#lifecycle.engine,
        notice: (message, kind = 'extension') => this.#entryEvents.notice(kind, message),
        addHistoryEntry: (entry) => this.addHistoryEntry(entry),
        submit: (prompt) => this.#submit(prompt),
        idle: () => this.#queue.idle(),
        abortSignal: () => this.#outsideTurns.signal,
      }),
      onNotice: (kind, message) => this.#entryEvents.notice(kind, message),
      onAssembled: (assembled) => this.#assembled(assembled),
    });
    this.#rewind = new SessionRewind(this.#lifecycle);
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

  /** Listens for the next event of this name only; `off` removes the listener before that. */
  once<Event extends keyof InteractiveSessionEvents>(
    event: Event,
    listener: InteractiveSessionEvents[Event],
  ): this {
    this.#events.once(event, listener);
    return this;
  }

  off<Event extends keyof InteractiveSessionEvents>(
    event: Event,
    listener: InteractiveSessionEvents[Event],
  ): this {
    this.#events.off(event, listener);
    return this;
  }

  /** Resolves when the session is assembled; rejects when that fails, and may then be called again. */
  async whenReady(): Promise<void> {
    await this.#lifecycle.ready();
  }

  /**
   * Answers a prompt, or queues it. Resolves with its outcome; a failed turn is not a rejection.
   * `displayInput` is shown instead of the input, `rawInput` is what hooks match on.
   */
  submit(
    input: string,
    displayInput: string = input,
    rawInput?: string,
    options: SubmitOptions = {},
  ): Promise<SubmitOutcome> {
    return this.#submit({ ...options, input, displayInput, rawInput });
  }

  /** Runs a shell command typed by a user, queued like a prompt; command and output join the conversation. */
  runShell(command: string): Promise<SubmitOutcome> {
    return this.#submit({ input: command, displayInput: `! ${command}`, isShellLine: true });
  }

  /** Null when there is no such command. Never rejects: an exception becomes a failed result. */
  executeCommand(name: string, args = ''): Promise<CommandResult | null> {
    return runSystemCommand(name, args, {
      commands: this.#commands,
      session: this,
      isExecuting: () => this.#queue.isExecuting(),
      find: (wanted) => this.#findCommand(wanted),
    });
  }

  listCommands(): { readonly name: string; readonly description: string }[] {
    return this.#commands.list();
  }

  /** Names of the tools offered to the model; known once the session is assembled. */
  listTools(): string[] {
    return (this.#lifecycle.port?.getToolSchemas?.() ?? []).map(({ name }) => name);
  }

  /** What extensions add to a slash palette; known once the session is assembled. */
  getCommandSources(): readonly CommandSource[] {
    return this.#lifecycle.assembled?.contributions.commandSources ?? [];
  }

  /** Stops the running prompt and clears the queue; `interrupted` follows. */
  abort(): void {
    this.#queue.abort();
  }

  /** Stops what the underlying session does outside of a turn, such as a compaction. */
  stopBeside(): void {
    this.#lifecycle.port?.abort();
  }

  /** Settles once nothing runs and the queue is empty. */
  whenIdle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Settles when everything that happened so far is written and emitted. */
  async whenWritten(): Promise<void> {
    await this.#lifecycle.engine?.whenWritten();
  }

  /** A new session that starts as a copy of this one; `at` is the block where the copy ends. */
  fork(sessionId?: string, at?: string): InteractiveSession {
    const options = this.#options;
    if (options.session) throw notSupported('a ready-made engine', 'be forked');
    const { sessionId: _own, sessionName: _name, readOnly: _readOnly, ...rest } = options;
    return new InteractiveSession({
      ...rest,
      sessionId,
      resumeSessionId: this.sessionId,
      forkSession: true,
      forkAt: at,
    });
  }

  /** Cancels all queued prompts, or the one with this message id. */
  cancelQueue(messageId?: string): void {
    this.#queue.cancel(messageId);
  }

  isExecuting(): boolean {
    return this.#queue.isExecuting();
  }

  getPendingPrompt(): string | null {
    return this.#queue.list()[0]?.displayInput ?? null;
  }

  /** Queued prompts, the next one first. */
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

  /** The conversation in blocks, including the text being streamed. */
  getBlocks(): readonly ConversationBlock[] {
    return this.#lifecycle.blocks.state.blocks;
  }

  /** The blocks with subagents' threads, superseded branches and totals: the state that stream events continue. */
  getConversation(): ConversationState {
    return this.#lifecycle.blocks.state;
  }

  /** The number of the last emitted entry; it continues when the session is reopened. */
  getLastSequence(): number {
    return Math.max(this.#entryEvents.sequence, this.#lifecycle.firstNumber);
  }

  /** Stays the same while numbers continue: for a saved session also after it is reopened. */
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

  /** Requests, usage and cost per model. */
  getCosts(): Promise<ModelCost[]> {
    return priceTallies(Object.values(this.#lifecycle.fold.state.usage));
  }

  getPendingPermissions(): PermissionRequest[] {
    return this.#broker.pending().filter(({ kind }) => kind === undefined);
  }

  /** Open questions of every kind. */
  getQuestions(): LiveQuestion[] {
    return this.#broker.pending().map((question) => questionOf(question));
  }

  /** False when the request is unknown or already answered. */
  answerPermission(requestId: string, answer: LiveAnswer, by?: string): boolean {
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

  /** How rewinding to before a prompt would change files; changes nothing. */
  previewRewind(to: string) {
    return this.#rewind.preview(to);
  }

  /** Goes back to before a prompt. Rejects with `rewind_conflict` when a user has to choose. */
  rewind(options: RewindOptions) {
    return this.#rewind.rewind(options);
  }

  undoRewind(options?: UndoRewindOptions) {
    return this.#rewind.undo(options);
  }

  /** Restores the messages that the latest summary replaced; resolves with their number. */
  uncompact(): Promise<number> {
    return this.#rewind.uncompact();
  }

  /** Facts that survive every compaction. */
  get pins() {
    return this.#rewind.pins;
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

  /** Project settings that are not applied until the directory is trusted. */
  getInactiveSettings(): readonly InactiveSetting[] {
    return this.#lifecycle.assembled?.surroundings.inactive ?? [];
  }

  /** Why this session is not being saved and what to do about it; undefined while saving works. */
  getSaveProblem(): string | undefined {
    return this.#lifecycle.saveProblem;
  }

  /** Every notice so far. */
  getNotices(): readonly SessionNotice[] {
    return this.#entryEvents.notices;
  }

  /** Notices before the first prompt, such as problems of the saved session, its settings or its vault. */
  getOpeningNotices(): readonly SessionNotice[] {
    return this.#entryEvents.openingNotices;
  }

  attachTransport(transport: TransportAdapter): void {
    transport.attach(this);
  }

  /** The underlying session. */
  getSession(): SessionPort {
    const { port } = this.#lifecycle;
    if (port) return port;
    throw new Error('InteractiveSession not initialized. Call submit() or await initialization.');
  }

  /** Stops what is running, saves, and ends the session; later prompts are rejected. */
  async shutdown(options: { readonly reason?: string | undefined } = {}): Promise<void> {
    const ending = this.#lifecycle.end(options.reason, () => this.#queue.idle());
    this.#queue.abort();
    await ending;
  }

  /** The engine logs its changes; before it exists, and for a ready-made session, `state` is emitted here. */
  #change(changes: SessionChanges): void {
    const { language: _language, ...logged } = changes;
    this.#lifecycle.change(changes);
    if (!this.#lifecycle.engine || Object.keys(logged).length === 0) {
      this.#events.emit('state', changes);
    }
  }

  async #submit(prompt: QueuedPrompt): Promise<SubmitOutcome> {
    const { sessionId } = this;
    const { isEnding } = this.#lifecycle;
    const { readOnly } = this.#options;
    const reason = refusalOf(prompt, { sessionId, isEnding, readOnly });
    if (reason) return { status: 'refused', reason };
    return this.#queue.submit(prompt);
  }

  #answer(prompt: QueuedPrompt, isAborted: () => boolean): Promise<SubmitOutcome> {
    const lifecycle = this.#lifecycle;
    const shared = { events: this.#events, fold: () => lifecycle.fold, isAborted };
    if (prompt.isShellLine) return answerShellLine(prompt, { ...shared, lifecycle });
    return answerPrompt(prompt, {
      ...shared,
      entryEvents: this.#entryEvents,
      cwd: () => this.#options.cwd,
      session: () => lifecycle.start(),
      run: (message, rawInput, extras) => lifecycle.run(message, rawInput, extras),
      prepare: (given) => lifecycle.assembled?.contributions.preparePrompt(given) ?? given,
    });
  }

  #interrupt(): void {
    this.#broker.denyAll();
    this.#lifecycle.port?.abort();
  }

  /** Starts the session when one of its extensions may define or, with `everyday`, replace this command. */
  async #findCommand(name: string): Promise<void> {
    const options = this.#options;
    if (options.session || options.readOnly || this.#lifecycle.isEnding) return;
    if (this.#commands.has(name) && !options.everyday) return;
    await this.#lifecycle.start();
  }

  #assembled({ surroundings, contributions }: AssembledSession): void {
    this.#commands.extend(contributions, this.#options.commands);
    for (const { kind, message } of surroundings.notices) this.#entryEvents.notice(kind, message);
  }

  #rememberRule(pattern: string): void {
    const { cwd } = this.#options;
    if (cwd === undefined) return;
    rememberProjectRule(cwd, pattern).catch((error: Error) =>
      this.#entryEvents.notice('settings', error.message),
    );
  }
}
