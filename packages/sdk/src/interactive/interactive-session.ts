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
import { runCommand } from './command-runner.ts';
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
  readonly #rewind: SessionRewind;
  readonly #commands: SystemCommandExecutor;
  /** Ends what extensions do for a person outside of a turn. */
  #beside = new AbortController();

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
        this.#broker.askPermission({ toolName, toolArgs, ...request }),
      onProjectGrant: (pattern) => this.#rememberRule(pattern),
      host: extensionHostFor({
        broker: this.#broker,
        engine: () => this.#lifecycle.engine,
        notice: (message, kind = 'extension') => this.#entryEvents.notice(kind, message),
        addHistoryEntry: (entry) => this.addHistoryEntry(entry),
        submit: (prompt) => this.#submit(prompt),
        idle: () => this.#queue.idle(),
        abortSignal: () => this.#beside.signal,
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

  /** Hears the next event of a kind, and then no more; `off` takes it back. */
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

  /** Runs a shell command that a person typed, in its turn; it and what it printed become part of the conversation. */
  runShell(command: string): Promise<SubmitOutcome> {
    return this.#submit({ input: command, displayInput: `! ${command}`, isShellLine: true });
  }

  /** Null when there is no such command. Never rejects: a command that throws has failed. */
  executeCommand(name: string, args = ''): Promise<CommandResult | null> {
    return runCommand(name, args, {
      commands: this.#commands,
      session: this,
      isExecuting: () => this.#queue.isExecuting(),
      find: (wanted) => this.#findCommand(wanted),
    });
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

  /** Stops what the conversation underneath does outside of a turn, such as a compaction. */
  stopBeside(): void {
    this.#lifecycle.port?.abort();
  }

  /** Settles once nothing runs and nothing waits. */
  whenIdle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Settles when everything that happened so far is written and told. */
  async whenWritten(): Promise<void> {
    await this.#lifecycle.engine?.whenWritten();
  }

  /** A session that begins as a copy of this one, under a new id; `at` a block that ends it. */
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

  /** Everything that waits, or the one prompt with this message id. */
  cancelQueue(messageId?: string): void {
    this.#queue.cancel(messageId);
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
    return this.#broker.pending().filter(({ kind }) => kind === undefined);
  }

  /** What somebody has to decide, whatever it is about. */
  getQuestions(): LiveQuestion[] {
    return this.#broker.pending().map((question) => questionOf(question));
  }

  /** False when the request is unknown or somebody answered before. */
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

  /** What going back to before a prompt would do to files; changes nothing. */
  previewRewind(to: string) {
    return this.#rewind.preview(to);
  }

  /** Goes back to before a prompt. Rejects with `rewind_conflict` where a person has to choose. */
  rewind(options: RewindOptions) {
    return this.#rewind.rewind(options);
  }

  undoRewind(options?: UndoRewindOptions) {
    return this.#rewind.undo(options);
  }

  /** Brings back what the latest summary stands for: how many messages. */
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

  /** Those before the first prompt, such as what is wrong with the saved session, its settings or its vault. */
  getOpeningNotices(): readonly SessionNotice[] {
    return this.#entryEvents.openingNotices;
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

  /** A name that is not built in may be a skill's, and one that is may be replaced: known once the session is assembled. */
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
