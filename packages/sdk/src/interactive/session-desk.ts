import { resolve } from 'node:path';
import type { SessionListeners } from '../assembly/create-session.ts';
import { LiveBlocks } from '../blocks/live-blocks.ts';
import { SystemCommandExecutor } from '../commands/command-executor.ts';
import type { CommandResult } from '../commands/system-command.ts';
import { createSystemCommands } from '../commands/system-commands.ts';
import { rememberProjectRule } from '../config/remember-rule.ts';
import type { SavedSession } from '../records/load-saved-session.ts';
import { EventHub } from './event-hub.ts';
import type { SessionNotice } from './events.ts';
import type { SubmitOutcome } from './execution-result.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { Ledger, type ModelCost, type ModelTally } from './ledger.ts';
import { LiveTurn } from './live-turn.ts';
import type { InteractiveSessionOptions } from './options.ts';
import { PermissionBroker } from './permission-broker.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import { runTurn } from './run-turn.ts';
import { SessionLife, type SessionLifeParts } from './session-life.ts';
import type { AssembledSession } from './session-source.ts';
import { Timeline } from './timeline.ts';
import { TurnLoop } from './turn-loop.ts';

/** Commands that change the conversation and so wait until nothing runs. */
const NEEDS_QUIET = ['clear', 'compact'];

/** Holds the parts of one interactive session together: each knows its own matter, this knows who tells whom. */
export class SessionDesk {
  readonly options: InteractiveSessionOptions;
  readonly events = new EventHub();
  readonly timeline = new Timeline();
  readonly ledger = new Ledger();
  readonly blocks: LiveBlocks;
  readonly live: LiveTurn;
  readonly broker: PermissionBroker;
  readonly turns: TurnLoop;
  readonly life: SessionLife;
  readonly commands: SystemCommandExecutor;
  readonly notices: SessionNotice[] = [];
  readonly #session: () => InteractiveSession;
  /** Ends what extensions do for a person outside of a turn. */
  #beside = new AbortController();

  constructor(options: InteractiveSessionOptions, session: () => InteractiveSession) {
    this.options = options.cwd === undefined ? options : { ...options, cwd: resolve(options.cwd) };
    this.#session = session;
    const { events, timeline, ledger } = this;
    this.blocks = new LiveBlocks(
      (event, sequence) => events.emit('stream_event', event, sequence),
      () => events.hasListener('stream_event'),
    );
    this.live = new LiveTurn({ events, timeline, ledger, cwd: options.cwd ?? '' });
    this.commands = new SystemCommandExecutor([
      ...createSystemCommands(),
      ...(options.commands ?? []),
    ]);
    this.broker = this.#createBroker();
    this.turns = new TurnLoop({
      depth: options.queueDepth,
      run: (prompt, isAborted) => this.#answer(prompt, isAborted),
      interrupt: () => this.#interrupt(),
      onAbort: () => {
        this.#beside.abort();
        this.#beside = new AbortController();
      },
    });
    this.life = this.#createLife();
  }

  async submit(prompt: QueuedPrompt): Promise<SubmitOutcome> {
    if (this.life.isEnding) {
      throw Object.assign(new Error('Interactive session is shutting down.'), {
        code: 'session_closed',
      });
    }
    if (this.options.readOnly) {
      const reason = `Session ${this.life.sessionId} is open read-only; fork it to go on.`;
      return { status: 'refused', reason };
    }
    if (prompt.input.trim() === '') return { status: 'refused', reason: 'The prompt is empty.' };
    return this.turns.submit(prompt);
  }

  async executeCommand(name: string, args: string): Promise<CommandResult | null> {
    if (NEEDS_QUIET.includes(name) && this.turns.isExecuting()) {
      const message = 'Another prompt or command is already running. Wait for it to finish.';
      return { success: false, message };
    }
    await this.#findCommand(name);
    return this.commands.execute(name, this.#session(), args);
  }

  /** A name that is not built in may be a skill's or a plugin's: those are known once the session stands. */
  async #findCommand(name: string): Promise<void> {
    const { session, readOnly } = this.options;
    if (this.commands.has(name) || session || readOnly || this.life.isEnding) return;
    await this.life.stand();
  }

  async clear(): Promise<void> {
    const session = await this.life.stand();
    session.clearHistory();
    this.timeline.clear();
    this.blocks.clear();
    await this.save();
  }

  costs(): Promise<ModelCost[]> {
    this.#countUsage();
    return this.ledger.costs();
  }

  rename(name: string): void {
    this.life.persistence.name = name;
    void this.life.port?.rename?.(name);
    void this.save();
  }

  /** Never rejects; undefined when it was done at once. */
  save(): Promise<void> | undefined {
    this.#countUsage();
    const tallies = this.ledger.tallies();
    if (tallies.length > 0) this.life.persistence.setField('modelUsage', tallies);
    return this.life.save();
  }

  async shutdown(reason: string | undefined): Promise<void> {
    const ending = this.life.end(reason, () => this.turns.idle());
    this.turns.abort();
    await ending;
  }

  notice(kind: string, message: string): void {
    const notice = { kind, message };
    this.notices.push(notice);
    this.events.emit('notice', notice);
  }

  #answer(prompt: QueuedPrompt, isAborted: () => boolean): Promise<SubmitOutcome> {
    const { events, timeline, live, blocks, ledger, life } = this;
    return runTurn(prompt, {
      events,
      timeline,
      live,
      blocks,
      ledger,
      isAborted,
      session: () => life.start(),
      prepare: (given) => life.assembled?.contributions.preparePrompt(given) ?? given,
      countUsage: () => this.#countUsage(),
      saveFirst: async () => life.saveFirst(),
      save: async () => this.save(),
    });
  }

  #countUsage(): void {
    this.ledger.absorb(this.life.port?.getUsage?.() ?? []);
  }

  #interrupt(): void {
    this.broker.denyAll();
    this.life.port?.abort();
  }

  #createBroker(): PermissionBroker {
    return new PermissionBroker({
      handler: this.options.permissionHandler,
      hasAudience: () => this.events.hasListener('permission_request'),
      onRequest: (request) => this.events.emit('permission_request', request),
      onResolved: (resolution) => this.events.emit('permission_resolved', resolution),
      onHandlerError: (error) => this.events.emit('error', error),
    });
  }

  #createLife(): SessionLife {
    return new SessionLife({
      options: this.options,
      listeners: this.#listeners(),
      doors: this.#doors(),
      onSaved: (saved) => this.#restored(saved),
      onAssembled: (assembled) => this.#assembled(assembled),
      onNotSaved: (error) => this.notice('not_saved', error.message),
      history: () => this.timeline.live(),
      isExecuting: () => this.turns.isExecuting(),
    });
  }

  #doors(): SessionLifeParts['doors'] {
    return {
      notice: (message) => this.notice('extension', message),
      streamEvent: (event) => this.blocks.foreign(event),
      countRequest: (request) => this.ledger.add(request),
      askPermission: (toolName, toolArgs, { toolCallId, explanation, signal }) =>
        this.broker.ask({ toolName, toolArgs, toolCallId, explanation }, signal),
      addHistoryEvent: (type, data) => this.timeline.addEvent(type, data),
      addHistoryMessage: (role, content) =>
        role === 'user' ? this.timeline.addUser(content) : this.timeline.addAssistant(content),
      submit: (prompt) => this.submit(prompt),
      idle: () => this.turns.idle(),
      abortSignal: () => this.#beside.signal,
    };
  }

  #listeners(): SessionListeners {
    return {
      onTextDelta: this.live.textDelta,
      onToolExecution: this.live.toolExecution,
      onEngineEvent: (event) => {
        if (event.type === 'provider_retry') this.notice('retry', retryText(event));
        return this.blocks.hear(event);
      },
      onContextUpdate: (state) => this.events.emit('context_update', state),
      onCompactEvent: (compaction) => this.events.emit('compact', compaction),
      onNotice: (notice) => this.notice('session', notice.message),
      onProjectGrant: (pattern) => this.#rememberRule(pattern),
      permissionHandler: this.#doors().askPermission,
    };
  }

  #rememberRule(pattern: string): void {
    const { cwd } = this.options;
    if (cwd === undefined) return;
    rememberProjectRule(cwd, pattern).catch((error: Error) =>
      this.notice('settings', error.message),
    );
  }

  #restored(saved: SavedSession): void {
    const tallies = this.options.forkSession ? [] : saved.record.modelUsage;
    if (Array.isArray(tallies)) this.ledger.restore(tallies as ModelTally[]);
    this.timeline.restore(saved.history);
    this.blocks.restore(saved.messages);
    if (saved.recovery) this.notice('restore', saved.recovery);
    const { sessionAllowedTools: granted } = saved.record;
    if (Array.isArray(granted) && granted.length > 0 && !this.options.forkSession) {
      this.notice(
        'grants',
        `Allowed earlier in this session and not any more: ${granted.join(', ')}.`,
      );
    }
  }

  #assembled({ surroundings, contributions }: AssembledSession): void {
    for (const command of contributions.commands) this.commands.add(command);
    for (const { kind, message } of surroundings.notices) this.notice(kind, message);
  }
}

/** A wait that nobody explains looks like a hang. */
function retryText({
  reason,
  waitMs,
}: {
  readonly reason: string;
  readonly waitMs: number;
}): string {
  return `${reason} Trying again in ${Math.ceil(waitMs / 1000)} s.`;
}
