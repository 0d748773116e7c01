import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { createEffectRunner } from './effect-runner.ts';
import { gitBranch } from './git-branch.ts';
import { readKeys } from './keys/read-keys.ts';
import { TerminalOutput } from './output/terminal-output.tsx';
import { themeFromEnvironment } from './output/theme.ts';
import { PromptHistoryFile } from './prompt-history-file.ts';
import { bridgeSession } from './session-bridge.ts';
import type { PickableSession } from './state/overlay.ts';
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
  /** False where sessions are not kept, so that nobody is told to resume one. */
  readonly isKept: boolean;
  open(choice: TerminalChoice, host: TerminalHost): Promise<TerminalSession>;
  listSessions(): AsyncIterable<readonly PickableSession[]>;
  renameSession(session: PickableSession, name: string): Promise<void>;
  /** Puts the user's settings aside, as `/reset` asks. */
  resetSettings(): Promise<void>;
}

/** How the person left: for good, or to go on in another agent's own program. */
export type TerminalEnd =
  | { readonly kind: 'left' }
  | { readonly kind: 'elsewhere'; readonly session: PickableSession };

/** What the terminal does for a session that is being opened. */
export interface TerminalHost {
  /** Puts the question of trust to the person; `wishes` says what the settings would do. */
  askTrust(directory: string, wishes: readonly string[]): Promise<boolean>;
  /** Shows what a running command prints. */
  showOutput(toolUseId: string, text: string): void;
}

/** Which session to open: the one the command line asks for, one of the list, or a new one. */
export type TerminalChoice =
  | { readonly kind: 'start' }
  | { readonly kind: 'picked'; readonly session: PickableSession; readonly fork: boolean }
  | { readonly kind: 'fresh' };

export interface TerminalSession {
  readonly session: InteractiveSession;
  readonly model: string;
  readonly provider: string;
  /** Why a demonstration answers, where it does for want of a key. */
  readonly missingKey: string | undefined;
  /** What was found here, in a few words. */
  readonly found: string | undefined;
  /** Commands for the slash menu; known once the session is ready. */
  commands(): readonly CommandEntry[];
}

/** Talks in the terminal until the person leaves. The first paint waits for nothing. */
export async function runTerminal(options: TerminalOptions): Promise<TerminalEnd> {
  const terminal = new Terminal(options);
  return terminal.run();
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;
const TICK_MS = 1_000;

class Terminal {
  readonly #options: TerminalOptions;
  readonly #store: ScreenStore;
  readonly #history: PromptHistoryFile | undefined;
  #output: TerminalOutput | undefined;
  #current: { readonly session: InteractiveSession; readonly stop: () => void } | undefined;
  #opening: Promise<void> | undefined;
  #settleTrust: ((trusted: boolean) => void) | undefined;
  #end: (end: TerminalEnd) => void = () => undefined;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#history = options.historyFile ? new PromptHistoryFile(options.historyFile) : undefined;
    const runEffect = createEffectRunner({
      session: () => this.#current?.session,
      whenOpen: () => this.#whenOpen(),
      cwd: options.cwd,
      history: this.#history,
      dispatch: (action) => this.#store.dispatch(action),
      answerTrust: (trusted) => this.#settleTrust?.(trusted),
      whenDrawn: async () => this.#output?.whenDrawn(),
      listSessions: options.listSessions,
      openSession: (session, fork) => this.#openPicked(session, fork),
      beginAnew: () => this.#beginAnew(),
      renameSession: options.renameSession,
      scrollAway: () => this.#output?.scrollAway(),
      resetSettings: options.resetSettings,
      leave: () => this.#leave(),
    });
    const { columns = 80, rows = 24 } = process.stdout;
    const theme = themeFromEnvironment(options.colors, process.env);
    const { version, cwd: directory } = options;
    this.#store = new ScreenStore(
      initialScreen({ version, directory, columns, rows, theme }),
      runEffect,
    );
  }

  async run(): Promise<TerminalEnd> {
    // Before the first paint: a key pressed as soon as the prompt is seen must not be taken by the terminal itself.
    const stopKeys = readKeys(process.stdin, process.stdout, {
      onPress: (press) => this.#store.dispatch({ type: 'press', press, at: Date.now() }),
      onReply: (reply) => this.#output?.onReply(reply),
    });
    const output = new TerminalOutput(process.stdout, this.#store);
    this.#output = output;
    const left = new Promise<TerminalEnd>((resolve) => {
      this.#end = resolve;
    });
    const clock = setInterval(() => this.#tick(), TICK_MS);
    process.stdout.on('resize', output.onResize);
    for (const signal of SIGNALS) process.once(signal, this.#leave);
    try {
      void this.#furnish();
      await this.#begin();
      return await left;
    } finally {
      clearInterval(clock);
      process.stdout.off('resize', output.onResize);
      for (const signal of SIGNALS) process.off(signal, this.#leave);
      stopKeys();
      output.end(this.#resumeHint());
      await this.#close('prompt_input_exit');
    }
  }

  readonly #leave = (): void => this.#end({ kind: 'left' });

  /** Elapsed times go on while something runs. */
  #tick(): void {
    if (this.#store.getState().work) this.#store.dispatch({ type: 'tick', at: Date.now() });
  }

  /** How to come back; nothing where nothing was said or kept. */
  #resumeHint(): string[] {
    const session = this.#current?.session;
    if (!session || !this.#options.isKept || session.getBlocks().length === 0) return [];
    return [`Resume this session: ${resumeCommandOf(session)}`];
  }

  /** Another agent's session goes on in that agent's program, which needs this terminal. */
  async #openPicked(session: PickableSession, fork: boolean): Promise<void> {
    if (session.agent !== 'robota') {
      this.#end({ kind: 'elsewhere', session });
      return;
    }
    await this.#openNow({ kind: 'picked', session, fork }, 'resume');
  }

  /** The session that was stays as it is; mode and model are kept, as a person would expect. */
  async #beginAnew(): Promise<void> {
    const before = this.#current?.session;
    const kept = before && { mode: before.getPermissionMode(), model: before.getModel() };
    const hint = this.#resumeHint();
    await this.#openNow({ kind: 'fresh' }, 'clear');
    const session = this.#current?.session;
    if (session && kept) {
      session.setPermissionMode(kept.mode);
      if (kept.model !== undefined) session.setModel(kept.model);
      const facts = { mode: kept.mode, ...(kept.model !== undefined && { model: kept.model }) };
      this.#store.dispatch({ type: 'status', facts });
    }
    const [line] = hint;
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
  async #whenOpen(): Promise<InteractiveSession> {
    await this.#opening;
    if (this.#current) return this.#current.session;
    throw new Error('No session is open; /resume opens one.');
  }

  /** What may come a little later: prompts of earlier days, the branch, colours for code. */
  async #furnish(): Promise<void> {
    const [prompts, branch] = await Promise.all([
      this.#history?.load() ?? [],
      gitBranch(this.#options.cwd),
    ]);
    this.#store.dispatch({ type: 'prompts_loaded', prompts });
    this.#store.dispatch({ type: 'status', facts: { branch } });
    const { loadHighlighter } = await import('./markdown/highlight-code.ts');
    this.#store.dispatch({ type: 'highlighter_loaded', highlight: await loadHighlighter() });
  }

  #openNow(choice: TerminalChoice, reason: string): Promise<void> {
    this.#opening = this.#open(choice, reason);
    return this.#opening;
  }

  async #open(choice: TerminalChoice, reason: string): Promise<void> {
    const opened = await this.#options.open(choice, {
      askTrust: (directory, wishes) => this.#askTrust(directory, wishes),
      showOutput: (toolUseId, text) =>
        this.#store.dispatch({ type: 'tool_printed', toolUseId, text }),
    });
    await this.#close(reason);
    const { session } = opened;
    const dispatch = this.#store.dispatch.bind(this.#store);
    const stop = bridgeSession(session, dispatch);
    await session.whenReady();
    dispatch({ type: 'status', facts: statusOf(opened) });
    dispatch({
      type: 'opened',
      conversation: session.getConversation(),
      banner: { missingKey: opened.missingKey, found: opened.found },
      isFresh: choice.kind === 'fresh',
    });
    dispatch({ type: 'commands_listed', commands: opened.commands() });
    // Only now: what is asked before its conversation is shown would be drawn twice or lost.
    this.#current = { session, stop };
  }

  #askTrust(directory: string, wishes: readonly string[]): Promise<boolean> {
    this.#store.dispatch({ type: 'trust_asked', directory, wishes, at: Date.now() });
    return new Promise((resolve) => {
      this.#settleTrust = resolve;
    });
  }

  async #close(reason: string): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.stop();
    await current?.session.shutdown({ reason });
  }
}

function statusOf({ session, model, provider }: TerminalSession) {
  const { usedPercentage, maxTokens } = session.getContextState();
  return {
    model: session.getModel() ?? model,
    provider,
    mode: session.getPermissionMode(),
    sessionName: session.getName(),
    contextPercentage: usedPercentage,
    contextTokens: maxTokens,
    // Nothing has been asked yet, so nothing was spent; a demonstration has no price.
    costUsd: provider === 'demo' || session.getBlocks().length > 0 ? undefined : 0,
  };
}

function resumeCommandOf(session: InteractiveSession): string {
  const reference = session.getName() ?? session.sessionId;
  const isPlain = /^[\w.:@/-]+$/.test(reference);
  return `robota -r ${isPlain ? reference : `'${reference.replaceAll("'", String.raw`'\''`)}'`}`;
}
