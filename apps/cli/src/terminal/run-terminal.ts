import { randomUUID } from 'node:crypto';
import type { SessionView } from '@robota-sdk/agent-sdk';
import { agentTitle } from '../arguments/read-agent.ts';
import { createEffectRunner } from './effect-runner.ts';
import { gitBranch } from './git-branch.ts';
import { readKeys } from './keys/read-keys.ts';
import { TerminalOutput } from './output/terminal-output.ts';
import { sizeOf } from './output/terminal-size.ts';
import { themeFromEnvironment } from './output/theme.ts';
import { PromptHistoryFile } from './prompt-history-file.ts';
import { driven, knownCost, SessionBridge } from './session-bridge.ts';
import type { PickableSession, PickerHits, SessionPreview } from './state/overlay.ts';
import { type CommandEntry, initialScreen, type StatusFacts } from './state/screen-state.ts';
import { ScreenStore } from './state/screen-store.ts';

export interface TerminalOptions {
  readonly cwd: string;
  readonly version: string;
  readonly colors: boolean;
  /** Sent as soon as the session is open. */
  readonly prompt: string | undefined;
  /** The prompt history; undefined when nothing may be written. */
  readonly historyFile: string | undefined;
  readonly startsWithPicker: boolean;
  open(choice: TerminalChoice, host: TerminalHost): Promise<TerminalSession>;
  listSessions(): AsyncIterable<readonly PickableSession[]>;
  searchSessions(text: string): Promise<PickerHits>;
  previewSession(session: PickableSession): Promise<SessionPreview>;
  renameSession(session: PickableSession, name: string): Promise<void>;
  /** Moves the user's settings file aside, for `/reset`. */
  resetSettings(): Promise<void>;
}

/** What the terminal does for a session that is being opened. */
export interface TerminalHost {
  /** Asks whether to trust the directory; `pendingSettings` describes what its settings would do. */
  askTrust(directory: string, pendingSettings: readonly string[]): Promise<boolean>;
  /** Shows what a running command prints. */
  showOutput(toolUseId: string, text: string): void;
  /** Shows the number of running and queued background tasks. */
  showTasks(count: number): void;
}

/** Which session to open: the one from the command line, one from the picker, a copy, or a new one. */
export type TerminalChoice =
  | { readonly kind: 'start' }
  /** `copy` forks the session with this id, up to block `at` if given; `held` moves the session into this process. */
  | { readonly kind: 'copy' | 'held'; readonly id: string; readonly at?: string | undefined }
  | { readonly kind: 'picked'; readonly session: PickableSession; readonly fork: boolean }
  | { readonly kind: 'fresh' };

export interface TerminalSession {
  /** A `LiveSession` that accepts prompts, or a read-only view. */
  readonly session: SessionView;
  readonly model: string;
  readonly provider: string;
  /** Says that the demo provider answers because no API key is set; undefined otherwise. */
  readonly missingKey: string | undefined;
  /** Short summary of existing sessions for the banner. */
  readonly found: string | undefined;
  /** Shell command that resumes the session; undefined when it is not saved. */
  readonly resumeCommand: (() => string) | undefined;
  /** Shown once, below the banner. */
  readonly remark?: string | undefined;
  /** Commands for the slash menu; known once the session is ready. */
  commands(): readonly CommandEntry[];
  /** Calls `report` with the problem when the connection is lost, and with undefined when it is back. */
  watchConnection?(report: (problem: string | undefined) => void): void;
  /** Makes the session available to other clients; called once it is shown. */
  announce?(): Promise<void>;
  /** Releases other resources of this process; the session itself is shut down separately. */
  close?(): Promise<void>;
}

/** Runs the terminal UI until the user exits. The first paint waits for nothing. */
export async function runTerminal(options: TerminalOptions): Promise<void> {
  if (process.env.TERM === 'dumb') {
    const reason = 'This terminal cannot move its cursor (TERM=dumb).';
    throw new Error(`${reason} robota -p "…" answers without a screen.`);
  }
  await new Terminal(options).run();
}

const TICK_MS = 1_000;
/** By then SIGTSTP has stopped the process, and the timer fires only after it continues. */
const STOPPED_MS = 50;

interface CurrentSession {
  readonly opened: TerminalSession;
  readonly bridge: SessionBridge;
  /** Nothing that it reports is shown any more. */
  readonly leave: () => void;
}

class Terminal {
  readonly #options: TerminalOptions;
  readonly #store: ScreenStore;
  readonly #history: PromptHistoryFile | undefined;
  #output: TerminalOutput | undefined;
  #current: CurrentSession | undefined;
  #opening: Promise<void> | undefined;
  /** Awaited before the banner is printed, which names the branch. */
  #branchKnown: Promise<void> | undefined;
  /** Awaited before blocks of a resumed session are printed: what is printed is never coloured later. */
  #extrasLoaded: Promise<void> | undefined;
  #settleTrust: ((trusted: boolean) => void) | undefined;
  #isLeft = false;
  #end: () => void = () => undefined;
  #stopKeys: () => void = () => undefined;
  /** Stopped by ctrl+z. */
  #isSuspended = false;
  /** The terminal window was closed. */
  #isHungUp = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#history = options.historyFile ? new PromptHistoryFile(options.historyFile) : undefined;
    const runEffect = createEffectRunner({
      session: () => this.#current?.opened.session,
      whenOpen: () => this.#whenOpen(),
      commands: () => this.#store.getState().commands,
      cwd: options.cwd,
      history: this.#history,
      dispatch: (action) => this.#store.dispatch(action),
      answerTrust: (trusted) => this.#settleTrust?.(trusted),
      whenDrawn: async () => this.#output?.whenDrawn(),
      listSessions: options.listSessions,
      searchSessions: options.searchSessions,
      previewSession: options.previewSession,
      openSession: (session, fork) => this.#openNow({ kind: 'picked', session, fork }, 'resume'),
      showWork: () => this.#current?.bridge.open(),
      startNew: () => this.#startNew(),
      forkSession: (at) => this.#forkCurrent(at),
      takeOver: () => this.#takeOver(),
      renameSession: options.renameSession,
      scrollAway: () => this.#output?.scrollAway(),
      resetSettings: options.resetSettings,
      suspend: () => this.#suspend(),
      leave: () => this.#leave(),
    });
    const { columns, rows } = sizeOf(process.stdout);
    const theme = themeFromEnvironment(options.colors, process.env);
    const { version, cwd: directory } = options;
    this.#store = new ScreenStore(
      initialScreen({ version, directory, columns, rows, theme, surface: randomUUID() }),
      runEffect,
    );
  }

  async run(): Promise<void> {
    // Raw mode before the first paint: a key pressed as soon as the prompt is visible must not be echoed by the terminal.
    this.#readKeys();
    const output = new TerminalOutput(process.stdout, this.#store);
    this.#output = output;
    const left = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    const clock = setInterval(() => this.#tick(), TICK_MS);
    process.stdout.on('resize', output.onResize);
    process.once('SIGTERM', this.#leave);
    process.once('SIGHUP', this.#hangUp);
    process.on('SIGCONT', this.#continued);
    // A closed terminal shows up as SIGHUP or as a stream error; handling both is safe.
    for (const stream of [process.stdin, process.stdout]) stream.on('error', this.#hangUp);
    process.stdin.once('end', this.#hangUp);
    try {
      this.#extrasLoaded = this.#loadExtras();
      // Leaving does not wait for a session that is being opened, nor for an answer about trust.
      await Promise.race([this.#begin().then(() => left), left]);
    } finally {
      this.#isLeft = true;
      clearInterval(clock);
      process.stdout.off('resize', output.onResize);
      if (!this.#isHungUp) await output.whenAnswered();
      this.#stopKeys();
      output.end(this.#resumeHint());
      await this.#close('prompt_input_exit');
      process.off('SIGTERM', this.#leave);
      process.off('SIGHUP', this.#hangUp);
      process.off('SIGCONT', this.#continued);
    }
    // Everything is saved by now. Node crashes on a closed terminal at exit, so the signal ends the process.
    if (this.#isHungUp) process.kill(process.pid, 'SIGHUP');
  }

  readonly #hangUp = (): void => {
    this.#isHungUp = true;
    this.#leave();
  };

  readonly #leave = (): void => {
    this.#isLeft = true;
    this.#end();
  };

  /** What is typed after the key that ends or suspends the program is meant for the shell, and sends nothing here. */
  #readKeys(): void {
    this.#stopKeys = readKeys(process.stdin, process.stdout, {
      onPress: (press) => {
        if (this.#isLeft || this.#isSuspended) return;
        this.#store.dispatch({ type: 'press', press, at: Date.now() });
      },
      onReply: (reply) => this.#output?.onReply(reply),
    });
  }

  /** Stops the process group, as the terminal would; without a job-control shell the kernel ignores the signal. */
  async #suspend(): Promise<void> {
    this.#isSuspended = true;
    await this.#output?.whenAnswered();
    this.#stopKeys();
    this.#output?.pause();
    process.kill(0, 'SIGTSTP');
    setTimeout(() => {
      this.#isSuspended = false;
      this.#readKeys();
      this.#output?.resume();
      this.#output?.onResize();
    }, STOPPED_MS);
  }

  /** The process was stopped without warning: the shell has set the terminal its own way and written below the frame. */
  readonly #continued = (): void => {
    if (this.#isSuspended) return;
    this.#stopKeys();
    this.#readKeys();
    this.#output?.startBelow();
  };

  /** Updates elapsed times while something runs. */
  #tick(): void {
    if (this.#store.getState().work) this.#store.dispatch({ type: 'tick', at: Date.now() });
  }

  /** Empty for a session without messages or one that is not saved. */
  #resumeHint(): string[] {
    const { session, resumeCommand } = this.#current?.opened ?? {};
    if (!session || resumeCommand === undefined || session.getConversation().blocks.length === 0)
      return [];
    return [`Resume this session: ${resumeCommand()}`];
  }

  /** Leaves the previous session unchanged; the new one takes over its mode and model. */
  async #startNew(): Promise<void> {
    const before = this.#current?.opened.session;
    const kept = before && {
      permissionMode: before.getPermissionMode(),
      model: before.getModel(),
    };
    const hint = this.#resumeHint();
    await this.#openNow({ kind: 'fresh' }, 'clear');
    const session = driven(this.#current?.opened.session);
    const { setModel, permissionModes = [] } = session?.getCapabilities() ?? {};
    await session?.change({
      ...(kept?.permissionMode !== undefined &&
        permissionModes.includes(kept.permissionMode) && { permissionMode: kept.permissionMode }),
      ...(setModel && kept?.model !== undefined && { model: kept.model }),
    });
    this.#noteBefore(hint);
  }

  /** Continues in a copy; the original session stays unchanged and open for its other clients. */
  async #forkCurrent(at?: string): Promise<void> {
    const session = driven(this.#current?.opened.session);
    if (!session?.getCapabilities().fork) {
      throw new Error('This session cannot be forked from here.');
    }
    const hint = this.#resumeHint();
    await this.#openNow({ kind: 'copy', id: session.sessionId, at }, 'other');
    this.#noteBefore(hint);
  }

  /** Moves the session into this process; if another process still holds it, joins it again with a note. */
  async #takeOver(): Promise<void> {
    const session = this.#current?.opened.session;
    if (session) await this.#openNow({ kind: 'held', id: session.sessionId }, 'other');
  }

  #noteBefore([line]: readonly string[]): void {
    if (line === undefined) return;
    const text = line.replace('Resume this session', 'The session before');
    this.#store.dispatch({ type: 'note', text, tone: 'plain' });
  }

  async #begin(): Promise<void> {
    if (this.#options.startsWithPicker) {
      this.#store.dispatch({ type: 'picker_opened' });
      return;
    }
    await this.#openNow({ kind: 'start' }, 'resume').catch((error: Error) =>
      this.#store.dispatch({ type: 'note', text: error.message, tone: 'error' }),
    );
    const { prompt } = this.#options;
    if (prompt === undefined || !this.#current) return;
    this.#store.dispatch({ type: 'prompt_given', text: prompt, at: Date.now() });
  }

  /** Prompts typed before the session is open wait here. */
  async #whenOpen(): Promise<SessionView> {
    await this.#opening;
    if (this.#current) return this.#current.opened.session;
    throw new Error('No session is open; /resume opens one.');
  }

  /** Loads what the first paint does not need: the branch, the prompt history and syntax highlighting. */
  async #loadExtras(): Promise<void> {
    this.#branchKnown = gitBranch(this.#options.cwd).then((branch) =>
      this.#store.dispatch({ type: 'status', facts: { branch } }),
    );
    const prompts = (await this.#history?.load()) ?? [];
    this.#store.dispatch({ type: 'prompts_loaded', prompts });
    const { loadHighlighter } = await import('./markdown/highlight-code.ts');
    this.#store.dispatch({ type: 'highlighter_loaded', highlight: await loadHighlighter() });
  }

  #openNow(choice: TerminalChoice, reason: string): Promise<void> {
    this.#opening = this.#open(choice, reason);
    return this.#opening;
  }

  async #open(choice: TerminalChoice, reason: string): Promise<void> {
    const dispatch = this.#store.dispatch.bind(this.#store);
    let isLeft = false;
    /** Facts of a session that was left say nothing about the one after it. */
    const report = (facts: Partial<StatusFacts>) => {
      if (!isLeft) dispatch({ type: 'status', facts });
    };
    const opened = await this.#options.open(choice, {
      askTrust: (directory, pendingSettings) => this.#askTrust(directory, pendingSettings),
      showOutput: (toolUseId, text) => dispatch({ type: 'tool_printed', toolUseId, text }),
      showTasks: (tasks) => report({ tasks }),
    });
    await this.#close(reason);
    dispatch({ type: 'status', facts: { isSaved: true, tasks: 0 } });
    const { session } = opened;
    const bridge = new SessionBridge(session, dispatch);
    try {
      await Promise.all([session.whenReady(), this.#branchKnown]);
      const isResumed = session.getConversation().blocks.length > 0;
      if (isResumed) await Promise.all([this.#extrasLoaded, this.#output?.whenAnswered()]);
    } catch (error) {
      bridge.stop();
      await session.shutdown({ reason });
      throw error;
    }
    if (this.#isLeft) {
      bridge.stop();
      await shutDown(opened, reason);
      return;
    }
    const { sessionId: id, agent } = session;
    dispatch({ type: 'status', facts: statusOf(opened) });
    dispatch({
      type: 'opened',
      conversation: session.getConversation(),
      session: { id, agent, title: agentTitle(agent), capabilities: session.getCapabilities() },
      banner: { missingKey: opened.missingKey, found: opened.found },
      isFresh: choice.kind === 'fresh',
    });
    if (opened.remark) dispatch({ type: 'note', text: opened.remark, tone: 'plain' });
    dispatch({ type: 'commands_listed', commands: opened.commands() });
    opened.watchConnection?.((line) => report({ line }));
    const leave = () => {
      isLeft = true;
      bridge.stop();
    };
    // Only now: a question shown before its conversation would be drawn twice or lost.
    this.#current = { opened, bridge, leave };
    bridge.open();
    void this.#reportCost(opened);
    opened.announce?.().catch((error: Error) => {
      const text = `Others cannot join this session: ${error.message}`;
      dispatch({ type: 'note', text, tone: 'warning' });
    });
  }

  /** Sets the cost of a resumed session, so that its next turn is not charged for all of it. */
  async #reportCost({ session, provider }: TerminalSession): Promise<void> {
    const isUnused = session.getConversation().blocks.length === 0;
    if (isUnused || provider === 'demo' || session.agent !== 'robota') return;
    const costUsd = await knownCost(session);
    const { status, work } = this.#store.getState();
    const isCurrent = this.#current?.opened.session === session;
    if (isCurrent && status.costUsd === undefined && !work) {
      this.#store.dispatch({ type: 'status', facts: { costUsd } });
    }
  }

  #askTrust(directory: string, pendingSettings: readonly string[]): Promise<boolean> {
    this.#store.dispatch({ type: 'trust_asked', directory, pendingSettings, at: Date.now() });
    return new Promise((resolve) => {
      this.#settleTrust = resolve;
    });
  }

  async #close(reason: string): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.leave();
    if (current) await shutDown(current.opened, reason);
  }
}

async function shutDown(opened: TerminalSession, reason: string): Promise<void> {
  await opened.close?.();
  await opened.session.shutdown({ reason });
}

function statusOf({ session, model, provider }: TerminalSession) {
  const { usedPercentage, maxTokens } = session.getContextState();
  const isUnused = session.getConversation().blocks.length === 0;
  return {
    model: session.getModel() ?? model,
    provider,
    mode: session.getPermissionMode(),
    sessionName: session.getName(),
    contextPercentage: usedPercentage,
    contextTokens: maxTokens,
    line: undefined,
    // An unused session has cost nothing; the demo provider has no price.
    costUsd: provider === 'demo' || session.agent !== 'robota' || !isUnused ? undefined : 0,
  };
}
