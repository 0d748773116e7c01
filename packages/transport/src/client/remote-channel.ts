import type {
  CommandResult,
  LiveAnswer,
  SubmitOptions,
  SubmitOutcome,
} from '@robota-sdk/agent-sdk';
import { comparePositions, type EventPosition, formatPosition } from '../live/event-position.ts';
import type {
  ClientMessage,
  PermissionDecisionMessage,
  Reply,
  ResumePoint,
  ServerMessage,
  SessionEvent,
  WireContent,
} from '../protocol.ts';
import type { ConnectionState } from './connection.ts';
import { emitEvent } from './emit-event.ts';
import { PendingRequests } from './pending-requests.ts';
import { RemoteError } from './remote-error.ts';
import { RemoteEvents } from './remote-events.ts';
import { outcomeOf } from './remote-outcome.ts';
import { RemoteView } from './remote-view.ts';

/** The client side of one remote session: its view, pending requests and event listeners. */
export class RemoteChannel {
  readonly events = new RemoteEvents();
  readonly view = new RemoteView();
  readonly ready: Promise<void>;
  readonly #send: (message: ClientMessage) => boolean;
  readonly #prompts = new PendingRequests<SubmitOutcome>();
  readonly #commands = new PendingRequests<CommandResult>();
  readonly #answers = new PendingRequests<boolean>();
  readonly #acts = new PendingRequests<DoneReply>();
  /** Sent again after every reconnect until the result arrives; the server accepts each message id once. */
  readonly #unanswered = new Map<string, ClientMessage>();
  #unsent: ClientMessage[] = [];
  #position: EventPosition | undefined;
  #epoch: string | undefined;
  #isClosed = false;
  #settleReady: { resolve: () => void; reject: (error: Error) => void } | undefined;

  constructor(send: (message: ClientMessage) => boolean) {
    this.#send = send;
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    // Callers that do not await it get a refusal through the `connection` event.
    this.ready.catch(() => undefined);
  }

  resumePoint(): ResumePoint {
    const after = this.#position && formatPosition(this.#position);
    return { after, epoch: this.#epoch };
  }

  /** Number of the last event received. */
  get sequence(): number {
    return this.#position?.seq ?? 0;
  }

  get epoch(): string {
    return this.#epoch ?? '';
  }

  submit(input: string, options: SubmitOptions = {}): Promise<SubmitOutcome> {
    if (this.#isClosed) return Promise.reject(closedError());
    const { messageId = freshId(), parts = [] } = options;
    const content = parts.length === 0 ? input : wireContent(input, parts);
    const message: ClientMessage = { type: 'user', message: { content }, message_id: messageId };
    const outcome = this.#prompts.wait(messageId);
    this.#unanswered.set(messageId, message);
    this.#send(message);
    return outcome;
  }

  executeCommand(name: string, args: string): Promise<CommandResult> {
    const messageId = freshId();
    return this.#request(this.#commands, messageId, {
      type: 'command',
      name,
      args,
      message_id: messageId,
    });
  }

  answerPermission(requestId: string, decision: PermissionDecisionMessage): Promise<boolean> {
    const message: ClientMessage = {
      type: 'permission_response',
      request_id: requestId,
      ...decision,
    };
    return this.#request(this.#answers, requestId, message);
  }

  answer(questionId: string, answer: LiveAnswer): Promise<boolean> {
    const decision = answer === true ? 'allow' : 'deny';
    const given = typeof answer === 'boolean' ? decision : answer;
    const messageId = freshId();
    return this.#request(this.#answers, messageId, {
      type: 'answer',
      question_id: questionId,
      answer: given as Extract<ClientMessage, { type: 'answer' }>['answer'],
      message_id: messageId,
    });
  }

  /** Resolves when the server has done it; rejects when it refuses. */
  act(message: UnsentAct): Promise<DoneReply> {
    const messageId = freshId();
    const asked = { ...message, message_id: messageId } as ClientMessage;
    return this.#request(this.#acts, messageId, asked);
  }

  /** Sends now, or as soon as connected. */
  sendOrQueue(message: ClientMessage): void {
    if (!this.#send(message)) this.#unsent.push(message);
  }

  connectionChanged(state: ConnectionState): void {
    if (state.state === 'open') this.#catchUp();
    else this.#connectionLost();
    if (state.state === 'closed') this.#close(state);
    this.events.emit('connection', state);
  }

  /** False when an event is missing and the client must reconnect. */
  take(message: ServerMessage): boolean {
    if ('seq' in message && !REPLIES_WITH_NUMBER.has(message.type)) {
      return this.#takeEvent(message as SessionEvent);
    }
    this.#takeReply(message as Reply);
    return true;
  }

  #request<Value>(
    pending: PendingRequests<Value>,
    id: string,
    message: ClientMessage,
  ): Promise<Value> {
    if (this.#isClosed) return Promise.reject(closedError());
    const answer = pending.wait(id);
    this.sendOrQueue(message);
    return answer;
  }

  #takeEvent(event: SessionEvent): boolean {
    const { seq, part } = event;
    const before = this.#position;
    if (before && comparePositions(event, before) <= 0) return true;
    // Frames of one entry are numbered, so a gap means a lost event.
    const isNext =
      before === undefined || (before.seq === seq ? part === before.part + 1 : part === 0);
    if (!isNext) return false;
    this.#position = { seq, part };
    this.view.apply(event);
    emitEvent(event, this.view, this.events);
    if (event.type === 'result') this.#settlePrompt(event.message_id, outcomeOf(event));
    return true;
  }

  #takeReply(reply: Reply): void {
    switch (reply.type) {
      case 'init':
        // With a known position, events continue from it; otherwise a snapshot follows.
        this.#epoch = reply.epoch;
        this.view.introduce(reply);
        if (this.#position !== undefined) this.#settleReady?.resolve();
        break;
      case 'snapshot': {
        const isFirst = this.#position === undefined;
        this.#position = { seq: reply.seq, part: reply.part };
        this.#epoch = reply.epoch;
        this.view.reset(reply);
        // Later notices arrive as events.
        if (isFirst) for (const each of reply.notices ?? []) this.events.emit('notice', each);
        else this.events.emit('resync', reply.conversation);
        this.#settleReady?.resolve();
        break;
      }
      case 'prompt_accepted':
        if (reply.result) this.#settlePrompt(reply.message_id, outcomeOf(reply.result));
        break;
      case 'command_result': {
        const { success, message, data } = reply;
        this.#commands.resolve(reply.message_id ?? '', { success, message, ...(data && { data }) });
        break;
      }
      case 'permission_answer':
        this.#answers.resolve(reply.request_id, reply.accepted);
        break;
      case 'answer_result':
        this.#answers.resolve(reply.message_id ?? '', reply.accepted);
        break;
      case 'done':
        this.#acts.resolve(reply.message_id ?? '', reply);
        break;
      case 'protocol_error':
        this.#refused(reply);
        break;
      case 'gap':
      case 'pong':
        break;
    }
  }

  #refused({
    code,
    message,
    message_id: id = '',
  }: Extract<Reply, { type: 'protocol_error' }>): void {
    const error = new RemoteError(code, message);
    if (code === 'session_busy' && this.#prompts.has(id)) {
      this.#settlePrompt(id, { status: 'refused', reason: message });
    }
    this.#unanswered.delete(id);
    this.#prompts.reject(id, error);
    this.#commands.reject(id, error);
    this.#answers.reject(id, error);
    this.#acts.reject(id, error);
  }

  #settlePrompt(messageId: string, outcome: SubmitOutcome): void {
    this.#unanswered.delete(messageId);
    this.#prompts.resolve(messageId, outcome);
  }

  #catchUp(): void {
    for (const message of this.#unanswered.values()) this.#send(message);
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const message of unsent) this.sendOrQueue(message);
  }

  /** A prompt can be sent again, because the server knows its id; whether a command ran is unknown. */
  #connectionLost(): void {
    const kept = new Set(
      this.#unsent.map((message) => {
        if (message.type === 'permission_response') return message.request_id;
        return 'message_id' in message ? message.message_id : undefined;
      }),
    );
    const lost = 'The connection broke before the answer came.';
    this.#commands.rejectExcept(kept, 'connection_lost', lost);
    this.#answers.rejectExcept(kept, 'connection_lost', lost);
    this.#acts.rejectExcept(kept, 'connection_lost', lost);
  }

  #close({ error, reason }: Extract<ConnectionState, { state: 'closed' }>): void {
    this.#isClosed = true;
    const failure = error ?? closedError(reason);
    this.#settleReady?.reject(failure);
    this.#unsent = [];
    const nobody = new Set<string | undefined>();
    for (const pending of [this.#prompts, this.#commands, this.#answers, this.#acts]) {
      pending.rejectExcept(nobody, failure.code, failure.message);
    }
  }
}

type DoneReply = Extract<Reply, { type: 'done' }>;

/** Requests answered with `done`. */
type UnsentAct =
  | { readonly type: 'abort' | 'costs' }
  | Omit<Extract<ClientMessage, { type: 'cancel_queue' }>, 'message_id'>
  | Omit<Extract<ClientMessage, { type: 'fork' }>, 'message_id'>
  | Omit<Extract<ClientMessage, { type: 'preview_rewind' }>, 'message_id'>
  | Omit<Extract<ClientMessage, { type: 'rewind' }>, 'message_id'>
  | Omit<Extract<ClientMessage, { type: 'undo_rewind' }>, 'message_id'>
  | Omit<Extract<ClientMessage, { type: 'change' }>, 'message_id'>
  | Omit<Extract<ClientMessage, { type: 'compact' }>, 'message_id'>;

function wireContent(text: string, parts: NonNullable<SubmitOptions['parts']>): WireContent {
  const images = parts.flatMap((part): Exclude<WireContent, string> => {
    if (part.type === 'image_uri') return [{ type: 'image', url: part.uri }];
    if (part.type !== 'image_inline') return [];
    return [{ type: 'image', media_type: part.mimeType, data: part.data }];
  });
  return text === '' ? images : [{ type: 'text', text }, ...images];
}

const REPLIES_WITH_NUMBER = new Set<ServerMessage['type']>(['init', 'snapshot', 'prompt_accepted']);

function closedError(reason = 'closed here'): RemoteError {
  return new RemoteError(
    'connection_closed',
    `The connection to the session is closed: ${reason}.`,
  );
}

/** `crypto.randomUUID` exists only in secure contexts. */
function freshId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
