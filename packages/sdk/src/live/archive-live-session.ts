import { randomUUID } from 'node:crypto';
import type { InboxEnd, InboxItem, SharedArchive } from '@robota-sdk/agent-archive';
import type { PermissionMode } from '@robota-sdk/agent-core';
import { toAgentName, toAgentType } from '@robota-sdk/agent-transcript/blocks';
import type { CommandSource } from '../commands/command.ts';
import type { CommandResult } from '../commands/system-command.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { QueuedPrompt } from '../interactive/prompt-queue.ts';
import type { AcceptedSubmit, AcceptingSession } from './accepting-session.ts';
import { agentCapabilities } from './agent-capabilities.ts';
import { AgentView } from './agent-view.ts';
import { ArchiveView } from './archive-view.ts';
import { engineCapabilities } from './engine-live-session.ts';
import { InboxRequests } from './inbox-requests.ts';
import type { LiveAnswer, LiveQuestion } from './live-question.ts';
import type { ForkOptions, LiveSession, SessionChanges } from './live-session.ts';
import type { LiveSessionEvents, SessionNotice } from './live-session-events.ts';
import { notSupported, type SessionCapabilities } from './session-capabilities.ts';
import type { SharedView } from './shared-view.ts';

/** Options for a session that is stored in an archive. */
export interface ArchiveLiveOptions {
  readonly sessionId: string;
  readonly archive: SharedArchive;
  /** Settings stored when the session was created. */
  readonly card: {
    readonly agent?: unknown;
    readonly cwd?: unknown;
    readonly model?: unknown;
    readonly permissionMode?: unknown;
    readonly name?: unknown;
  };
  /** A request is pending, so a node should run the session. */
  readonly onAsked: () => void;
  /** The session was deleted, here or on another node. */
  readonly onRemoved?: (() => void) | undefined;
  readonly fork: (sessionId: string | undefined) => Promise<LiveSession>;
}

const MAX_OUTCOMES = 100;

/**
 * A session of any agent, run by any node: displayed from its lines in the archive, driven through its inbox. It keeps
 * working when another node takes the session over.
 */
export class ArchiveLiveSession implements AcceptingSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly access = 'drive';
  readonly #options: ArchiveLiveOptions;
  readonly #view: SharedView;
  readonly #requests: InboxRequests;
  readonly #outcomes = new Map<string, SubmitOutcome>();
  #queue: readonly QueuedPrompt[] = [];
  #opening: Promise<void> | undefined;
  #readingQueue: Promise<void> = Promise.resolve();
  #isEnding = false;
  #cancelling = 0;

  constructor(options: ArchiveLiveOptions) {
    const { sessionId, archive, onAsked } = options;
    this.#options = options;
    this.sessionId = sessionId;
    const onSent = () => this.#readQueue();
    this.#requests = new InboxRequests({ sessionId, archive, onAsked, onSent });
    this.agent = toAgentName(textOf(options.card.agent) ?? 'robota');
    const View = this.#isOwn ? ArchiveView : AgentView;
    this.#view = new View({
      sessionId,
      archive,
      onInbox: () => this.#inboxChanged(),
      onRemoved: () => options.onRemoved?.(),
      onTurnEnd: (outcome, messageId) => this.#turnEnded(outcome, messageId),
    });
  }

  get nativeId(): string | undefined {
    return this.#view.nativeId;
  }

  getCapabilities(): SessionCapabilities {
    if (!this.#isOwn) return agentCapabilities(toAgentType(this.agent) ?? this.agent);
    // File snapshots are on the machine that ran the tools.
    return { ...engineCapabilities(), rewind: false };
  }

  get #isOwn(): boolean {
    return this.agent === 'robota';
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

  whenReady(): Promise<void> {
    this.#opening ??= this.#view.open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async submit(
    input: string,
    displayInput: string = input,
    rawInput?: string,
    options: SubmitOptions = {},
  ): Promise<SubmitOutcome> {
    const { outcome } = await this.#accept({ ...options, input, displayInput, rawInput });
    return outcome;
  }

  /** Resolves when the prompt is in the archive. */
  accept(input: string, options: SubmitOptions): Promise<AcceptedSubmit> {
    return this.#accept({ ...options, input, displayInput: input });
  }

  async abort(): Promise<void> {
    const { archive } = this.#options;
    const isIdle = (await archive.find(this.sessionId))?.isTurnOpen !== true;
    if (isIdle && (await archive.waiting(this.sessionId)).length === 0) return;
    await this.#request('abort', {});
  }

  /** The queue is emitted once after all prompts are removed, not for each. */
  async cancelQueue(messageId?: string): Promise<void> {
    this.#cancelling += 1;
    try {
      await this.#request('cancel_queue', { messageId });
    } finally {
      this.#cancelling -= 1;
      await this.#readQueue();
    }
  }

  getQueue(): readonly QueuedPrompt[] {
    return this.#queue;
  }

  getConversation() {
    return this.#view.conversation;
  }

  getLastSequence(): number {
    return this.#view.sequence;
  }

  /** Every node continues the same numbers. */
  getStreamEpoch(): string {
    return this.sessionId;
  }

  isExecuting(): boolean {
    return this.#view.isTurnOpen;
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
    return this.#view.conversation.blocks.filter(({ type }) => type === 'user_message').length;
  }

  getQuestions(): readonly LiveQuestion[] {
    return this.#view.questions;
  }

  async answer(
    questionId: string,
    answer: LiveAnswer,
    { user }: { readonly user?: string | undefined } = {},
  ): Promise<boolean> {
    return this.#options.archive.answer(this.sessionId, questionId, answer, user);
  }

  async change(changes: SessionChanges): Promise<void> {
    await this.#request('change', { ...changes });
  }

  getModel(): string | undefined {
    return this.#view.model ?? textOf(this.#options.card.model);
  }

  getPermissionMode(): PermissionMode | undefined {
    const { permissionMode } = this.#options.card;
    return this.#view.permissionMode ?? (textOf(permissionMode) as PermissionMode | undefined);
  }

  getName(): string | undefined {
    return this.#view.name ?? textOf(this.#options.card.name);
  }

  getCwd(): string | undefined {
    return textOf(this.#options.card.cwd);
  }

  async executeCommand(name: string, args = ''): Promise<CommandResult | null> {
    // Other agents interpret commands in prompts themselves.
    if (!this.#isOwn) return null;
    const { response } = await this.#request('command', { name, args });
    return JSON.parse(response) as CommandResult | null;
  }

  listCommands(): { readonly name: string; readonly description: string }[] {
    return this.#view.listCommands();
  }

  listTools(): string[] {
    return this.#view.listTools();
  }

  getCommandSources(): readonly CommandSource[] {
    return [];
  }

  async compact(instructions?: string): Promise<void> {
    if (!this.#isOwn) throw notSupported(this.agent, 'be compacted from here');
    await this.#request('compact', { instructions });
  }

  async fork({ sessionId, at }: ForkOptions = {}): Promise<LiveSession> {
    if (!this.getCapabilities().fork) throw notSupported(this.agent, 'be forked');
    if (at !== undefined) throw notSupported(this.agent, 'be forked in the middle');
    return this.#options.fork(sessionId);
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

  /** Closes the view; the session keeps running on its node. */
  async shutdown(): Promise<void> {
    this.#isEnding = true;
    this.#requests.stopWaiting();
    await this.#opening?.catch(() => undefined);
    await this.#view.close();
    await this.#readingQueue;
  }

  async #accept(prompt: QueuedPrompt): Promise<AcceptedSubmit> {
    if (this.#isEnding) throw closed();
    const isEmpty = prompt.input.trim() === '' && !prompt.parts?.length;
    if (isEmpty) {
      const outcome = { status: 'refused', reason: 'The prompt is empty.' } as const;
      return { isRepeat: false, outcome: Promise.resolve(outcome) };
    }
    await this.whenReady();
    const { messageId = randomUUID(), ...body } = prompt;
    const { receipt, ended } = await this.#requests.send({ messageId, kind: 'prompt', body });
    const outcome = ended.then((end) => this.#outcome(messageId, end));
    return { isRepeat: receipt.isRepeat, outcome };
  }

  /** Sends a request to the node that runs the session; resolves when it is done and visible here. */
  async #request(kind: InboxItem['kind'], body: InboxItem['body']): Promise<InboxEnd> {
    if (this.#isEnding) throw closed();
    await this.whenReady();
    const { ended } = await this.#requests.send({ kind, body });
    const end = await ended;
    await this.#view.refresh();
    await this.#readQueue();
    if (end.status === 'completed') return end;
    throw failureOf(end);
  }

  /** Taken from the log if it was followed to the turn's end, otherwise from the receipt. */
  async #outcome(messageId: string, end: InboxEnd): Promise<SubmitOutcome> {
    if (!this.#isEnding) await this.#view.refresh();
    await this.#readQueue();
    const logged = this.#outcomes.get(messageId);
    this.#outcomes.delete(messageId);
    return logged ?? outcomeOf(end, this.#view.context);
  }

  #turnEnded(outcome: SubmitOutcome, messageId: string | undefined): void {
    if (messageId !== undefined) {
      this.#outcomes.set(messageId, outcome);
      this.#dropOldOutcomes();
      const response = 'result' in outcome ? outcome.result.response : '';
      this.#requests.settle(messageId, { status: outcome.status, response });
    }
    this.#inboxChanged();
  }

  /** Bounds the outcomes of prompts from other nodes, which are never read here. */
  #dropOldOutcomes(): void {
    for (const id of this.#outcomes.keys()) {
      if (this.#outcomes.size <= MAX_OUTCOMES) return;
      this.#outcomes.delete(id);
    }
  }

  #inboxChanged(): void {
    if (this.#isEnding) return;
    void this.#requests.check();
    this.#readingQueue = this.#readingQueue.then(() => this.#readQueue());
  }

  async #readQueue(): Promise<void> {
    if (this.#isEnding || this.#cancelling > 0) return;
    try {
      const items = await this.#options.archive.waiting(this.sessionId);
      if (this.#cancelling > 0) return;
      const prompts = items.filter(({ kind }) => kind === 'prompt').map(promptOf);
      // With no turn running, the first one is about to start.
      this.#setQueue(this.#view.isTurnOpen ? prompts : prompts.slice(1));
    } catch {
      // The next read finds it.
    }
  }

  #setQueue(queue: readonly QueuedPrompt[]): void {
    const ids = (prompts: readonly QueuedPrompt[]) => prompts.map(({ messageId }) => messageId);
    if (String(ids(queue)) === String(ids(this.#queue))) return;
    this.#queue = queue;
    this.#view.events.emit('queue', queue);
  }
}

function promptOf({ messageId, body }: InboxItem): QueuedPrompt {
  return { ...(body as unknown as QueuedPrompt), messageId };
}

function outcomeOf(
  { status, response }: InboxEnd,
  contextState: ReturnType<LiveSession['getContextState']>,
): SubmitOutcome {
  if (status === 'superseded') return { status };
  if (status === 'refused') return { status, reason: response };
  if (status === 'failed') return { status, error: new Error(response), endedBy: 'error' };
  const endedBy = status === 'completed' ? 'answer' : 'abort';
  return { status, result: { response, history: [], toolSummaries: [], contextState, endedBy } };
}

/** The error that the node stored as JSON; plain text if the node ended before it could. */
function failureOf({ status, response }: InboxEnd): Error {
  try {
    const { message, code } = JSON.parse(response) as { message: string; code?: string };
    return Object.assign(new Error(message), { code });
  } catch {
    return Object.assign(new Error(response || `It was ${status}.`), { code: status });
  }
}

function closed(): Error {
  return Object.assign(new Error('The session was closed here; open it again.'), {
    code: 'session_closed',
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
