import { randomUUID } from 'node:crypto';
import { redactText } from '@robota-sdk/agent-session';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type { AgentQuery, TurnOutcome } from '@robota-sdk/agent-transcript/architectures';
import { InteractiveSession } from '../interactive/interactive-session.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import { EventStream } from './event-stream.ts';
import { putQuestions } from './permission-questions.ts';
import { type QueryEnd, submitQuery } from './submit-query.ts';

/** A session that stays open between queries, so that grants, servers and background tasks persist. */
export class RobotaConversation {
  readonly #session: InteractiveSession;
  /** Events between two turns are emitted at the start of the next one. */
  #events = new EventStream<StreamEvent>();
  #isBusy = false;
  #isClosed = false;

  constructor(options: AssembledSessionOptions) {
    this.#session = new InteractiveSession(options);
    this.#session.on('stream_event', (event) => this.#events.push(event));
    this.#session.on('notice', ({ kind, message }) => {
      if (kind === 'not_saved' || kind === 'extension') this.#events.push(noticeEvent(message));
    });
  }

  /** Whether another query can be submitted. */
  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Runs one turn; its last event is the outcome. Throws when it could not start. Interrupting closes the session. */
  async *ask(query: AgentQuery): AsyncGenerator<StreamEvent> {
    if (this.#isBusy) throw busyError(query.sessionId);
    this.#isBusy = true;
    const ended = new AbortController();
    const stop = () => {
      ended.abort();
      this.#session.abort();
    };
    query.signal?.addEventListener('abort', stop, { once: true });
    const withdraw = putQuestions(this.#session, query.onPermissionRequest, ended.signal);
    try {
      const outcome = yield* this.#answer(query, stop);
      if (outcome.status !== 'completed') ended.abort();
      if (outcome.status === 'interrupted') await this.close();
      yield turnEnded(outcome);
    } finally {
      query.signal?.removeEventListener('abort', stop);
      withdraw();
      this.#isBusy = false;
    }
  }

  /** Stops what is running and saves. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#session.shutdown();
  }

  async *#answer(
    { query, signal }: AgentQuery,
    stop: () => void,
  ): AsyncGenerator<StreamEvent, TurnOutcome> {
    if (signal?.aborted) return INTERRUPTED;
    await this.#begin();
    if (signal?.aborted) return INTERRUPTED;
    const stream = this.#events;
    const turn = submitQuery(this.#session, query).finally(() => this.#endStream());
    // A rejection is rethrown below; a reader that stopped early does not need it.
    turn.catch(() => undefined);
    let isRead = false;
    let hasBegun = false;
    try {
      for await (const event of stream) {
        hasBegun ||= isPrompt(event);
        yield event;
      }
      isRead = true;
    } finally {
      if (!isRead) {
        stop();
        await turn.catch(() => undefined);
        await this.close();
      }
    }
    return outcomeOf(await turn, hasBegun);
  }

  async #begin(): Promise<void> {
    try {
      await this.#session.whenReady();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  #endStream(): void {
    this.#events.end();
    this.#events = new EventStream();
  }
}

const INTERRUPTED: TurnOutcome = { status: 'interrupted', reason: 'The turn was interrupted' };

/** A failure before the prompt was accepted means that the turn has not started. */
function outcomeOf(outcome: QueryEnd, hasBegun: boolean): TurnOutcome {
  switch (outcome.status) {
    case 'completed':
      return { status: 'completed' };
    case 'interrupted':
    case 'superseded':
      return INTERRUPTED;
    case 'refused':
      throw new Error(`The message was not taken: ${outcome.reason}`);
    case 'failed':
      if (!hasBegun) throw outcome.error;
      return { status: 'failed', reason: redactText(outcome.error.message) };
  }
}

function isPrompt(event: StreamEvent): boolean {
  return event.type === 'block_complete' && event.block.type === 'user_message';
}

function turnEnded(lastTurn: TurnOutcome): StreamEvent {
  return { type: 'metadata_update', metadata: { lastTurn }, conversationId: 'main' };
}

/** A notice for the user that is not in the log. */
function noticeEvent(message: string): StreamEvent {
  const block = {
    type: 'system',
    id: `live:main:${randomUUID()}`,
    timestamp: new Date().toISOString(),
    subtype: 'error',
    message: redactText(message),
  } as const;
  return { type: 'block_complete', blockId: block.id, block, conversationId: 'main' };
}

function busyError(sessionId: string): Error {
  const message = `Session ${sessionId} is answering a message; wait for it to end, or abort it`;
  return Object.assign(new Error(message), { code: 'session_busy' });
}
