import {
  type ContextWindowState,
  contextWindowState,
  getModelLimits,
  type HistoryEntry,
  type Message,
  type PermissionMode,
} from '@robota-sdk/agent-core';
import type { ConversationBlock, ConversationState } from '@robota-sdk/agent-transcript';
import type { CommandSource } from '../commands/command.ts';
import type { CommandResult } from '../commands/system-command.ts';
import type { InactiveSetting } from '../config/inactive-settings.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { InteractiveSessionEvents, SessionNotice } from './events.ts';
import type { SubmitOutcome } from './execution-result.ts';
import type { ModelCost } from './ledger.ts';
import type { InteractiveSessionOptions } from './options.ts';
import type { PermissionAnswer, PermissionRequest } from './permission-broker.ts';
import { SessionDesk } from './session-desk.ts';
import type { SessionPort } from './session-port.ts';
import type { ToolState } from './tool-state.ts';
import type { TransportAdapter } from './transport-adapter.ts';

/** What a client talks to: prompts, commands and questions go in, events come out. */
export class InteractiveSession {
  readonly sessionId: string;
  readonly #desk: SessionDesk;

  constructor(options: InteractiveSessionOptions) {
    this.#desk = new SessionDesk(options, () => this);
    this.sessionId = this.#desk.life.sessionId;
  }

  on<Event extends keyof InteractiveSessionEvents>(
    event: Event,
    listener: InteractiveSessionEvents[Event],
  ): this {
    this.#desk.events.on(event, listener);
    return this;
  }

  off<Event extends keyof InteractiveSessionEvents>(
    event: Event,
    listener: InteractiveSessionEvents[Event],
  ): this {
    this.#desk.events.off(event, listener);
    return this;
  }

  /** Resolves when the session stands; rejects when it cannot be put together, and may be called again. */
  async whenReady(): Promise<void> {
    await this.#desk.life.ready();
  }

  /**
   * Answers a prompt, or lets it wait its turn. Resolves with how it ended; a failed turn is no rejection.
   * `displayInput` is shown in its place, `rawInput` is what hooks match on.
   */
  submit(input: string, displayInput?: string, rawInput?: string): Promise<SubmitOutcome> {
    return this.#desk.submit({
      input,
      displayInput: displayInput ?? input,
      ...(rawInput !== undefined && { rawInput }),
    });
  }

  /** Null when there is no such command. */
  executeCommand(name: string, args = ''): Promise<CommandResult | null> {
    return this.#desk.executeCommand(name, args);
  }

  listCommands(): { readonly name: string; readonly description: string }[] {
    return this.#desk.commands.list();
  }

  /** What extensions add to a slash palette; known once the session stands. */
  getCommandSources(): readonly CommandSource[] {
    return this.#desk.life.assembled?.contributions.commandSources ?? [];
  }

  /** Stops the running prompt and empties the queue; `interrupted` follows. */
  abort(): void {
    this.#desk.turns.abort();
  }

  cancelQueue(): void {
    this.#desk.turns.cancelQueue();
  }

  isExecuting(): boolean {
    return this.#desk.turns.isExecuting();
  }

  getPendingPrompt(): string | null {
    return this.#desk.turns.pendingPrompt();
  }

  getMessages(): Message[] {
    return this.#desk.timeline.messages();
  }

  getFullHistory(): HistoryEntry[] {
    return this.#desk.timeline.entries();
  }

  addHistoryEntry(entry: HistoryEntry): void {
    this.#desk.timeline.add(entry);
  }

  /** The conversation in blocks, what is being said right now included. */
  getBlocks(): readonly ConversationBlock[] {
    return this.#desk.blocks.state().blocks;
  }

  /** The same with subagents' threads, abandoned branches and totals: what stream events continue. */
  getConversation(): ConversationState {
    return this.#desk.blocks.state();
  }

  /** The number of the last stream event. */
  getLastSequence(): number {
    return this.#desk.blocks.sequence;
  }

  getContextState(): ContextWindowState {
    const { port } = this.#desk.life;
    return (
      port?.getContextState() ??
      contextWindowState(0, getModelLimits(this.getModel() ?? '').contextWindow)
    );
  }

  getStreamingText(): string {
    return this.#desk.live.streamingText;
  }

  getActiveTools(): ToolState[] {
    return this.#desk.live.activeTools();
  }

  /** Completed prompts. */
  getMessageCount(): number {
    return this.#desk.life.port?.getMessageCount() ?? 0;
  }

  /** What every model was asked and what that cost. */
  getCosts(): Promise<ModelCost[]> {
    return this.#desk.costs();
  }

  getPendingPermissions(): PermissionRequest[] {
    return this.#desk.broker.pending();
  }

  /** False when the request is unknown or somebody answered before. */
  answerPermission(requestId: string, answer: PermissionAnswer): boolean {
    return this.#desk.broker.answer(requestId, answer);
  }

  getSessionAllowedTools(): string[] {
    return this.#desk.life.port?.getSessionAllowedTools() ?? [];
  }

  getPermissionMode(): PermissionMode {
    const { port, wishes } = this.#desk.life;
    const { options } = this.#desk;
    return (
      port?.getPermissionMode() ??
      wishes.mode ??
      (options.session ? undefined : options.permissionMode) ??
      'default'
    );
  }

  setPermissionMode(mode: PermissionMode): void {
    this.#desk.life.wish({ mode });
  }

  getModel(): string | undefined {
    const { port, wishes, saved } = this.#desk.life;
    const { options } = this.#desk;
    const chosen = options.session ? undefined : options.model;
    return (
      port?.getModel?.() ?? wishes.model ?? chosen ?? (saved?.record.model as string | undefined)
    );
  }

  setModel(model: string): void {
    this.#desk.life.wish({ model });
  }

  setLanguage(language: string): void {
    this.#desk.life.wish({ language });
  }

  setSystemPrompt(systemPrompt: string): void {
    this.#desk.life.wish({ systemPrompt });
  }

  getSystemPrompt(): string | null {
    const { port, wishes, saved } = this.#desk.life;
    return port?.getSystemMessage() ?? wishes.systemPrompt ?? saved?.record.systemPrompt ?? null;
  }

  async compact(instructions?: string): Promise<void> {
    const session = await this.#desk.life.stand();
    await session.compact(instructions);
    await this.#desk.save();
  }

  async clearHistory(): Promise<void> {
    await this.#desk.clear();
  }

  getName(): string | undefined {
    return this.#desk.life.persistence.name;
  }

  setName(name: string): void {
    this.#desk.rename(name);
  }

  getCwd(): string | undefined {
    return this.#desk.options.cwd;
  }

  /** The resolved settings; known once the session stands. */
  getConfig(): ResolvedConfig | undefined {
    return this.#desk.life.assembled?.surroundings.config;
  }

  /** What the project's settings ask for and do not get until the directory is trusted. */
  getInactiveSettings(): readonly InactiveSetting[] {
    return this.#desk.life.assembled?.surroundings.inactive ?? [];
  }

  /** Every notice so far. */
  getNotices(): readonly SessionNotice[] {
    return this.#desk.notices;
  }

  attachTransport(transport: TransportAdapter): void {
    transport.attach(this);
  }

  /** The conversation underneath. */
  getSession(): SessionPort {
    const { port } = this.#desk.life;
    if (port) return port;
    throw new Error('InteractiveSession not initialized. Call submit() or await initialization.');
  }

  /** Stops what runs, saves, and ends the session; afterwards prompts are rejected. */
  shutdown(options: { readonly reason?: string } = {}): Promise<void> {
    return this.#desk.shutdown(options.reason);
  }
}
