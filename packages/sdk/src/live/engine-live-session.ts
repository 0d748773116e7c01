import type { PermissionMode } from '@robota-sdk/agent-core';
import { applyCommandResult } from '../commands/apply-command-result.ts';
import { PERMISSION_MODES } from '../config/permission-modes.ts';
import type { InteractiveSession } from '../interactive/interactive-session.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { RewindOptions, UndoRewindOptions } from '../rewind/rewind.ts';
import { permissionAnswerOf } from './engine-question.ts';
import type { LiveAnswer, LiveQuestion } from './live-question.ts';
import type { ForkOptions, LiveSession, SessionChanges } from './live-session.ts';
import type { LiveSessionEvents } from './live-session-events.ts';
import type { SessionCapabilities } from './session-capabilities.ts';

/** What a transport accepts: a session of our own engine, or any live session. */
export type AttachableSession = InteractiveSession | LiveSession;

/** The live session of an engine's session; the same object for the same session. */
export function toLiveSession(session: AttachableSession): LiveSession {
  if (!isInteractive(session)) return session;
  const known = LIVE.get(session);
  if (known) return known;
  const live = new EngineLiveSession(session);
  LIVE.set(session, live);
  return live;
}

const LIVE = new WeakMap<InteractiveSession, EngineLiveSession>();

function isInteractive(session: AttachableSession): session is InteractiveSession {
  return 'attachTransport' in session;
}

/** Our own engine behind the port. */
class EngineLiveSession implements LiveSession {
  readonly sessionId: string;
  readonly agent = 'robota';
  readonly nativeId = undefined;
  readonly access = 'drive';
  readonly #session: InteractiveSession;

  constructor(session: InteractiveSession) {
    this.sessionId = session.sessionId;
    this.#session = session;
  }

  getCapabilities(): SessionCapabilities {
    if (this.#session.getConfig()?.permissions?.bypassForbiddenBy === undefined)
      return engineCapabilities();
    return capabilitiesWithoutBypass();
  }

  on<Event extends keyof LiveSessionEvents>(
    event: Event,
    listener: LiveSessionEvents[Event],
  ): this {
    this.#session.on(event, listener);
    return this;
  }

  off<Event extends keyof LiveSessionEvents>(
    event: Event,
    listener: LiveSessionEvents[Event],
  ): this {
    this.#session.off(event, listener);
    return this;
  }

  whenReady() {
    return this.#session.whenReady();
  }

  submit(input: string, displayInput?: string, rawInput?: string, options?: SubmitOptions) {
    return this.#session.submit(input, displayInput, rawInput, options);
  }

  async abort(): Promise<void> {
    const isTurn = this.#session.isExecuting();
    this.#session.abort();
    // A compaction is not a turn, so it is stopped separately.
    if (!isTurn) this.#session.stopBeside();
    await this.#session.whenIdle();
  }

  async cancelQueue(messageId?: string): Promise<void> {
    this.#session.cancelQueue(messageId);
  }

  getQueue() {
    return this.#session.getQueue();
  }

  getConversation() {
    return this.#session.getConversation();
  }

  getLastSequence() {
    return this.#session.getLastSequence();
  }

  getStreamEpoch() {
    return this.#session.getStreamEpoch();
  }

  isExecuting() {
    return this.#session.isExecuting();
  }

  getStreamingText() {
    return this.#session.getStreamingText();
  }

  getActiveTools() {
    return this.#session.getActiveTools();
  }

  getContextState() {
    return this.#session.getContextState();
  }

  getSaveProblem(): string | undefined {
    return this.#session.getSaveProblem();
  }

  getOpeningNotices() {
    return this.#session.getOpeningNotices();
  }

  getCosts() {
    return this.#session.getCosts();
  }

  getMessageCount(): number {
    const { blocks } = this.#session.getConversation();
    return blocks.filter(({ type }) => type === 'user_message').length;
  }

  getQuestions(): readonly LiveQuestion[] {
    return this.#session.getQuestions();
  }

  async answer(
    questionId: string,
    answer: LiveAnswer,
    { user }: { readonly user?: string | undefined } = {},
  ): Promise<boolean> {
    const question = this.getQuestions().find(({ id }) => id === questionId);
    if (!question) return false;
    const isPermission = question.kind === 'permission';
    const given = isPermission ? permissionAnswerOf(answer, question.pattern) : answer;
    return this.#session.answerPermission(questionId, given, user);
  }

  async change({ model, permissionMode, name, language }: SessionChanges): Promise<void> {
    // Settings that forbid this mode are known only once loaded, and the caller must get the error.
    if (permissionMode === 'bypassPermissions') await this.#session.whenReady();
    if (model !== undefined) this.#session.setModel(model);
    if (permissionMode !== undefined) this.#session.setPermissionMode(permissionMode);
    if (name !== undefined) this.#session.setName(name);
    if (language !== undefined) this.#session.setLanguage(language);
  }

  getModel() {
    return this.#session.getModel();
  }

  getPermissionMode(): PermissionMode {
    return this.#session.getPermissionMode();
  }

  getName() {
    return this.#session.getName();
  }

  getCwd() {
    return this.#session.getCwd();
  }

  async executeCommand(name: string, args?: string) {
    const result = await this.#session.executeCommand(name, args);
    if (result) applyCommandResult(this.#session, result);
    return result;
  }

  listCommands() {
    return this.#session.listCommands();
  }

  listTools() {
    return this.#session.listTools();
  }

  getCommandSources() {
    return this.#session.getCommandSources();
  }

  compact(instructions?: string) {
    return this.#session.compact(instructions);
  }

  async fork({ sessionId, at }: ForkOptions = {}) {
    const copy = this.#session.fork(sessionId, at);
    try {
      await copy.whenReady();
    } catch (error) {
      await copy.shutdown();
      throw error;
    }
    return toLiveSession(copy);
  }

  previewRewind(to: string) {
    return this.#session.previewRewind(to);
  }

  rewind(options: RewindOptions) {
    return this.#session.rewind(options);
  }

  undoRewind(options?: UndoRewindOptions) {
    return this.#session.undoRewind(options);
  }

  shutdown(options: { readonly reason?: string | undefined } = {}) {
    return this.#session.shutdown(options);
  }
}

let withBypass: SessionCapabilities | undefined;
let withoutBypass: SessionCapabilities | undefined;

/** Made on first use, because a bundle may run this file before the one with the modes. */
export function engineCapabilities(): SessionCapabilities {
  withBypass ??= {
    prompt: true,
    abort: true,
    queue: true,
    compact: true,
    fork: true,
    rename: true,
    setModel: true,
    permissionModes: PERMISSION_MODES,
    images: true,
    questions: true,
    deltas: true,
    steer: false,
    rewind: true,
  };
  return withBypass;
}

function capabilitiesWithoutBypass(): SessionCapabilities {
  withoutBypass ??= {
    ...engineCapabilities(),
    permissionModes: PERMISSION_MODES.filter((mode) => mode !== 'bypassPermissions'),
  };
  return withoutBypass;
}
