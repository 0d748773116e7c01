import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type {
  CommandResult,
  LiveAnswer,
  LiveQuestion,
  LiveSession,
  ModelCost,
  PermissionRequest,
  QueuedPrompt,
  SessionCapabilities,
  SessionChanges,
  SubmitOptions,
  SubmitOutcome,
  ToolState,
} from '@robota-sdk/agent-sdk';
import type { ConversationBlock, ConversationState } from '@robota-sdk/agent-transcript';
import type { PermissionDecisionMessage } from '../protocol.ts';
import { Connection } from './connection.ts';
import { RemoteDesk } from './remote-desk.ts';
import { RemoteError } from './remote-error.ts';
import type { RemoteSessionEvents } from './remote-events.ts';
import type { ServerAddress } from './server-address.ts';
import { type FetchLike, type SocketConstructor, socketConstructor } from './socket.ts';

export interface RemoteSessionOptions extends ServerAddress {
  readonly sessionId: string;
  /** Which agent's session, where the server would not find it by the id alone. */
  readonly agent?: string | undefined;
  /** The id of this surface, the same after every reconnect. */
  readonly surface?: string | undefined;
  /** Where the platform has none, such as Node 20: that of the package `ws`. */
  readonly WebSocket?: SocketConstructor | undefined;
  readonly fetch?: FetchLike | undefined;
  /** The first wait before a broken line is taken up again; doubled up to `maxReconnectMs`. */
  readonly minReconnectMs?: number | undefined;
  readonly maxReconnectMs?: number | undefined;
  /** Between two signs of life; a line that is silent this long is given up. */
  readonly pingMs?: number | undefined;
}

/** A session on a server, used like a local one. A broken line is taken up again, and nothing is missed or told twice. */
export class RemoteSession implements LiveSession {
  readonly sessionId: string;
  readonly #options: RemoteSessionOptions;
  readonly #desk: RemoteDesk;
  readonly #connection: Connection;
  #isShutDown = false;

  constructor(options: RemoteSessionOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#desk = new RemoteDesk((message) => this.#connection.send(message));
    this.#connection = new Connection({
      address: options,
      sessionId: options.sessionId,
      Socket: socketConstructor(options.WebSocket),
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      pingMs: options.pingMs ?? 20_000,
      minDelayMs: options.minReconnectMs ?? 250,
      maxDelayMs: options.maxReconnectMs ?? 10_000,
      resumePoint: () => {
        const { agent, surface } = options;
        return { ...this.#desk.resumePoint(), agent, surface };
      },
      onMessage: (message) => {
        if (!this.#desk.take(message)) this.#connection.reconnect();
      },
      onState: (state) => this.#desk.connectionChanged(state),
    });
    this.#connection.connect();
  }

  get agent(): string {
    return this.#desk.view.facts.agent;
  }

  get nativeId(): string | undefined {
    return this.#desk.view.facts.nativeId;
  }

  get access(): 'drive' | 'lost' {
    return this.#desk.view.facts.access === 'drive' ? 'drive' : 'lost';
  }

  getCapabilities(): SessionCapabilities {
    return this.#desk.view.facts.capabilities;
  }

  on<Event extends keyof RemoteSessionEvents>(
    event: Event,
    listener: RemoteSessionEvents[Event],
  ): this {
    this.#desk.events.on(event, listener);
    return this;
  }

  off<Event extends keyof RemoteSessionEvents>(
    event: Event,
    listener: RemoteSessionEvents[Event],
  ): this {
    this.#desk.events.off(event, listener);
    return this;
  }

  /** Resolves when the session's state has arrived; rejects when the server refuses. */
  whenReady(): Promise<void> {
    return this.#desk.ready;
  }

  /** Resolves with how this very prompt ended, however often the line breaks meanwhile. */
  async submit(
    input: string,
    _displayInput?: string,
    _rawInput?: string,
    options: SubmitOptions = {},
  ): Promise<SubmitOutcome> {
    if (this.#isShutDown) throw new RemoteError('session_closed', 'The session was left.');
    if (input.trim() === '' && !options.parts?.length) {
      return { status: 'refused', reason: 'The prompt is empty.' };
    }
    return this.#desk.submit(input, options);
  }

  /** Null when there is no such command. */
  async executeCommand(name: string, args = ''): Promise<CommandResult | null> {
    try {
      return await this.#desk.executeCommand(name, args);
    } catch (error) {
      if (error instanceof RemoteError && error.code === 'unknown_command') return null;
      throw error;
    }
  }

  /** The first answer counts; who gave it is known to the server by the token. */
  answer(questionId: string, answer: LiveAnswer): Promise<boolean> {
    return this.#desk.answer(questionId, answer);
  }

  /** False when the request is unknown or somebody answered before. */
  answerPermission(requestId: string, decision: PermissionDecisionMessage): Promise<boolean> {
    return this.#desk.answerPermission(requestId, decision);
  }

  /** Resolves when nothing of the turn runs any more; without a line, as soon as there is one. */
  async abort(): Promise<void> {
    await this.#desk.act({ type: 'abort' });
  }

  async cancelQueue(): Promise<void> {
    await this.#desk.act({ type: 'cancel_queue' });
  }

  async change({ permissionMode, ...changes }: SessionChanges): Promise<void> {
    const asked = { ...changes, permission_mode: permissionMode };
    await this.#desk.act({ type: 'change', changes: asked });
  }

  async compact(instructions?: string): Promise<void> {
    await this.#desk.act({ type: 'compact', instructions });
  }

  async fork(): Promise<RemoteSession> {
    const { forked } = await this.#desk.act({ type: 'fork' });
    if (forked === undefined) throw new RemoteError('internal', 'The server named no copy.');
    const copy = new RemoteSession({ ...this.#options, agent: undefined, sessionId: forked });
    await copy.whenReady();
    return copy;
  }

  rewind(): Promise<void> {
    const message = 'A session cannot go back from here.';
    return Promise.reject(new RemoteError('not_supported', message));
  }

  isConnected(): boolean {
    return this.#connection.isOpen;
  }

  isExecuting(): boolean {
    return this.#desk.view.isExecuting;
  }

  getQueue(): readonly QueuedPrompt[] {
    return this.#desk.view.queue;
  }

  getBlocks(): readonly ConversationBlock[] {
    return this.#desk.view.conversation.blocks;
  }

  getConversation(): ConversationState {
    return this.#desk.view.conversation;
  }

  /** The number of the entry of the last event heard. */
  getLastSequence(): number {
    return this.#desk.sequence;
  }

  getStreamEpoch(): string {
    return this.#desk.epoch;
  }

  getStreamingText(): string {
    return this.#desk.view.streamingText;
  }

  getActiveTools(): ToolState[] {
    return [...this.#desk.view.tools.values()];
  }

  getContextState(): ContextWindowState {
    return this.#desk.view.context;
  }

  getSaveProblem(): string | undefined {
    return undefined;
  }

  async getCosts(): Promise<ModelCost[]> {
    return (await this.#desk.act({ type: 'costs' })).costs ?? [];
  }

  getMessageCount(): number {
    return this.#desk.view.messageCount;
  }

  getQuestions(): readonly LiveQuestion[] {
    return [...this.#desk.view.questions.values()];
  }

  getPendingPermissions(): PermissionRequest[] {
    return [...this.#desk.view.permissions.values()];
  }

  getModel(): string | undefined {
    return this.#desk.view.facts.model;
  }

  getPermissionMode(): PermissionMode | undefined {
    return this.#desk.view.facts.permissionMode;
  }

  getName(): string | undefined {
    return this.#desk.view.facts.name;
  }

  getCwd(): string | undefined {
    return this.#desk.view.facts.cwd;
  }

  listCommands(): { readonly name: string; readonly description: string }[] {
    return this.#desk.view.facts.commands.map((name) => ({ name, description: '' }));
  }

  listTools(): string[] {
    return [...this.#desk.view.toolNames];
  }

  getCommandSources(): [] {
    return [];
  }

  /** Hangs up; the session goes on without us. */
  close(): void {
    this.#connection.close();
  }

  /** The same as `close`: what the server holds is not ours to end. */
  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    this.#connection.close();
  }
}
