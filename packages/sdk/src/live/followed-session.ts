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

/** Which session is followed, and how. */
export interface FollowedSessionOptions extends FollowOptions {
  /** The agent, by type. */
  readonly type: string;
  readonly sessionId: string;
  /** The transcript, where it is known; otherwise it is looked for by the id. */
  readonly path?: string | undefined;
  readonly name?: string | undefined;
  readonly cwd?: string | undefined;
}

/** A session that another process writes, ours or a foreign one's: looked at, never touched. */
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

  /** Looks now; when it returns, everything that was written before the call has been told. */
  async refresh(): Promise<void> {
    await this.whenReady();
    await this.#transcript?.refresh();
    // What was queued for the reader is told in the turns that follow.
    await new Promise((resolve) => setImmediate(resolve));
  }

  getConversation() {
    return this.#view.conversation;
  }

  getLastSequence(): number {
    return this.#sequence;
  }

  /** Numbers are counted here, from when the following began. */
  getStreamEpoch(): string {
    return this.#epoch;
  }

  /** Whether a tool is being waited for, which is all that a transcript says of a running turn. */
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

  /** Ends the following; the session itself is not touched. */
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
      for await (const event of events) this.#tell(event);
    } catch (error) {
      this.#view.events.emit('error', error instanceof Error ? error : new Error(String(error)));
    }
  }

  #tell(event: FollowedEvent): void {
    if (event.type === 'opened') return;
    this.#sequence += 1;
    if (event.type === 'resync') this.#view.replace(event.conversation);
    else {
      this.#hearPrompt(event.event);
      this.#view.hear(event.event, this.#sequence);
    }
  }

  /** A turn begins where somebody says something. */
  #hearPrompt(event: StreamEvent): void {
    if (event.type !== 'block_complete' || event.conversationId !== 'main') return;
    const { block } = event;
    if (block.type !== 'user_message') return;
    this.#view.beginTurn();
    const { content } = block;
    const text = typeof content === 'string' ? content : '';
    this.#view.events.emit('user_message', text);
  }
}
