import { randomUUID } from 'node:crypto';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type {
  FollowedEvent,
  FollowedTranscript,
  FollowOptions,
} from '@robota-sdk/agent-transcript/architectures';
import { toAgentName } from '@robota-sdk/agent-transcript/blocks';
import { BlocksView } from './blocks-view.ts';
import type { LiveSessionEvents, SessionNotice } from './live-session-events.ts';
import { type SessionCapabilities, VIEW_ONLY } from './session-capabilities.ts';
import type { SessionView } from './session-view.ts';

/** Options for following a session that another program writes. */
export interface FollowedSessionOptions extends FollowOptions {
  /** The agent's type. */
  readonly type: string;
  readonly sessionId: string;
  /** The transcript's path; looked up by the id by default. */
  readonly path?: string | undefined;
  readonly name?: string | undefined;
  readonly cwd?: string | undefined;
}

/** A read-only view of a session that another process writes, of any agent. */
export class FollowedSession implements SessionView {
  readonly sessionId: string;
  readonly agent: string;
  readonly nativeId: string;
  readonly #options: FollowedSessionOptions;
  readonly #epoch = randomUUID();
  readonly #view = new BlocksView();
  #transcript: FollowedTranscript | undefined;
  #opening: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #sequence = 0;

  constructor(options: FollowedSessionOptions) {
    this.#options = options;
    this.sessionId = options.sessionId;
    this.nativeId = options.sessionId;
    this.agent = toAgentName(options.type);
  }

  getCapabilities(): SessionCapabilities {
    return VIEW_ONLY;
  }

  on<Event extends keyof LiveSessionEvents>(
    event: Event,
    listener: LiveSessionEvents[Event],
  ): this {
    this.#view.events.on(event, listener);
    return this;
  }

  off<Event extends keyof LiveSessionEvents>(
    event: Event,
    listener: LiveSessionEvents[Event],
  ): this {
    this.#view.events.off(event, listener);
    return this;
  }

  whenReady(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** When it resolves, everything written before the call has been emitted. */
  async refresh(): Promise<void> {
    await this.whenReady();
    await this.#transcript?.refresh();
    // Lets the reader emit the events that are already queued.
    await new Promise((resolve) => setImmediate(resolve));
  }

  getConversation() {
    return this.#view.conversation;
  }

  getLastSequence(): number {
    return this.#sequence;
  }

  /** Numbers are counted by this view, so another view has another epoch. */
  getStreamEpoch(): string {
    return this.#epoch;
  }

  /** Whether a tool is running, which is all that a transcript shows of a running turn. */
  isExecuting(): boolean {
    return this.#view.tools.length > 0;
  }

  getStreamingText(): string {
    return this.#view.text;
  }

  getActiveTools() {
    return this.#view.tools;
  }

  getContextState() {
    return this.#view.context;
  }

  getSaveProblem(): string | undefined {
    return undefined;
  }

  getOpeningNotices(): readonly SessionNotice[] {
    return [];
  }

  getCosts() {
    return this.#view.costs();
  }

  getMessageCount(): number {
    return this.#view.messageCount;
  }

  getQuestions(): [] {
    return [];
  }

  getModel(): string | undefined {
    return this.#view.model;
  }

  getPermissionMode(): undefined {
    return undefined;
  }

  getName(): string | undefined {
    const { name } = this.#view.conversation.metadata;
    return typeof name === 'string' ? name : this.#options.name;
  }

  getCwd(): string | undefined {
    const { cwd } = this.#view.conversation.metadata;
    return typeof cwd === 'string' ? cwd : this.#options.cwd;
  }

  /** Stops following; the session itself is not affected. */
  async shutdown(): Promise<void> {
    await this.#transcript?.stop();
    await this.#reading;
  }

  async #open(): Promise<void> {
    const { followTranscript } = await import('@robota-sdk/agent-transcript/architectures');
    const { type, sessionId, path, name: _name, cwd: _cwd, ...options } = this.#options;
    const transcript = followTranscript(type, path ?? sessionId, options);
    this.#transcript = transcript;
    const events = transcript[Symbol.asyncIterator]();
    const first = await events.next();
    if (!first.done && first.value.type === 'opened') this.#view.restore(first.value.conversation);
    this.#reading = this.#read(events);
  }

  async #read(events: AsyncIterable<FollowedEvent>): Promise<void> {
    try {
      for await (const event of events) this.#handle(event);
    } catch (error) {
      this.#view.events.emit('error', error instanceof Error ? error : new Error(String(error)));
    }
  }

  #handle(event: FollowedEvent): void {
    if (event.type === 'opened') return;
    this.#sequence += 1;
    if (event.type === 'resync') this.#view.replace(event.conversation);
    else {
      this.#startTurn(event.event);
      this.#view.handle(event.event, this.#sequence);
    }
  }

  /** A user message starts a turn. */
  #startTurn(event: StreamEvent): void {
    if (event.type !== 'block_complete' || event.conversationId !== 'main') return;
    const { block } = event;
    if (block.type !== 'user_message') return;
    this.#view.beginTurn();
    const { content } = block;
    const text = typeof content === 'string' ? content : '';
    this.#view.events.emit('user_message', text);
  }
}
