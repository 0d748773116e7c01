import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { asRecord, asString, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import type { AgentProcess } from '../../process/agent-process.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { AgentQuery, TurnOutcome } from '../agent-architecture-adapter.ts';
import { LiveTurn } from '../live-turn.ts';
import { askPermission } from '../permission-question.ts';
import { exitedEarly, type ProgramFacts } from '../program-errors.ts';
import { interruptedByExit } from '../turn-outcome.ts';
import { toClaudeDecision, toClaudeQuestion } from './questions.ts';
import { claudeTranscriptSource } from './transcript-source.ts';
import { createClaudeStreamTranslator } from './translate-stream.ts';

export const CLAUDE_FACTS: ProgramFacts = {
  title: 'Claude Code',
  command: 'claude',
  npmPackage: '@anthropic-ai/claude-code',
  oldest: '2.1.200',
  tested: '2.1.325',
};

/** A running `claude` process that answers one turn at a time; output between turns is read as well. */
export class ClaudeConnection {
  readonly #program: AgentProcess;
  readonly #version: string;
  /** Kept between turns, because background tasks of one turn report in another. */
  readonly #translator = createClaudeStreamTranslator();
  readonly #closing = new AbortController();
  #state: 'idle' | 'busy' | 'over' = 'idle';
  /** Receives messages during a turn; `undefined` between turns. */
  #onMessage: ((message: JsonRecord) => void) | undefined;
  #lastQuery: AgentQuery | undefined;
  /** Resolves when the output ends. */
  readonly #outputEnded: Promise<void>;

  constructor(program: AgentProcess, version: string) {
    this.#program = program;
    this.#version = version;
    this.#outputEnded = this.#listen();
    void program.exited.then(() => {
      this.#state = 'over';
    });
  }

  /** Whether it is ready for another message. */
  get isIdle(): boolean {
    return this.#state === 'idle';
  }

  end(): Promise<void> {
    this.#state = 'over';
    this.#closing.abort();
    return this.#program.end();
  }

  async #listen(): Promise<void> {
    for await (const line of this.#program.lines) {
      const message = parseLine(line);
      if (typeof message !== 'object') continue;
      if (this.#onMessage !== undefined) this.#onMessage(message);
      else this.#handleBetweenTurns(message);
    }
  }

  /** Background tasks continue between turns: the transcripts record them, and their questions are asked here. */
  #handleBetweenTurns(message: JsonRecord): void {
    this.#translator.translate(message);
    if (message.type !== 'control_request' || this.#lastQuery === undefined) return;
    void this.#answer(message, this.#lastQuery, this.#closing.signal);
  }

  async *ask(
    query: AgentQuery,
    findTranscript: () => Promise<string | undefined>,
  ): AsyncGenerator<StreamEvent> {
    this.#state = 'busy';
    this.#lastQuery = query;
    const turn = new LiveTurn(claudeTranscriptSource, this.#translator);
    const stop = new AbortController();
    const onAbort = () => stop.abort();
    query.signal?.addEventListener('abort', onAbort);
    if (query.signal?.aborted) stop.abort();
    const running = this.#run(turn, query, { signal: stop.signal, findTranscript });
    running.catch((error: Error) => turn.events.fail(error));
    try {
      yield* turn.events;
    } finally {
      query.signal?.removeEventListener('abort', onAbort);
      stop.abort();
      await running.catch(() => undefined);
    }
  }

  async #run(turn: LiveTurn, query: AgentQuery, { signal, findTranscript }: Watch): Promise<void> {
    const uuid = randomUUID();
    const interruption = this.#interruptOn(signal);
    const reading = this.#read(turn, query, { uuid, signal });
    this.#send({
      type: 'user',
      message: { role: 'user', content: messageContent(query) },
      parent_tool_use_id: null,
      session_id: '',
      uuid,
    });
    const { outcome, hasResponded } = await reading;
    await interruption.settle();
    if (!hasResponded && !signal.aborted) {
      throw exitedEarly(CLAUDE_FACTS, await this.#program.exited, this.#version);
    }
    const needsFiles = turn.state.subagents.length > 0 || outcome.status !== 'completed';
    await turn.end(outcome, needsFiles ? await findTranscript() : undefined);
  }

  async #read(
    turn: LiveTurn,
    query: AgentQuery,
    { uuid, signal }: { uuid: string; signal: AbortSignal },
  ): Promise<{ outcome: TurnOutcome; hasResponded: boolean }> {
    let hasResponded = false;
    let isOurs = false;
    const result = new Promise<JsonRecord>((resolve) => {
      this.#onMessage = (message) => {
        hasResponded ||= message.type !== 'control_response';
        isOurs ||= message.uuid === uuid;
        turn.handle(message);
        if (message.type === 'control_request') void this.#answer(message, query, signal);
        // A turn started by the program itself, for example by a background task, ends before ours.
        const isEnd = message.type === 'result' && (isOurs || message.is_error === true);
        if (!isEnd) return;
        this.#onMessage = undefined;
        resolve(message);
      };
    });
    const ended = await Promise.race([result, this.#outputEnded]);
    this.#onMessage = undefined;
    if (ended !== undefined) {
      if (!signal.aborted) this.#state = 'idle';
      return { outcome: outcomeOf(ended, signal), hasResponded };
    }
    const exit = await this.#program.exited;
    const outcome = interruptedByExit('Claude Code', exit);
    return { outcome: signal.aborted ? ABORTED : outcome, hasResponded };
  }

  /** An interrupt lets the program save its state; then it is ended with its child processes. */
  #interruptOn(signal: AbortSignal): { settle(): Promise<void> } {
    let ending: Promise<void> | undefined;
    const interrupt = () => {
      this.#send({
        type: 'control_request',
        request_id: randomUUID(),
        request: { subtype: 'interrupt' },
      });
      const isOver = this.#program.exited.then(() => undefined);
      ending = Promise.race([wait(INTERRUPT_MS, undefined, { ref: false }), isOver]).then(() =>
        this.end(),
      );
    };
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt, { once: true });
    return {
      settle: async () => {
        signal.removeEventListener('abort', interrupt);
        if (ending !== undefined) await Promise.all([this.end(), ending]);
      },
    };
  }

  async #answer(message: JsonRecord, query: AgentQuery, signal: AbortSignal): Promise<void> {
    const request = asRecord(message.request);
    const requestId = asString(message.request_id) ?? '';
    if (request.subtype !== 'can_use_tool') {
      const error = `${String(request.subtype)} is not supported`;
      this.#send({
        type: 'control_response',
        response: { subtype: 'error', request_id: requestId, error },
      });
      return;
    }
    const question = toClaudeQuestion(requestId, request);
    const answer = await askPermission(query.onPermissionRequest, question, signal);
    const response = toClaudeDecision(answer, request);
    this.#send({
      type: 'control_response',
      response: { subtype: 'success', request_id: requestId, response },
    });
  }

  #send(message: object): void {
    this.#program.writeLine(JSON.stringify(message));
  }
}

interface Watch {
  readonly signal: AbortSignal;
  readonly findTranscript: () => Promise<string | undefined>;
}

function outcomeOf(result: JsonRecord, signal: AbortSignal): TurnOutcome {
  const terminal = asString(result.terminal_reason) ?? '';
  if (signal.aborted || terminal.startsWith('aborted')) return ABORTED;
  if (result.subtype === 'success' && result.is_error !== true) return { status: 'completed' };
  const reason = asString(result.result) ?? asString(result.subtype) ?? 'The turn failed';
  return { status: 'failed', reason };
}

const ABORTED: TurnOutcome = { status: 'interrupted', reason: 'The turn was interrupted' };
const INTERRUPT_MS = 3000;

function messageContent({ query, images = [] }: AgentQuery): string | object[] {
  if (images.length === 0) return query;
  const sent = images.map(({ source: { data, mediaType } }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mediaType, data },
  }));
  return [{ type: 'text', text: query }, ...sent];
}
