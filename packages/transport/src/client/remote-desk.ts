import type { CommandResult } from '@robota-sdk/agent-sdk';
import type {
  ClientMessage,
  PermissionDecisionMessage,
  Reply,
  ResumePoint,
  ServerMessage,
  SessionEvent,
} from '../protocol.ts';
import type { ConnectionState } from './connection.ts';
import { PendingRequests } from './pending-requests.ts';
import { RemoteError } from './remote-error.ts';
import { RemoteEvents } from './remote-events.ts';
import { outcomeOf, type RemoteOutcome } from './remote-outcome.ts';
import { RemoteView } from './remote-view.ts';
import { tellEvent } from './tell-event.ts';

/** Holds the parts of one remote session together: what is shown, who waits for what, and who is told. */
export class RemoteDesk {
  readonly events = new RemoteEvents();
  readonly view = new RemoteView();
  readonly ready: Promise<void>;
  readonly #send: (message: ClientMessage) => boolean;
  readonly #prompts = new PendingRequests<RemoteOutcome>();
  readonly #commands = new PendingRequests<CommandResult>();
  readonly #answers = new PendingRequests<boolean>();
  /** Said again after every break, until the result is here; the server takes each message id once. */
  readonly #unanswered = new Map<string, ClientMessage>();
  #unsent: ClientMessage[] = [];
  #seq: number | undefined;
  #epoch: string | undefined;
  #isClosed = false;
  #settleReady: { resolve: () => void; reject: (error: Error) => void } | undefined;

  constructor(send: (message: ClientMessage) => boolean) {
    this.#send = send;
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    // Whoever does not wait for it hears of a refusal through `connection`.
    this.ready.catch(() => undefined);
  }

  resumePoint(): ResumePoint {
    return { after: this.#seq, epoch: this.#epoch };
  }

  submit(input: string, messageId = freshId()): Promise<RemoteOutcome> {
    if (this.#isClosed) return Promise.reject(closedError());
    const message: ClientMessage = {
      type: 'user',
      message: { content: input },
      message_id: messageId,
    };
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

  /** Said now, or as soon as there is a line. */
  say(message: ClientMessage): void {
    if (!this.#send(message)) this.#unsent.push(message);
  }

  connectionChanged(state: ConnectionState): void {
    if (state.state === 'open') this.#catchUp();
    else this.#lineLost();
    if (state.state === 'closed') this.#close(state);
    this.events.emit('connection', state);
  }

  /** False when an event is missing, and the line has to be taken anew. */
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
    this.say(message);
    return answer;
  }

  #takeEvent(event: SessionEvent): boolean {
    const expected = (this.#seq ?? 0) + 1;
    if (event.seq < expected) return true;
    if (event.seq > expected) return false;
    this.#seq = event.seq;
    this.view.apply(event);
    tellEvent(event, this.view, this.events);
    if (event.type === 'result') this.#settlePrompt(event.message_id, outcomeOf(event));
    return true;
  }

  #takeReply(reply: Reply): void {
    switch (reply.type) {
      case 'init':
        // With a number of our own the events that follow go on from it; otherwise a snapshot comes next.
        this.#epoch = reply.epoch;
        if (this.#seq !== undefined) this.#settleReady?.resolve();
        break;
      case 'snapshot': {
        const isFirst = this.#seq === undefined;
        this.#seq = reply.seq;
        this.#epoch = reply.epoch;
        this.view.reset(reply);
        if (!isFirst) this.events.emit('resync', reply);
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
  }

  #settlePrompt(messageId: string, outcome: RemoteOutcome): void {
    this.#unanswered.delete(messageId);
    this.#prompts.resolve(messageId, outcome);
  }

  #catchUp(): void {
    for (const message of this.#unanswered.values()) this.#send(message);
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const message of unsent) this.say(message);
  }

  /** A prompt can be asked again, for the server knows its id; what a command did cannot be known. */
  #lineLost(): void {
    const kept = new Set(
      this.#unsent.map((message) => {
        if (message.type === 'command') return message.message_id;
        return message.type === 'permission_response' ? message.request_id : undefined;
      }),
    );
    const lost = 'The connection broke before the answer came.';
    this.#commands.rejectExcept(kept, 'connection_lost', lost);
    this.#answers.rejectExcept(kept, 'connection_lost', lost);
  }

  #close({ error, reason }: Extract<ConnectionState, { state: 'closed' }>): void {
    this.#isClosed = true;
    const failure = error ?? closedError(reason);
    this.#settleReady?.reject(failure);
    this.#unsent = [];
    const nobody = new Set<string | undefined>();
    for (const pending of [this.#prompts, this.#commands, this.#answers]) {
      pending.rejectExcept(nobody, failure.code, failure.message);
    }
  }
}

const REPLIES_WITH_NUMBER = new Set<ServerMessage['type']>(['init', 'snapshot', 'prompt_accepted']);

function closedError(reason = 'closed here'): RemoteError {
  return new RemoteError(
    'connection_closed',
    `The connection to the session is closed: ${reason}.`,
  );
}

/** `randomUUID` exists only in secure contexts; this one everywhere. */
function freshId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
