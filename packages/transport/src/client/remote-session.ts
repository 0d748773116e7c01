import type { ContextWindowState } from '@robota-sdk/agent-core';
import type { CommandResult, PermissionRequest, ToolState } from '@robota-sdk/agent-sdk';
import type { ConversationBlock, ConversationState } from '@robota-sdk/agent-transcript';
import type { PermissionDecisionMessage } from '../protocol.ts';
import { Connection } from './connection.ts';
import { RemoteDesk } from './remote-desk.ts';
import type { RemoteSessionEvents } from './remote-events.ts';
import type { RemoteOutcome } from './remote-outcome.ts';
import type { ServerAddress } from './server-address.ts';
import { type FetchLike, type SocketConstructor, socketConstructor } from './socket.ts';

export interface RemoteSessionOptions extends ServerAddress {
  readonly sessionId: string;
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
export class RemoteSession {
  readonly sessionId: string;
  readonly #desk: RemoteDesk;
  readonly #connection: Connection;

  constructor(options: RemoteSessionOptions) {
    this.sessionId = options.sessionId;
    this.#desk = new RemoteDesk((message) => this.#connection.send(message));
    this.#connection = new Connection({
      address: options,
      sessionId: options.sessionId,
      Socket: socketConstructor(options.WebSocket),
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      pingMs: options.pingMs ?? 20_000,
      minDelayMs: options.minReconnectMs ?? 250,
      maxDelayMs: options.maxReconnectMs ?? 10_000,
      resumePoint: () => this.#desk.resumePoint(),
      onMessage: (message) => {
        if (!this.#desk.take(message)) this.#connection.reconnect();
      },
      onState: (state) => this.#desk.connectionChanged(state),
    });
    this.#connection.connect();
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
  submit(input: string, options: { readonly messageId?: string } = {}): Promise<RemoteOutcome> {
    return this.#desk.submit(input, options.messageId);
  }

  /** Rejects with code `unknown_command` when there is no such command. */
  executeCommand(name: string, args = ''): Promise<CommandResult> {
    return this.#desk.executeCommand(name, args);
  }

  /** False when the request is unknown or somebody answered before. */
  answerPermission(requestId: string, decision: PermissionDecisionMessage): Promise<boolean> {
    return this.#desk.answerPermission(requestId, decision);
  }

  /** Stops the running prompt and empties the queue; without a line, as soon as there is one. */
  abort(): void {
    this.#desk.say({ type: 'abort' });
  }

  cancelQueue(): void {
    this.#desk.say({ type: 'cancel_queue' });
  }

  isConnected(): boolean {
    return this.#connection.isOpen;
  }

  isExecuting(): boolean {
    return this.#desk.view.isExecuting;
  }

  getBlocks(): readonly ConversationBlock[] {
    return this.#desk.view.conversation.blocks;
  }

  getConversation(): ConversationState {
    return this.#desk.view.conversation;
  }

  /** The number of the last event heard. */
  getLastSequence(): number {
    return this.#desk.resumePoint().after ?? 0;
  }

  getStreamingText(): string {
    return this.#desk.view.streamingText;
  }

  getActiveTools(): ToolState[] {
    return [...this.#desk.view.tools.values()];
  }

  getContextState(): ContextWindowState | undefined {
    return this.#desk.view.context;
  }

  getPendingPermissions(): PermissionRequest[] {
    return [...this.#desk.view.permissions.values()];
  }

  /** Hangs up; the session goes on without us. */
  close(): void {
    this.#connection.close();
  }
}
