import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { EMPTY_CONVERSATION } from '@robota-sdk/agent-transcript';
import { render } from 'ink';
import { Screen } from './components/screen.tsx';
import { createEffectRunner } from './effect-runner.ts';
import { gitBranch } from './git-branch.ts';
import { readKeys } from './keys/read-keys.ts';
import { PromptHistoryFile } from './prompt-history-file.ts';
import { bridgeSession, commandEntries } from './session-bridge.ts';
import type { PickableSession } from './state/overlay.ts';
import { initialScreen } from './state/screen-state.ts';
import { ScreenStore } from './state/screen-store.ts';

export interface TerminalOptions {
  readonly cwd: string;
  readonly colors: boolean;
  /** Sent as soon as the session stands. */
  readonly prompt: string | undefined;
  /** Where prompts are remembered; undefined where nothing may be written. */
  readonly historyFile: string | undefined;
  /** Begins with the session picker. */
  readonly startsWithPicker: boolean;
  /** Opens a session: a new or chosen one at the start, another one from the picker. */
  open(choice: TerminalChoice | undefined, askTrust: AskTrust): Promise<TerminalSession>;
  listSessions(): AsyncIterable<readonly PickableSession[]>;
  /** Puts the user's settings aside, as `/reset` asks. */
  resetSettings(): Promise<void>;
}

/** How the person left: for good, or to go on in another agent's own program. */
export type TerminalEnd =
  | { readonly kind: 'left' }
  | { readonly kind: 'elsewhere'; readonly session: PickableSession };

/** Puts the question of trust to the person; `wishes` says what the settings would do. */
export type AskTrust = (directory: string, wishes: readonly string[]) => Promise<boolean>;

export interface TerminalChoice {
  readonly session: PickableSession;
  readonly fork: boolean;
}

export interface TerminalSession {
  readonly session: InteractiveSession;
  readonly model: string;
  readonly provider: string;
  /** Shown once, as on a first run. */
  readonly greeting: string | undefined;
}

/** Talks in the terminal until the person leaves. The first paint waits for nothing. */
export async function runTerminal(options: TerminalOptions): Promise<TerminalEnd> {
  const terminal = new Terminal(options);
  return terminal.run();
}

class Terminal {
  readonly #options: TerminalOptions;
  readonly #store: ScreenStore;
  readonly #history: PromptHistoryFile | undefined;
  #current: { readonly session: InteractiveSession; readonly stop: () => void } | undefined;
  #opening: Promise<void> | undefined;
  #settleTrust: ((trusted: boolean) => void) | undefined;
  #end: (end: TerminalEnd) => void = () => undefined;
  #clear: () => void = () => undefined;

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
      listSessions: options.listSessions,
      openSession: (session, fork) => this.#openPicked(session, fork),
      clearScreen: () => this.#clear(),
      resetSettings: options.resetSettings,
      leave: () => this.#leave(),
    });
    this.#store = new ScreenStore(firstScreen(), runEffect);
  }

  async run(): Promise<TerminalEnd> {
    // Before the first paint: a key pressed as soon as the prompt is seen must not be taken by the terminal itself.
    const stopKeys = readKeys(process.stdin, process.stdout, (press) =>
      this.#store.dispatch({ type: 'press', press }),
    );
    const app = render(<Screen store={this.#store} colors={this.#options.colors} />, {
      exitOnCtrlC: false,
      patchConsole: false,
    });
    this.#clear = () => {
      app.clear();
      process.stdout.write('\u001b[2J\u001b[3J\u001b[H');
    };
    const left = new Promise<TerminalEnd>((resolve) => {
      this.#end = resolve;
    });
    const onResize = () => this.#store.dispatch({ type: 'resized', ...terminalSize() });
    process.stdout.on('resize', onResize);
    for (const signal of SIGNALS) process.once(signal, this.#leave);
    try {
      void this.#furnish();
      await this.#begin();
      return await left;
    } finally {
      process.stdout.off('resize', onResize);
      for (const signal of SIGNALS) process.off(signal, this.#leave);
      stopKeys();
      app.unmount();
      await this.#close('prompt_input_exit');
    }
  }

  readonly #leave = (): void => this.#end({ kind: 'left' });

  /** Another agent's session goes on in that agent's program, which needs this terminal. */
  async #openPicked(session: PickableSession, fork: boolean): Promise<void> {
    if (session.agent !== 'robota') {
      this.#end({ kind: 'elsewhere', session });
      return;
    }
    this.#opening = this.#open({ session, fork });
    await this.#opening;
  }

  async #begin(): Promise<void> {
    if (this.#options.startsWithPicker) {
      this.#store.dispatch({ type: 'picker_opened' });
      return;
    }
    this.#opening = this.#open(undefined);
    await this.#opening.catch((error: Error) =>
      this.#store.dispatch({ type: 'notice', message: `Error: ${error.message}` }),
    );
    const { prompt } = this.#options;
    if (prompt !== undefined && this.#current) void this.#current.session.submit(prompt);
  }

  /** What is typed before the session stands waits for it. */
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

  async #open(choice: TerminalChoice | undefined): Promise<void> {
    const opened = await this.#options.open(choice, (directory, wishes) =>
      this.#askTrust(directory, wishes),
    );
    await this.#close('resume');
    const { session, model, provider, greeting } = opened;
    const dispatch = this.#store.dispatch.bind(this.#store);
    const stop = bridgeSession(session, dispatch);
    await session.whenReady();
    dispatch({
      type: 'opened',
      conversation: { ...EMPTY_CONVERSATION, blocks: session.getBlocks() },
    });
    dispatch({
      type: 'status',
      facts: {
        model: session.getModel() ?? model,
        provider,
        mode: session.getPermissionMode(),
        sessionName: session.getName(),
        contextPercentage: session.getContextState().usedPercentage,
      },
    });
    dispatch({ type: 'commands_listed', commands: commandEntries(session) });
    // Only now: what is asked before its conversation is shown would be drawn twice or lost.
    this.#current = { session, stop };
    if (greeting) dispatch({ type: 'notice', message: greeting });
  }

  #askTrust(directory: string, wishes: readonly string[]): Promise<boolean> {
    this.#store.dispatch({ type: 'trust_asked', directory, wishes });
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

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

function terminalSize(): { columns: number; rows: number } {
  return { columns: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 };
}

function firstScreen() {
  return initialScreen({
    ...terminalSize(),
    status: {
      sessionName: undefined,
      model: '…',
      provider: '',
      contextPercentage: 0,
      costUsd: undefined,
      mode: 'default',
      branch: undefined,
      isSaved: true,
    },
  });
}
