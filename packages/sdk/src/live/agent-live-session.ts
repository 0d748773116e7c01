import { randomUUID } from 'node:crypto';
import type { PermissionMode } from '@robota-sdk/agent-core';
import type { Question, QuestionAnswer, StreamEvent } from '@robota-sdk/agent-transcript';
import type {
  AgentBusEvents,
  AgentEventBus,
  AgentSession,
  AgentSessionOptions,
} from '@robota-sdk/agent-transcript/architectures';
import { toAgentName } from '@robota-sdk/agent-transcript/blocks';
import type { CommandSource } from '../commands/command.ts';
import type { CommandResult } from '../commands/system-command.ts';
import { refuseForbiddenBypass } from '../config/forbidden-bypass.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import { PromptQueue, type QueuedPrompt } from '../interactive/prompt-queue.ts';
import { agentCapabilities } from './agent-capabilities.ts';
import { type AgentJournal, AgentJournalFile } from './agent-journal.ts';
import type { AgentPlace } from './agent-place.ts';
import { AgentQuestions } from './agent-questions.ts';
import { AgentTurns } from './agent-turns.ts';
import { BlocksView } from './blocks-view.ts';
import type { LiveAnswer, LiveQuestion } from './live-question.ts';
import type { ForkOptions, LiveSession, SessionChanges } from './live-session.ts';
import type { LiveSessionEvents, SessionNotice } from './live-session-events.ts';
import { notSupported, type SessionCapabilities } from './session-capabilities.ts';

/** Options for driving a session of another agent. */
export interface AgentLiveOptions {
  /** The agent's type; surfaces show its name. */
  readonly type: string;
  readonly place: AgentPlace;
  readonly sessionId?: string | undefined;
  /** `open` continues a stored session, `forkOf` copies one; `new` by default. */
  readonly begin?: 'new' | 'open' | { readonly forkOf: string } | undefined;
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  /** Maximum of queued prompts; with a depth of one, the latest replaces it. */
  readonly queueDepth?: number | undefined;
  /** A file in the place by default. */
  readonly journal?: AgentJournal | undefined;
}

/** A session of another agent's program, started here and driven over its own protocol. */
export class AgentLiveSession implements LiveSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly access = 'drive';
  readonly #options: AgentLiveOptions;
  readonly #epoch = randomUUID();
  readonly #view = new BlocksView();
  readonly #journal: AgentJournal;
  readonly #questions: AgentQuestions;
  readonly #queue: PromptQueue;
  #opening: Promise<AgentSession> | undefined;
  #session: AgentSession | undefined;
  #name: string | undefined;
  #isEnding = false;

  constructor(options: AgentLiveOptions) {
    this.#options = options;
    this.agent = toAgentName(options.type);
    this.sessionId = options.sessionId ?? randomUUID();
    this.#name = options.name;
    const { events } = this.#view;
    this.#journal =
      options.journal ?? new AgentJournalFile(options.place.journalFile(this.sessionId));
    this.#questions = new AgentQuestions({ events, journal: this.#journal });
    const turns = new AgentTurns({
      view: this.#view,
      journal: this.#journal,
      cwd: this.getCwd(),
      open: () => this.#open(),
    });
    this.#queue = new PromptQueue({
      depth: options.queueDepth,
      run: (prompt, isAborted) => turns.run(prompt, isAborted),
      interrupt: () => void this.#session?.abort(),
      onAbort: () => undefined,
      onChange: (waiting) => events.emit('queue', waiting),
    });
  }

  get nativeId(): string | undefined {
    const id = this.#session?.getState().metadata?.agentSessionId;
    return typeof id === 'string' ? id : undefined;
  }

  getCapabilities(): SessionCapabilities {
    return agentCapabilities(this.#options.type);
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

  async whenReady(): Promise<void> {
    await this.#open();
  }

  async submit(
    input: string,
    displayInput: string = input,
    rawInput?: string,
    options: SubmitOptions = {},
  ): Promise<SubmitOutcome> {
    if (this.#isEnding) throw closed();
    const { parts = [] } = options;
    if (parts.length > 0 && !this.getCapabilities().images) {
      return { status: 'refused', reason: `${this.agent} takes no images.` };
    }
    if (parts.some(({ type }) => type !== 'image_inline')) {
      const reason = `${this.agent} takes images with their bytes, not by address, and no other files.`;
      return { status: 'refused', reason };
    }
    if (input.trim() === '' && parts.length === 0)
      return { status: 'refused', reason: 'The prompt is empty.' };
    return this.#queue.submit({ ...options, input, displayInput, rawInput });
  }

  async abort(): Promise<void> {
    this.#queue.abort();
    await this.#queue.idle();
  }

  async cancelQueue(messageId?: string): Promise<void> {
    this.#queue.cancel(messageId);
  }

  getQueue(): readonly QueuedPrompt[] {
    return this.#queue.list();
  }

  getConversation() {
    return this.#view.conversation;
  }

  getLastSequence(): number {
    return this.#journal.last;
  }

  getStreamEpoch(): string {
    return this.#journal.isKept ? this.sessionId : this.#epoch;
  }

  isExecuting(): boolean {
    return this.#queue.isExecuting();
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

  getQuestions(): readonly LiveQuestion[] {
    return this.#session?.getQuestions() ?? [];
  }

  async answer(
    questionId: string,
    answer: LiveAnswer,
    { user }: { readonly user?: string | undefined } = {},
  ): Promise<boolean> {
    const session = this.#session;
    if (!session?.getQuestions().some(({ id }) => id === questionId)) return false;
    this.#questions.answering(questionId, answer, user);
    return session.answerQuestion(questionId, agentAnswerOf(answer));
  }

  async change({ model, permissionMode, name, language }: SessionChanges): Promise<void> {
    const others = { model, permissionMode, language };
    const unsupported = Object.entries(others).find(([, value]) => value !== undefined);
    if (unsupported) throw notSupported(this.agent, `change its ${unsupported[0]} while it runs`);
    if (name === undefined) return;
    this.#name = name;
    await this.#open();
    await this.#options.place.persistence.updateSessionRecord(this.sessionId, { name });
    this.#journal.append('session_renamed', { name });
    this.#view.events.emit('state', { name });
  }

  getModel(): string | undefined {
    return this.#view.model ?? this.#options.model;
  }

  getPermissionMode(): PermissionMode | undefined {
    return this.#options.permissionMode;
  }

  getName(): string | undefined {
    return this.#name;
  }

  getCwd(): string | undefined {
    return this.#options.place.home.workspaceDirectory;
  }

  executeCommand(): Promise<CommandResult | null> {
    return Promise.resolve(null);
  }

  /** Commands the agent reports; the agent itself interprets a prompt that begins with one. */
  listCommands(): { name: string; description: string }[] {
    return this.#view.commands;
  }

  listTools(): [] {
    return [];
  }

  getCommandSources(): readonly CommandSource[] {
    return [];
  }

  compact(): Promise<void> {
    return Promise.reject(notSupported(this.agent, 'be compacted from here'));
  }

  async fork({ sessionId, at }: ForkOptions = {}): Promise<LiveSession> {
    if (!this.getCapabilities().fork) throw notSupported(this.agent, 'be forked');
    if (at !== undefined) throw notSupported(this.agent, 'be forked in the middle');
    const { name: _name, ...rest } = this.#options;
    // The latest messages are in the copy only if they are saved first.
    await (await this.#open()).sync();
    const copy = new AgentLiveSession({ ...rest, sessionId, begin: { forkOf: this.sessionId } });
    try {
      await copy.whenReady();
    } catch (error) {
      await copy.shutdown();
      throw error;
    }
    return copy;
  }

  previewRewind(): Promise<never> {
    return this.rewind();
  }

  rewind(): Promise<never> {
    return Promise.reject(notSupported(this.agent, 'go back'));
  }

  undoRewind(): Promise<never> {
    return this.rewind();
  }

  async shutdown(): Promise<void> {
    this.#isEnding = true;
    await this.abort();
    const session = await this.#opening?.catch(() => undefined);
    await session?.destroy();
    this.#journal.close();
  }

  #open(): Promise<AgentSession> {
    if (this.#isEnding) return Promise.reject(closed());
    this.#opening ??= this.#start().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #start(): Promise<AgentSession> {
    // Imported on use, so that only processes that drive other agents load the drivers.
    const { AgentSession: Driver } = await import('@robota-sdk/agent-transcript/architectures');
    const { place, permissionMode } = this.#options;
    await refuseForbiddenBypass(permissionMode, place.home.workspaceDirectory);
    const session = await Driver.create(
      this.#driverOptions(),
      {
        home: place.home,
        onError: (error) => this.#notice(error.message),
        ...(place.loadProfile && { loadAgentProfile: place.loadProfile }),
      },
      this.#bus,
      place.persistence,
    );
    const { blocks, subagents, metadata = {}, name } = session.getState();
    this.#name ??= name;
    this.#view.restore({ blocks, subagents, superseded: [], metadata });
    this.#journal.opened(this.#view.conversation);
    this.#session = session;
    if (this.#options.begin === undefined || this.#options.begin === 'new') {
      const { type } = this.#options;
      this.#journal.append('session_init', { agent: toAgentName(type), cwd: this.getCwd() });
      if (this.#name !== undefined) {
        await place.persistence.updateSessionRecord(this.sessionId, { name: this.#name });
      }
    }
    return session;
  }

  #driverOptions(): AgentSessionOptions {
    const { type, place, model, permissionMode, begin = 'new' } = this.#options;
    const behaviour = {
      ...place.setting,
      model,
      permissionMode,
      waitsForAnswers: true,
      sessionId: this.sessionId,
    };
    if (begin === 'open') return behaviour;
    if (begin === 'new') {
      return { ...behaviour, architecture: type, agentProfileRef: place.profile ?? 'none' };
    }
    return { ...behaviour, forkOf: begin.forkOf };
  }

  readonly #bus: AgentEventBus = {
    emit: (name, payload) => {
      switch (name) {
        case 'stream_event':
          this.#handle(payload as AgentBusEvents['stream_event']);
          break;
        case 'resync':
          this.#journal.replaced(payload as AgentBusEvents['resync']);
          this.#view.replace(payload as AgentBusEvents['resync']);
          break;
        case 'question':
          this.#ask(payload as AgentBusEvents['question']);
          break;
        case 'question_resolved':
          this.#questions.resolved(payload as AgentBusEvents['question_resolved']);
          break;
        default:
      }
    },
  };

  #handle(event: StreamEvent): void {
    this.#view.handle(event, this.#journal.record(event));
  }

  /** Denies the question at once if no one can answer it. */
  #ask(question: Question): void {
    this.#questions.asked(question);
    if (this.#questions.hasListener()) return;
    const answer = { deny: 'Nobody is there to allow this.' };
    this.#questions.answering(question.id, answer, 'nobody');
    this.#session?.answerQuestion(question.id, answer);
  }

  #notice(message: string): void {
    this.#view.events.emit('notice', { kind: 'agent', message });
  }
}

/** Rules that outlive the session are never written to another program's settings. */
function agentAnswerOf(answer: LiveAnswer): QuestionAnswer {
  if (answer === 'allow-project') return 'allow';
  if (typeof answer !== 'object' || !('pattern' in answer)) return answer;
  return answer.allow === 'session' ? 'allow-session' : 'allow';
}

function closed(): Error {
  return Object.assign(new Error('The session has ended.'), { code: 'session_closed' });
}
