import { AgentSandbox, type SandboxSetup } from '../agent-sandbox/agent-sandbox.ts';
import type { ImageContent } from '../blocks.ts';
import type { SessionLock } from '../persistence/session-lock.ts';
import type { TranscriptPersistence } from '../persistence/transcript-persistence.ts';
import type { Question, QuestionAnswer } from '../question.ts';
import type { RuntimeSessionData } from '../session-data.ts';
import type { AgentEventBus } from './agent-event-bus.ts';
import { AgentSessionBusyError, AgentSessionDestroyedError } from './errors.ts';
import { chooseSessionId, type OpenedAgentSession, openSavedAgent } from './open-session.ts';
import { PendingQuestions } from './pending-questions.ts';
import { SentMessage } from './sent-message.ts';
import { SessionMemory } from './session-memory.ts';
import type { AgentSessionContext, AgentSessionOptions } from './session-options.ts';
import { SessionWatch } from './session-watch.ts';
import { runAgentTurn, type TurnRequest } from './turn.ts';

/** One session of any agent program: messages in, stream events out, transcripts saved. */
export class AgentSession {
  readonly sessionId: string;
  readonly #memory: SessionMemory;
  readonly #sandbox: AgentSandbox;
  readonly #setup: SandboxSetup;
  readonly #questions: PendingQuestions;
  readonly #watch: SessionWatch;
  readonly #lock: SessionLock | undefined;
  #turn: SentMessage | undefined;
  #destroyed: Promise<void> | undefined;

  /** Returns the open session if there is one, so that two callers never write concurrently. */
  static create(
    options: AgentSessionOptions,
    context: AgentSessionContext,
    eventBus: AgentEventBus,
    persistence: TranscriptPersistence,
  ): Promise<AgentSession> {
    const sessionId = chooseSessionId(options);
    const open = openSessions(persistence);
    const known = open.get(sessionId);
    if (known !== undefined && isLoad(options)) return known;
    const opening = AgentSession.#open(options, { context, eventBus, persistence, sessionId });
    if (known !== undefined) return opening;
    open.set(sessionId, opening);
    void opening.catch(() => open.delete(sessionId));
    return opening;
  }

  static async #open(options: AgentSessionOptions, dependencies: OpenContext) {
    const { persistence, sessionId, context } = dependencies;
    // An existing session is locked before it is read; nobody else can know a new one.
    const early = isLoad(options) ? await persistence.acquireLock?.(sessionId) : undefined;
    let lock = early;
    try {
      const { workspaceDirectory } = context.home;
      const opened = await openSavedAgent(options, { sessionId, persistence, workspaceDirectory });
      lock ??= await persistence.acquireLock?.(sessionId);
      return await AgentSession.#assemble(opened, options, { ...dependencies, lock });
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  static async #assemble(
    opened: OpenedAgentSession,
    options: AgentSessionOptions,
    { context, eventBus, persistence, lock }: OpenContext & { lock: SessionLock | undefined },
  ) {
    const { agentProfileReference, type } = opened.saved;
    const agentProfile =
      options.agentProfile ??
      (await context.loadAgentProfile?.(agentProfileReference)) ??
      undefined;
    const sandbox = new AgentSandbox({
      architecture: type,
      home: context.home,
      program: options.program,
      environment: { ...agentProfile?.environmentVariables, ...options.environment },
      model: options.model,
      permissionMode: options.permissionMode,
      systemPrompt: options.systemPrompt ?? agentProfile?.systemPrompt,
      keepsWorkspace: options.keepsWorkspace,
    });
    const memory = new SessionMemory(opened, { sandbox, persistence, eventBus, context });
    const watch = new SessionWatch(sandbox, memory, (error) => memory.report(error));
    if (opened.origin === undefined) await catchUp(memory);
    await watch.open();
    const setup = memory.sandboxSetup(agentProfile);
    return new AgentSession(memory, { sandbox, setup, options, watch, lock });
  }

  private constructor(
    memory: SessionMemory,
    parts: {
      readonly sandbox: AgentSandbox;
      readonly setup: SandboxSetup;
      readonly options: AgentSessionOptions;
      readonly watch: SessionWatch;
      readonly lock: SessionLock | undefined;
    },
  ) {
    this.sessionId = memory.sessionId;
    this.#memory = memory;
    this.#sandbox = parts.sandbox;
    this.#setup = parts.setup;
    this.#watch = parts.watch;
    this.#lock = parts.lock;
    this.#questions = new PendingQuestions(
      {
        onQuestion: (question) => memory.emit('question', question),
        onResolved: (resolution) => memory.emit('question_resolved', resolution),
        findCall: (toolUseId) => memory.findCall(toolUseId),
      },
      { callback: parts.options.onPermissionRequest, waits: parts.options.waitsForAnswers },
    );
    memory.onAccepted = () => this.#questions.retryWaiting();
  }

  /**
   * Starts immediately, even without a reader; the same events go to the bus. Breaking out of the loop aborts
   * the turn. When the last event is read, everything is saved. Images need an agent with the trait `takesImages`.
   */
  sendMessage(text: string, images: readonly ImageContent[] = []): SentMessage {
    if (this.#destroyed) throw new AgentSessionDestroyedError(this.sessionId);
    if (this.#turn) throw new AgentSessionBusyError(this.sessionId);
    const turn = new SentMessage((signal, emit) =>
      this.#answer({ query: text, images, signal, emit }),
    );
    this.#turn = turn;
    void turn.ended.then(() => {
      this.#turn = undefined;
    });
    return turn;
  }

  /** Resolves when the turn has ended and none of its processes run. */
  async abort(): Promise<void> {
    this.#turn?.abort();
    await this.#turn?.ended;
  }

  /** Questions without an answer. */
  getQuestions(): readonly Question[] {
    return this.#questions.list();
  }

  /** The first answer counts; `false` when the question is unknown or already answered. */
  answerQuestion(questionId: string, answer: QuestionAnswer): boolean {
    return this.#questions.answer(questionId, answer);
  }

  getState(): RuntimeSessionData {
    return this.#memory.state();
  }

  /** Saves all unsaved data; rejects when that fails. */
  sync(): Promise<void> {
    return this.#memory.sync('everything');
  }

  isHealthy(): Promise<boolean> {
    return this.#sandbox.isHealthy();
  }

  /** Ends the program and starts it from the saved data, for example after its home was lost. */
  async restart(): Promise<void> {
    if (this.#destroyed) throw new AgentSessionDestroyedError(this.sessionId);
    await this.abort();
    await this.#sandbox.restart(this.#memory.restoringSetup(this.#setup));
  }

  /** Ends the program and its child processes and saves what it wrote last. Does not delete saved data. */
  destroy(): Promise<void> {
    this.#destroyed ??= this.#end();
    return this.#destroyed;
  }

  async #end(): Promise<void> {
    await this.abort();
    try {
      // Stopped first, so that what the program writes on exit is saved too.
      await this.#sandbox.stop();
      await this.#watch.close();
      await this.#memory.sync('everything');
      await this.#memory.settle('inactive');
    } finally {
      openSessions(this.#memory.persistence).delete(this.sessionId);
      await this.#lock?.release();
    }
  }

  async #answer(request: Omit<TurnRequest, 'onPermissionRequest'>): Promise<void> {
    await runAgentTurn(
      { ...request, onPermissionRequest: this.#questions.ask },
      { sandbox: this.#sandbox, memory: this.#memory, setup: this.#setup, watch: this.#watch },
    );
  }
}

function isLoad(options: AgentSessionOptions): boolean {
  return !('architecture' in options) && !('forkOf' in options);
}

/** A failure here is only reported: the first turn hits the same problem and fails with it. */
async function catchUp(memory: SessionMemory): Promise<void> {
  try {
    await memory.catchUp();
  } catch (error) {
    memory.report(error);
  }
}

interface OpenContext {
  readonly context: AgentSessionContext;
  readonly eventBus: AgentEventBus;
  readonly persistence: TranscriptPersistence;
  readonly sessionId: string;
}

function openSessions(persistence: TranscriptPersistence): Map<string, Promise<AgentSession>> {
  const known = OPEN.get(persistence) ?? new Map<string, Promise<AgentSession>>();
  OPEN.set(persistence, known);
  return known;
}

const OPEN = new WeakMap<TranscriptPersistence, Map<string, Promise<AgentSession>>>();
