import {
  applyStreamEvent,
  type ConversationBlock,
  type ConversationState,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import type {
  ClientMessage,
  ServerMessage,
  SessionEvent,
  Snapshot,
} from '@robota-sdk/agent-transport/protocol';
import type { SessionRow } from '../../src/api-types.ts';

/** Session events without position and session id, which the fake adds. */
type WithoutNumber<Event> = Event extends unknown
  ? Omit<Event, 'seq' | 'part' | 'session_id'>
  : never;
const CAPABILITIES = {
  prompt: true,
  abort: true,
  queue: true,
  compact: true,
  fork: true,
  rename: true,
  setModel: true,
  permissionModes: [],
  images: true,
  questions: true,
  deltas: true,
  steer: false,
  rewind: false,
};

export type SessionFact = WithoutNumber<SessionEvent>;

export interface FakeSessionOptions {
  readonly row: SessionRow;
  readonly blocks?: readonly ConversationBlock[] | undefined;
  readonly subagents?: ConversationState['subagents'] | undefined;
  readonly superseded?: ConversationState['superseded'] | undefined;
  readonly metadata?: ConversationState['metadata'] | undefined;
  readonly contextTokens?: number | undefined;
  /** A conversation too long to hold; blocks are generated on request. */
  readonly long?: LongConversation | undefined;
}

export interface LongConversation {
  readonly total: number;
  readonly at: (ordinal: number) => ConversationBlock;
}

export interface FakeClient {
  send(message: ServerMessage): void;
  close(): void;
}

/** A session scripted by a test, numbered and resumable like a real one. */
export class FakeSession {
  readonly row: SessionRow;
  readonly prompts: string[] = [];
  /** Prompts as received, including images. */
  readonly contents: unknown[] = [];
  readonly answers: { requestId: string; decision: string }[] = [];
  readonly clients = new Set<FakeClient>();
  onPrompt: ((text: string, messageId: string) => void) | undefined;
  onAbort: (() => void) | undefined;
  #journal: SessionEvent[] = [];
  #conversation: ConversationState;
  #isExecuting = false;
  #questions = new Map<string, Snapshot['questions'][number]>();
  readonly long: LongConversation | undefined;
  readonly #contextTokens: number;
  #epoch = 'first';

  constructor(options: FakeSessionOptions) {
    this.row = options.row;
    this.long = options.long;
    this.#contextTokens = options.contextTokens ?? 41_200;
    this.#conversation = {
      ...EMPTY_CONVERSATION,
      blocks: options.blocks ?? [],
      subagents: options.subagents ?? [],
      superseded: options.superseded ?? [],
      metadata: options.metadata ?? {},
    };
  }

  get blocks(): readonly ConversationBlock[] {
    return this.#conversation.blocks;
  }

  get threads(): ConversationState['subagents'] {
    return this.#conversation.subagents;
  }

  join(
    client: FakeClient,
    resume: {
      after?: number | undefined;
      epoch?: string | undefined;
      tail?: number | undefined;
    },
  ): void {
    client.send({
      type: 'init',
      session_id: this.row.id,
      epoch: this.#epoch,
      seq: this.#journal.length,
      part: 0,
      agent: 'robota',
      access: 'drive',
      capabilities: CAPABILITIES,
      permission_mode: 'default',
      commands: [],
    });
    const isKnown = resume.epoch === this.#epoch && resume.after !== undefined;
    if (isKnown) for (const event of this.#journal.slice(resume.after)) client.send(event);
    else client.send(this.#snapshot(resume.tail));
    this.clients.add(client);
  }

  tell(fact: SessionFact): void {
    const event = {
      ...fact,
      seq: this.#journal.length + 1,
      part: 0,
      session_id: this.row.id,
    } as SessionEvent;
    this.#journal.push(event);
    if (event.type === 'stream_event') this.#apply(event.event);
    if (event.type === 'thinking') this.#isExecuting = event.is_thinking;
    if (event.type === 'question') this.#questions.set(event.question.id, event.question);
    if (event.type === 'question_resolved') this.#questions.delete(event.question_id);
    for (const client of this.clients) client.send(event);
  }

  /** Simulates a server restart: the history is in the snapshot, and positions start again. */
  restart(): void {
    this.#epoch = `${this.#epoch}-again`;
    this.#journal = [];
    for (const client of this.clients) client.close();
    this.clients.clear();
  }

  hear(client: FakeClient, message: ClientMessage): void {
    const session_id = this.row.id;
    switch (message.type) {
      case 'user': {
        const { content } = message.message;
        const text =
          typeof content === 'string'
            ? content
            : content.map((part) => ('text' in part ? part.text : '')).join('');
        const messageId = message.message_id ?? 'none';
        this.prompts.push(text);
        this.contents.push(content);
        client.send({
          type: 'prompt_accepted',
          session_id,
          message_id: messageId,
          seq: this.#journal.length,
          part: 0,
        });
        this.onPrompt?.(text, messageId);
        return;
      }
      case 'permission_response': {
        const { request_id, decision } = message;
        const accepted = this.#questions.has(request_id);
        client.send({ type: 'permission_answer', session_id, request_id, accepted });
        if (!accepted) return;
        this.answers.push({ requestId: request_id, decision });
        this.tell({ type: 'question_resolved', question_id: request_id, how: 'answered' });
        return;
      }
      case 'abort':
        this.onAbort?.();
        return;
      case 'ping':
        client.send({ type: 'pong' });
        return;
      default:
    }
  }

  says(event: StreamEvent): void {
    this.tell({ type: 'stream_event', event });
  }

  #tail(count: number): { blocks: readonly ConversationBlock[]; before: number } {
    const { long } = this;
    if (!long) {
      const before = Math.max(0, this.blocks.length - count);
      return { blocks: this.blocks.slice(before), before };
    }
    const before = long.total - count;
    return { blocks: Array.from({ length: count }, (_, at) => long.at(before + at)), before };
  }

  #apply(event: StreamEvent): void {
    this.#conversation = applyStreamEvent(this.#conversation, event);
  }

  #snapshot(tail = Number.MAX_SAFE_INTEGER): Snapshot {
    const { subagents, superseded, metadata } = this.#conversation;
    const { blocks, before } = this.#tail(tail);
    const usedTokens = this.#contextTokens;
    return {
      type: 'snapshot',
      session_id: this.row.id,
      epoch: this.#epoch,
      seq: this.#journal.length,
      part: 0,
      agent: 'robota',
      access: 'drive',
      capabilities: CAPABILITIES,
      permission_mode: 'default',
      commands: [],
      conversation: { blocks, subagents, superseded, metadata },
      before: { main: before },
      is_executing: this.#isExecuting,
      pending_prompt: null,
      pending_permissions: [],
      questions: [...this.#questions.values()],
      queue: [],
      message_count: 0,
      tools: [],
      streaming_text: '',
      active_tools: [],
      context: {
        maxTokens: 200_000,
        usedTokens,
        usedPercentage: (usedTokens / 200_000) * 100,
        remainingPercentage: 100 - (usedTokens / 200_000) * 100,
      },
    };
  }
}
