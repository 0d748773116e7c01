import { randomUUID } from 'node:crypto';
import type { SessionView } from '@robota-sdk/agent-sdk';
import { agentTitle } from '../arguments/read-agent.ts';
import { createEffectRunner } from './effect-runner.ts';
import { gitBranch } from './git-branch.ts';
import { readKeys } from './keys/read-keys.ts';
import { TerminalOutput } from './output/terminal-output.tsx';
import { themeFromEnvironment } from './output/theme.ts';
import { PromptHistoryFile } from './prompt-history-file.ts';
import { driven, knownCost, SessionBridge } from './session-bridge.ts';
import type { PickableSession, PickerHits, SessionPreview } from './state/overlay.ts';
import { type CommandEntry, initialScreen } from './state/screen-state.ts';
import { ScreenStore } from './state/screen-store.ts';

export interface TerminalOptions {
  readonly cwd: string;
  readonly version: string;
  readonly colors: boolean;
  /** Sent as soon as the session is open. */
  readonly prompt: string | undefined;
  /** Where prompts are remembered; undefined where nothing may be written. */
  readonly historyFile: string | undefined;
  /** Begins with the session picker. */
  readonly startsWithPicker: boolean;
  open(choice: TerminalChoice, host: TerminalHost): Promise<TerminalSession>;
  listSessions(): AsyncIterable<readonly PickableSession[]>;
  searchSessions(text: string): Promise<PickerHits>;
  previewSession(session: PickableSession): Promise<SessionPreview>;
  renameSession(session: PickableSession, name: string): Promise<void>;
  /** Puts the user's settings aside, as `/reset` asks. */
  resetSettings(): Promise<void>;
}

/** What the terminal does for a session that is being opened. */
export interface TerminalHost {
  /** Puts the question of trust to the person; `pendingSettings` says what the settings would do. */
  askTrust(directory: string, pendingSettings: readonly string[]): Promise<boolean>;
  /** Shows what a running command prints. */
  showOutput(toolUseId: string, text: string): void;
  /** Shows how many background tasks run or wait. */
  showTasks(count: number): void;
}

/** Which session to open: the one the command line asks for, one of the list, or a new one. */
export type TerminalChoice =
  | { readonly kind: 'start' }
  /** A copy of the session with this id, which ends at a block where one is named, or itself, to be held here. */
  | { readonly kind: 'copy' | 'held'; readonly id: string; readonly at?: string | undefined }
  | { readonly kind: 'picked'; readonly session: PickableSession; readonly fork: boolean }
  | { readonly kind: 'fresh' };

export interface TerminalSession {
  /** To be driven, or only looked at. */
  readonly session: SessionView;
  readonly model: string;
  readonly provider: string;
  /** Why a demonstration answers, where it does for want of a key. */
  readonly missingKey: string | undefined;
  /** What was found here, in a few words. */
  readonly found: string | undefined;
  /** The command that comes back to it; undefined where nothing is kept. */
  readonly comeBack: (() => string) | undefined;
  /** Said once, below the banner. */
  readonly remark?: string | undefined;
  /** Commands for the slash menu; known once the session is ready. */
  commands(): readonly CommandEntry[];
  /** Calls `tell` whenever the session goes out of reach, with why, and when it is back. */
  watchLine?(tell: (problem: string | undefined) => void): void;
  /** Lets others find it, once it is shown. */
  announce?(): Promise<void>;
  /** Lets go of what this process holds beside the session. */
  close?(): Promise<void>;
}

/** Talks in the terminal until the person leaves. The first paint waits for nothing. */
export async function runTerminal(options: TerminalOptions): Promise<void> {
  await new Terminal(options).run();
}

const TICK_MS = 1_000;
/** The system has stopped a process long before, and counts no time while it is stopped. */
const STOPPED_MS = 50;

class Terminal {
  readonly #options: TerminalOptions;
  readonly #store: ScreenStore;
  readonly #history: PromptHistoryFile | undefined;
  #output: TerminalOutput | undefined;
  #current: { readonly opened: TerminalSession; readonly bridge: SessionBridge } | undefined;
  #opening: Promise<void> | undefined;
  /** The banner names the branch, so it waits for it. */
  #branchKnown: Promise<void> | undefined;
  #settleTrust: ((trusted: boolean) => void) | undefined;
  #end: () => void = () => undefined;
  #stopKeys: () => void = () => undefined;
  /** The window was closed: nobody sees what is written. */
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
      beginAnew: () => this.#beginAnew(),
      forkSession: (at) => this.#forkCurrent(at),
      takeOver: () => this.#takeOver(),
      renameSession: options.renameSession,
      scrollAway: () => this.#output?.scrollAway(),
      resetSettings: options.resetSettings,
      suspend: () => this.#suspend(),
      leave: () => this.#leave(),
    });
    const { columns = 80, rows = 24 } = process.stdout;
    const theme = themeFromEnvironment(options.colors, process.env);
    const { version, cwd: directory } = options;
    this.#store = new ScreenStore(
      initialScreen({ version, directory, columns, rows, theme, surface: randomUUID() }),
      runEffect,
    );
  }

  async run(): Promise<void> {
    // Before the first paint: a key pressed as soon as the prompt is seen must not be taken by the terminal itself.
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
    // A terminal that is gone tells it in the one or the other way, and in none of them twice.
    for (const stream of [process.stdin, process.stdout]) stream.on('error', this.#hangUp);
    try {
      void this.#furnish();
      await this.#begin();
      await left;
    } finally {
      clearInterval(clock);
      process.stdout.off('resize', output.onResize);
      this.#stopKeys();
      output.end(this.#resumeHint());
      await this.#close('prompt_input_exit');
      process.off('SIGTERM', this.#leave);
      process.off('SIGHUP', this.#hangUp);
    }
    // Everything is kept. Node itself fails over a terminal that is gone, so the signal ends the process.
    if (this.#isHungUp) process.kill(process.pid, 'SIGHUP');
  }

  readonly #hangUp = (): void => {
    this.#isHungUp = true;
    this.#leave();
  };

  readonly #leave = (): void => this.#end();

  #readKeys(): void {
    this.#stopKeys = readKeys(process.stdin, process.stdout, {
      onPress: (press) => this.#store.dispatch({ type: 'press', press, at: Date.now() }),
      onReply: (reply) => this.#output?.onReply(reply),
    });
  }

  /** The group is stopped, as a terminal would. Where no shell can continue it, the system does not stop it, and it goes on. */
  #suspend(): void {
    this.#stopKeys();
    this.#output?.pause();
    process.kill(0, 'SIGTSTP');
    setTimeout(() => {
      this.#readKeys();
      this.#output?.resume();
      this.#output?.onResize();
    }, STOPPED_MS);
  }

  /** Elapsed times go on while something runs. */
  #tick(): void {
    if (this.#store.getState().work) this.#store.dispatch({ type: 'tick', at: Date.now() });
  }

  /** How to come back; nothing where nothing was said or kept. */
  #resumeHint(): string[] {
    const { session, comeBack } = this.#current?.opened ?? {};
    if (!session || comeBack === undefined || session.getConversation().blocks.length === 0)
      return [];
    return [`Resume this session: ${comeBack()}`];
  }

  /** The session that was stays as it is; mode and model are kept, as a person would expect. */
  async #beginAnew(): Promise<void> {
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

  /** Goes on in a copy; the session that was stays as it is, and with whoever else is in it. */
  async #forkCurrent(at?: string): Promise<void> {
    const session = driven(this.#current?.opened.session);
    if (!session?.getCapabilities().fork) {
      throw new Error('This session cannot be forked from here.');
    }
    const hint = this.#resumeHint();
    await this.#openNow({ kind: 'copy', id: session.sessionId, at }, 'other');
    this.#noteBefore(hint);
  }

  /** Holds the session here; while another process holds it, it is joined again and says so. */
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

  /** What is typed before the session is open waits for it. */
  async #whenOpen(): Promise<SessionView> {
    await this.#opening;
    if (this.#current) return this.#current.opened.session;
    throw new Error('No session is open; /resume opens one.');
  }

  /** What may come a little later: prompts of earlier days, the branch, colours for code. */
  async #furnish(): Promise<void> {
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
    const opened = await this.#options.open(choice, {
      askTrust: (directory, pendingSettings) => this.#askTrust(directory, pendingSettings),
      showOutput: (toolUseId, text) =>
        this.#store.dispatch({ type: 'tool_printed', toolUseId, text }),
      showTasks: (tasks) => this.#store.dispatch({ type: 'status', facts: { tasks } }),
    });
    await this.#close(reason);
    const { session } = opened;
    const dispatch = this.#store.dispatch.bind(this.#store);
    const bridge = new SessionBridge(session, dispatch);
    try {
      await Promise.all([session.whenReady(), this.#branchKnown]);
    } catch (error) {
      bridge.stop();
      await session.shutdown({ reason });
      throw error;
    }
    const { agent } = session;
    dispatch({ type: 'status', facts: statusOf(opened) });
    dispatch({
      type: 'opened',
      conversation: session.getConversation(),
      session: { agent, title: agentTitle(agent), capabilities: session.getCapabilities() },
      banner: { missingKey: opened.missingKey, found: opened.found },
      isFresh: choice.kind === 'fresh',
    });
    if (opened.remark) dispatch({ type: 'note', text: opened.remark, tone: 'plain' });
    dispatch({ type: 'commands_listed', commands: opened.commands() });
    opened.watchLine?.((line) => dispatch({ type: 'status', facts: { line } }));
    // Only now: what is asked before its conversation is shown would be drawn twice or lost.
    this.#current = { opened, bridge };
    bridge.open();
    void this.#tellCost(opened);
    opened.announce?.().catch((error: Error) => {
      const text = `Others cannot join this session: ${error.message}`;
      dispatch({ type: 'note', text, tone: 'warning' });
    });
  }

  /** What a session that goes on has cost so far, so that a turn is not charged with all of it. */
  async #tellCost({ session, provider }: TerminalSession): Promise<void> {
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
    current?.bridge.stop();
    await current?.opened.close?.();
    await current?.opened.session.shutdown({ reason });
  }
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
    // Nothing has been asked yet, so nothing was spent; a demonstration has no price.
    costUsd: provider === 'demo' || session.agent !== 'robota' || !isUnused ? undefined : 0,
  };
}
