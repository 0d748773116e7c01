import { randomUUID } from 'node:crypto';
import {
  type AgentContext,
  type ClientCapabilities,
  methods,
  type PromptRequest,
  type PromptResponse,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type {
  LiveQuestion,
  LiveSession,
  LiveSessionEvents,
  SubmitOutcome,
} from '@robota-sdk/agent-sdk';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { runSessionCommand } from '../live/run-session-command.ts';
import { toWireError } from '../live/wire-error.ts';
import { AcpUpdates } from './acp-updates.ts';
import { askClient } from './ask-client.ts';
import { promptOf } from './prompt-parts.ts';
import { availableCommands, switchable } from './session-facts.ts';

export interface AcpSessionParts {
  readonly session: LiveSession;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  /** Models an editor may switch to, besides the one in use. */
  readonly models: readonly string[];
  /** Receives notices that the editor cannot show. */
  onNotice(message: string): void;
}

/** One session in one editor: sends its updates, asks its questions and answers one prompt at a time. */
export class AcpSession {
  readonly session: LiveSession;
  readonly #parts: AcpSessionParts;
  readonly #updates: AcpUpdates;
  readonly #terminals = new Map<string, string>();
  readonly #questions = new Map<string, AbortController>();
  readonly #stops: (() => void)[] = [];
  /** Updates held back until the editor knows the session id. */
  #held: SessionUpdate[] | undefined = [];
  /** This editor's running prompt. */
  #running: { readonly messageId: string } | undefined;
  #hasStreamedText = false;
  /** Whether the running turn was started by this editor. */
  #isOurs = false;

  constructor(parts: AcpSessionParts) {
    this.#parts = parts;
    this.session = parts.session;
    this.#updates = new AcpUpdates({
      cwd: () => this.#cwd(),
      find: (blockId) => this.#find(blockId),
      terminalOf: (callId) => this.#terminals.get(callId),
    });
    this.#listen();
  }

  /** A session of a server knows its directory once it is ready. */
  #cwd(): string {
    return this.session.getCwd() ?? '/';
  }

  /** Sends what was held back; the editor knows the session id from here on. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#send(held);
  }

  /** Sends the history. Resolves when all of it was sent. */
  async replay(): Promise<void> {
    const { blocks } = this.session.getConversation();
    this.release();
    await Promise.all(this.#updates.replay(blocks).map((update) => this.#notify(update)));
  }

  /** Sends the commands and open questions. */
  async introduce(): Promise<void> {
    this.release();
    const commands = availableCommands(this.session);
    await this.#notify({ sessionUpdate: 'available_commands_update', availableCommands: commands });
    for (const question of this.session.getQuestions()) this.#ask(question);
  }

  /** Refuses a second prompt while one is being answered. */
  async prompt({ prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const { sessionId } = this.session;
    if (this.#running) {
      const problem = 'a prompt is being answered; wait for its end, or cancel it';
      throw RequestError.invalidRequest({ sessionId }, problem);
    }
    const { text, parts } = promptOf(prompt);
    const messageId = randomUUID();
    this.#running = { messageId };
    this.#hasStreamedText = false;
    const abort = () => void this.session.abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const done = await this.#command(text);
      return done ?? stopOf(await this.#submit(text, { messageId, parts }));
    } finally {
      signal.removeEventListener('abort', abort);
      this.#running = undefined;
    }
  }

  async cancel(): Promise<void> {
    await this.session.abort();
  }

  /** Links a running tool call to the editor terminal that runs its command. */
  ranInTerminal(command: string, terminalId: string): void {
    const call = this.session
      .getConversation()
      .blocks.findLast((block) => block.type === 'tool_use' && isRunning(block, command));
    if (call?.type !== 'tool_use' || this.#terminals.has(call.toolUseId)) return;
    this.#terminals.set(call.toolUseId, terminalId);
    void this.#notify({
      sessionUpdate: 'tool_call_update',
      toolCallId: call.toolUseId,
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId }],
    });
  }

  /** The editor disconnected or closed the session; its running prompt is aborted. */
  async leave(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    for (const question of this.#questions.values()) question.abort();
    this.#questions.clear();
    if (this.#running) await this.session.abort();
  }

  /** Runs a slash command; one unknown to the session is sent as a prompt, since the agent may know it. */
  async #command(text: string): Promise<PromptResponse | undefined> {
    const [, name, args = ''] = /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
    const isKnown = availableCommands(this.session).some((command) => command.name === name);
    if (name === undefined || !isKnown) return undefined;
    const { message, data } = await runSessionCommand(this.session, name, args).catch(
      (error: unknown) => {
        const { code } = toWireError(error);
        if (code === 'unknown_command') return { message: undefined, data: undefined };
        throw asRequestError(error);
      },
    );
    if (message === undefined) return undefined;
    // A command that ran a prompt has already streamed its text.
    if (message !== '' && !this.#hasStreamedText) {
      const content = { type: 'text' as const, text: message };
      await this.#notify({ sessionUpdate: 'agent_message_chunk', content });
    }
    return { stopReason: data?.status === 'interrupted' ? 'cancelled' : 'end_turn' };
  }

  async #submit(
    text: string,
    options: NonNullable<Parameters<LiveSession['submit']>[3]>,
  ): Promise<SubmitOutcome> {
    try {
      return await this.session.submit(text, undefined, undefined, options);
    } catch (error) {
      throw asRequestError(error);
    }
  }

  #listen(): void {
    this.#on('stream_event', (event) => {
      const isPrompt = event.type === 'block_complete' && event.block.type === 'user_message';
      if (isPrompt && event.conversationId === 'main') {
        if (!this.#isOurs) this.#send(this.#updates.userMessage(event.block));
        return;
      }
      if (event.type === 'text_delta') this.#hasStreamedText = true;
      this.#send(this.#updates.handle(event));
    });
    this.#on('turn_start', ({ messageId }) => {
      this.#isOurs = messageId !== undefined && messageId === this.#running?.messageId;
    });
    this.#on('turn_end', () => {
      this.#send([...this.#updates.endTurn(), this.#usage()]);
      this.#terminals.clear();
      this.#isOurs = false;
    });
    this.#on('question', (question) => this.#ask(question));
    this.#on('question_resolved', ({ id }) => this.#withdraw(id));
    this.#on('state', ({ name, permissionMode, model }) => {
      if (name !== undefined) this.#send([{ sessionUpdate: 'session_info_update', title: name }]);
      if (permissionMode !== undefined) {
        this.#send([{ sessionUpdate: 'current_mode_update', currentModeId: permissionMode }]);
      }
      if (permissionMode === undefined && model === undefined) return;
      const { configOptions } = switchable(this.session, this.#parts.models);
      this.#send([{ sessionUpdate: 'config_option_update', configOptions }]);
    });
    this.#on('notice', ({ message }) => this.#notice(message));
    this.#on('compact', () => {
      if (!this.#parts.capabilities.session?.compaction) return;
      const compactionId = randomUUID();
      this.#send([{ sessionUpdate: 'compaction_update', compactionId, status: 'completed' }]);
    });
    this.#on('resync', ({ blocks }) => {
      const from = blocks.findLastIndex(({ type }) => type === 'user_message');
      this.#send(this.#updates.catchUp(blocks.slice(from + 1)));
    });
  }

  #on<Name extends keyof LiveSessionEvents>(name: Name, listener: LiveSessionEvents[Name]): void {
    this.session.on(name, listener);
    this.#stops.push(() => this.session.off(name, listener));
  }

  #notice(message: string): void {
    if (this.#parts.capabilities.session?.notices) {
      this.#send([{ sessionUpdate: 'notice', severity: 'warning', title: message }]);
    } else {
      this.#parts.onNotice(message);
    }
  }

  #ask(question: LiveQuestion): void {
    if (this.#questions.has(question.id)) return;
    const asked = new AbortController();
    this.#questions.set(question.id, asked);
    const { client, capabilities } = this.#parts;
    const { sessionId } = this.session;
    const cwd = this.#cwd();
    askClient(question, { client, capabilities, sessionId, cwd, signal: asked.signal })
      // A dismissed dialog counts as a denial.
      .then((answer) => answer ?? 'deny')
      .catch((error: unknown) => ({ deny: `The editor could not be asked: ${String(error)}` }))
      .then(async (answer) => {
        if (!asked.signal.aborted) await this.session.answer(question.id, answer, { user: 'acp' });
      })
      .catch((error: unknown) => this.#parts.onNotice(toWireError(error).message));
  }

  /** Closes the editor's dialog when the question was answered elsewhere or the turn ended. */
  #withdraw(questionId: string): void {
    this.#questions.get(questionId)?.abort();
    this.#questions.delete(questionId);
  }

  #usage(): SessionUpdate {
    const { usedTokens, maxTokens } = this.session.getContextState();
    return { sessionUpdate: 'usage_update', used: usedTokens, size: maxTokens };
  }

  #find(blockId: string): ConversationBlock | undefined {
    return this.session.getConversation().blocks.findLast(({ id }) => id === blockId);
  }

  #send(updates: readonly SessionUpdate[]): void {
    for (const update of updates) void this.#notify(update);
  }

  /** Errors are ignored: a lost connection is handled by the transport. */
  async #notify(update: SessionUpdate): Promise<void> {
    if (this.#held) {
      this.#held.push(update);
      return;
    }
    const { sessionId } = this.session;
    const sent = this.#parts.client.notify(methods.client.session.update, { sessionId, update });
    await sent.catch(() => undefined);
  }
}

function isRunning(block: ConversationBlock, command: string): boolean {
  return (
    block.type === 'tool_use' &&
    (block.status === 'running' || block.status === 'pending') &&
    block.input.command === command
  );
}

function stopOf(outcome: SubmitOutcome): PromptResponse {
  switch (outcome.status) {
    case 'completed': {
      const { endedBy } = outcome.result;
      const isCut = endedBy === 'max_tokens' || endedBy === 'refusal';
      return { stopReason: isCut ? endedBy : 'end_turn' };
    }
    case 'interrupted':
    case 'superseded':
      return { stopReason: 'cancelled' };
    case 'refused':
      throw RequestError.invalidRequest(undefined, outcome.reason);
    case 'failed':
      throw asRequestError(outcome.error);
  }
}

/** Converts an error for the editor: a redacted message and our error code. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const { code, message } = toWireError(error);
  switch (code) {
    case 'session_not_found':
    case 'invalid_session_id':
      return RequestError.invalidParams({ code }, message);
    case 'internal':
      return RequestError.internalError({ code }, message);
    default:
      return RequestError.invalidRequest({ code }, message);
  }
}
