import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type {
  CommandResult,
  ForkOptions,
  LiveAnswer,
  LiveQuestion,
  LiveSession,
  ModelCost,
  PermissionRequest,
  QueuedPrompt,
  RewindOptions,
  RewindPreview,
  RewindResult,
  SessionCapabilities,
  SessionChanges,
  SessionNotice,
  SubmitOptions,
  SubmitOutcome,
  ToolState,
  UndoRewindOptions,
} from '@robota-sdk/agent-sdk';
import type { ConversationBlock, ConversationState } from '@robota-sdk/agent-transcript';
import type { PermissionDecisionMessage } from '../protocol.ts';
import { Connection } from './connection.ts';
import { RemoteChannel } from './remote-channel.ts';
import { RemoteError } from './remote-error.ts';
import type { RemoteSessionEvents } from './remote-events.ts';
import type { ServerAddress } from './server-address.ts';
import { type FetchLike, type SocketConstructor, socketConstructor } from './socket.ts';

/** Which session of which server, and how to connect. */
export interface RemoteSessionOptions extends ServerAddress {
  readonly sessionId: string;
  /** The session's agent, where its id alone is ambiguous. */
  readonly agent?: string | undefined;
  /** Id of this surface, stable across reconnects. */
  readonly surface?: string | undefined;
  /** Limits a snapshot to the last blocks of each thread; see `getBlocksBefore`. */
  readonly tail?: number | undefined;
  /** For platforms without one, such as Node 20: the `WebSocket` of the package `ws`. */
  readonly WebSocket?: SocketConstructor | undefined;
  readonly fetch?: FetchLike | undefined;
  /** First delay before reconnecting; doubles up to `maxReconnectMs`. */
  readonly minReconnectMs?: number | undefined;
  readonly maxReconnectMs?: number | undefined;
  /** Ping interval; a connection silent for this long is dropped. */
  readonly pingMs?: number | undefined;
}

/** A session on a server, used like a local one. It reconnects by itself; no event is lost or repeated. */
export class RemoteSession implements LiveSession {
  readonly sessionId: string;
  readonly #options: RemoteSessionOptions;
  readonly #channel: RemoteChannel;
  readonly #connection: Connection;
  #isShutDown = false;

  constructor(options: RemoteSessionOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#channel = new RemoteChannel((message) => this.#connection.send(message));
    this.#connection = new Connection({
      address: options,
      sessionId: options.sessionId,
      Socket: socketConstructor(options.WebSocket),
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      pingMs: options.pingMs ?? 20_000,
      minDelayMs: options.minReconnectMs ?? 250,
      maxDelayMs: options.maxReconnectMs ?? 10_000,
      resumePoint: () => {
        const { agent, surface, tail } = options;
        return { ...this.#channel.resumePoint(), agent, surface, tail };
      },
      onMessage: (message) => {
        if (!this.#channel.take(message)) this.#connection.reconnect();
      },
      onState: (state) => this.#channel.connectionChanged(state),
    });
    this.#connection.connect();
  }

  get agent(): string {
    return this.#channel.view.facts.agent;
  }

  get nativeId(): string | undefined {
    return this.#channel.view.facts.nativeId;
  }

  get access(): 'drive' | 'lost' {
    return this.#channel.view.facts.access === 'drive' ? 'drive' : 'lost';
  }

  getCapabilities(): SessionCapabilities {
    return this.#channel.view.facts.capabilities;
  }

  on<Event extends keyof RemoteSessionEvents>(
    event: Event,
    listener: RemoteSessionEvents[Event],
  ): this {
    this.#channel.events.on(event, listener);
    return this;
  }

  off<Event extends keyof RemoteSessionEvents>(
    event: Event,
    listener: RemoteSessionEvents[Event],
  ): this {
    this.#channel.events.off(event, listener);
    return this;
  }

  /** Resolves when the session's state has arrived; rejects when the server refuses. */
  whenReady(): Promise<void> {
    return this.#channel.ready;
  }

  /** Resolves with the outcome of this prompt, across any number of reconnects. */
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
    return this.#channel.submit(input, options);
  }

  /** Null when there is no such command. */
  async executeCommand(name: string, args = ''): Promise<CommandResult | null> {
    try {
      return await this.#channel.executeCommand(name, args);
    } catch (error) {
      if (error instanceof RemoteError && error.code === 'unknown_command') return null;
      throw error;
    }
  }

  /** The first answer counts; the server knows its author from the token. */
  answer(questionId: string, answer: LiveAnswer): Promise<boolean> {
    return this.#channel.answer(questionId, answer);
  }

  /** False when the request is unknown or already answered. */
  answerPermission(requestId: string, decision: PermissionDecisionMessage): Promise<boolean> {
    return this.#channel.answerPermission(requestId, decision);
  }

  /** Resolves when the turn has stopped; while disconnected, it is sent after reconnecting. */
  async abort(): Promise<void> {
    await this.#channel.act({ type: 'abort' });
  }

  async cancelQueue(messageId?: string): Promise<void> {
    await this.#channel.act({ type: 'cancel_queue', prompt_id: messageId });
  }

  async change({ permissionMode, ...changes }: SessionChanges): Promise<void> {
    const asked = { ...changes, permission_mode: permissionMode };
    await this.#channel.act({ type: 'change', changes: asked });
  }

  async compact(instructions?: string): Promise<void> {
    await this.#channel.act({ type: 'compact', instructions });
  }

  /** The server chooses the id of the copy. */
  async fork({ at }: ForkOptions = {}): Promise<RemoteSession> {
    const { forked } = await this.#channel.act({ type: 'fork', at });
    if (forked === undefined) throw new RemoteError('internal', 'The server named no copy.');
    const copy = new RemoteSession({ ...this.#options, agent: undefined, sessionId: forked });
    await copy.whenReady();
    return copy;
  }

  async previewRewind(to: string): Promise<RewindPreview> {
    const { rewind_preview: preview } = await this.#channel.act({ type: 'preview_rewind', to });
    if (preview) return preview;
    throw new RemoteError('internal', 'The server did not say what would change.');
  }

  async rewind({ to, what, conflicts, seen }: RewindOptions): Promise<RewindResult> {
    return rewound(await this.#channel.act({ type: 'rewind', to, what, conflicts, seen }));
  }

  async undoRewind({ conflicts }: UndoRewindOptions = {}): Promise<RewindResult> {
    return rewound(await this.#channel.act({ type: 'undo_rewind', conflicts }));
  }

  isConnected(): boolean {
    return this.#connection.isOpen;
  }

  isExecuting(): boolean {
    return this.#channel.view.isExecuting;
  }

  getQueue(): readonly QueuedPrompt[] {
    return this.#channel.view.queue;
  }

  getBlocks(): readonly ConversationBlock[] {
    return this.#channel.view.conversation.blocks;
  }

  getConversation(): ConversationState {
    return this.#channel.view.conversation;
  }

  /** Number of blocks before the loaded ones of a thread; 0 without a `tail`. */
  getBlocksBefore(thread = 'main'): number {
    return this.#channel.view.before[thread] ?? 0;
  }

  /** Entry number of the last event received. */
  getLastSequence(): number {
    return this.#channel.sequence;
  }

  getStreamEpoch(): string {
    return this.#channel.epoch;
  }

  getStreamingText(): string {
    return this.#channel.view.streamingText;
  }

  getActiveTools(): ToolState[] {
    return [...this.#channel.view.tools.values()];
  }

  getContextState(): ContextWindowState {
    return this.#channel.view.context;
  }

  getSaveProblem(): string | undefined {
    return undefined;
  }

  getOpeningNotices(): readonly SessionNotice[] {
    return this.#channel.view.openingNotices;
  }

  async getCosts(): Promise<ModelCost[]> {
    return (await this.#channel.act({ type: 'costs' })).costs ?? [];
  }

  getMessageCount(): number {
    return this.#channel.view.messageCount;
  }

  getQuestions(): readonly LiveQuestion[] {
    return [...this.#channel.view.questions.values()];
  }

  getPendingPermissions(): PermissionRequest[] {
    return [...this.#channel.view.permissions.values()];
  }

  getModel(): string | undefined {
    return this.#channel.view.facts.model;
  }

  getPermissionMode(): PermissionMode | undefined {
    return this.#channel.view.facts.permissionMode;
  }

  getName(): string | undefined {
    return this.#channel.view.facts.name;
  }

  getCwd(): string | undefined {
    return this.#channel.view.facts.cwd;
  }

  listCommands(): { readonly name: string; readonly description: string }[] {
    return this.#channel.view.facts.commands.map((name) => ({ name, description: '' }));
  }

  listTools(): string[] {
    return [...this.#channel.view.toolNames];
  }

  getCommandSources(): [] {
    return [];
  }

  /** Disconnects; the session keeps running. */
  close(): void {
    this.#connection.close();
  }

  /** Same as `close`: a client does not end the server's session. */
  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    this.#connection.close();
  }
}

function rewound({ rewind }: { readonly rewind?: RewindResult | undefined }): RewindResult {
  if (rewind) return rewind;
  throw new RemoteError('internal', 'The server did not say what was done.');
}
