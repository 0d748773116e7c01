import type { ToolUseBlock } from '../../blocks.ts';
import { asArray, asId, asRecord, type JsonRecord } from '../../json-record.ts';
import { type JsonRpcConnection, JsonRpcError } from '../../process/json-rpc.ts';
import type { AgentQuery, TurnOutcome } from '../agent-architecture-adapter.ts';
import type { LiveTurn } from '../live-turn.ts';
import { askPermission } from '../permission-question.ts';
import type { RpcTurn } from '../rpc-turn.ts';
import { callNameOf } from './acp-call.ts';
import { promptParts } from './prompt-parts.ts';
import { toAcpOutcome, toAcpQuestion } from './questions.ts';

interface TurnParts {
  readonly connection: JsonRpcConnection;
  readonly live: LiveTurn;
  readonly query: AgentQuery;
  readonly title: string;
  /** Whether the agent's capabilities include images. */
  readonly takesImages: boolean;
}

/** One prompt in an open session. */
export class AcpTurn implements RpcTurn {
  readonly #parts: TurnParts;
  readonly #sessionId: string;
  readonly #stopped = new AbortController();
  #isAsked = false;

  constructor(parts: TurnParts, sessionId: string) {
    this.#parts = parts;
    this.#sessionId = sessionId;
  }

  readonly listener = {
    // Messages replayed from the past, and of other sessions of the program, do not belong to this turn.
    onMessage: (message: JsonRecord) => {
      const { sessionId } = asRecord(message.params);
      if (this.#isAsked && sessionId === this.#sessionId) this.#parts.live.handle(message);
    },
    onRequest: (method: string, params: JsonRecord, message: JsonRecord) =>
      this.#answerPermission(method, params, message),
  };

  async run(): Promise<TurnOutcome> {
    const { connection, live, query, title, takesImages } = this.#parts;
    if (query.images?.length && !takesImages) {
      return { status: 'failed', reason: `${title} takes no images` };
    }
    const sessionId = this.#sessionId;
    live.emit([{ type: 'metadata_update', metadata: { sessionId }, conversationId: 'main' }]);
    const params = { sessionId, prompt: promptParts(query) };
    live.handle({ method: 'session/prompt', params });
    this.#isAsked = true;
    if (query.signal?.aborted) this.interrupt();
    try {
      const result = await connection.request('session/prompt', params);
      live.handle({ result });
      return outcomeOf(result.stopReason);
    } catch (error) {
      if (error instanceof JsonRpcError) return { status: 'failed', reason: error.message };
      return { status: 'interrupted', reason: `${title} ended during the turn` };
    }
  }

  interrupt(): void {
    this.#stopped.abort();
    this.#parts.connection.notify('session/cancel', { sessionId: this.#sessionId });
  }

  /** The log is written from the events, so it contains nothing that was not emitted. */
  async findTranscript(): Promise<undefined> {
    return undefined;
  }

  async #answerPermission(
    method: string,
    params: JsonRecord,
    message: JsonRecord,
  ): Promise<unknown> {
    if (method !== 'session/request_permission') throw new Error(`${method} is not supported`);
    const { query } = this.#parts;
    const call = asRecord(params.toolCall);
    const known = this.#find(asId(call.toolCallId));
    const question = toAcpQuestion(params, {
      id: `${this.#sessionId}:${String(message.id)}`,
      toolName: callNameOf(call) ?? known?.toolName,
    });
    const asked = known === undefined ? question : { ...question, toolUseId: known.toolUseId };
    const answer = await askPermission(query.onPermissionRequest, asked, this.#stopped.signal);
    return { outcome: toAcpOutcome(answer, asArray(params.options), this.#stopped.signal) };
  }

  /** The latest call with this id, or with a suffix that made it unique. */
  #find(callId: string | undefined): ToolUseBlock | undefined {
    const isMatch = (id: string) => id === callId || id.startsWith(`${callId}@`);
    return this.#parts.live.state.blocks
      .filter((block) => block.type === 'tool_use')
      .findLast((block) => isMatch(block.toolUseId));
  }
}

function outcomeOf(stopReason: unknown): TurnOutcome {
  switch (stopReason) {
    case 'end_turn':
      return { status: 'completed' };
    case 'cancelled':
      return { status: 'interrupted', reason: 'The turn was interrupted' };
    default:
      return {
        status: 'failed',
        reason: `The turn ended early: ${STOPS[String(stopReason)] ?? String(stopReason)}`,
      };
  }
}

const STOPS: Readonly<Record<string, string>> = {
  max_tokens: 'the answer became too long',
  max_turn_requests: 'the agent asked its model too often',
  refusal: 'the agent refused to go on',
};
