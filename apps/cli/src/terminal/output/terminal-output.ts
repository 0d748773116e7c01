import type { WriteStream } from 'node:tty';
import { ASK_BACKGROUND, ASK_DRAWN, type TerminalReply } from '../keys/terminal-replies.ts';
import { layoutScreen } from '../layout/layout-screen.ts';
import type { ScreenState } from '../state/screen-state.ts';
import type { ScreenStore } from '../state/screen-store.ts';
import { transcriptLines } from '../views/transcript-pager.ts';
import { AwaitedReplies } from './awaited-replies.ts';
import { FullPage } from './full-page.ts';
import { LiveArea } from './live-area.ts';
import { type ResizeBehaviour, resizeBehaviour } from './resize-behaviour.ts';
import { sizeOf } from './terminal-size.ts';
import { backgroundOf } from './theme.ts';

/** Restores what a frame may have changed: wrapping on, cursor visible. */
const DEFAULT_MODES = '\u001b[?7h\u001b[?25h';

/** Writes everything to the terminal. The scrollback is never erased. */
export class TerminalOutput {
  readonly #terminal: WriteStream;
  readonly #store: ScreenStore;
  readonly #resize: ResizeBehaviour;
  readonly #area: LiveArea;
  readonly #page: FullPage;
  readonly #unsubscribe: () => void;
  readonly #replies = new AwaitedReplies();
  /** Runs while the window is being resized. */
  #resizing: NodeJS.Timeout | undefined;
  #isQueued = false;
  #isPaused = false;
  #isEnded = false;

  constructor(terminal: WriteStream, store: ScreenStore, environment = process.env) {
    this.#terminal = terminal;
    this.#store = store;
    this.#resize = resizeBehaviour(environment);
    this.#area = new LiveArea(terminal, this.#resize);
    this.#page = new FullPage(terminal);
    this.#unsubscribe = store.subscribe(this.#queueDraw);
    process.once('exit', this.#restore);
    this.#draw();
    this.#askBackground(store.getState());
  }

  /** Resolves when the terminal has drawn the current screen; keys sent before that have arrived by then. */
  async whenDrawn(): Promise<void> {
    if (this.#isEnded) return;
    this.#endResize();
    this.#terminal.write(ASK_DRAWN);
    await this.#replies.next('drawn');
  }

  /** Resolves when the terminal has replied to everything, or does not: a later reply would be typed into the shell. */
  async whenAnswered(): Promise<void> {
    await this.#replies.all();
  }

  readonly onReply = (reply: TerminalReply): void => {
    this.#replies.arrived(reply.kind);
    if (reply.kind === 'background')
      this.#store.dispatch({ type: 'background_known', background: backgroundOf(reply) });
  };

  /** Clears the screen by pushing its content into the scrollback. */
  scrollAway(): void {
    const { rows } = this.#store.getState();
    this.#area.erase();
    this.#terminal.write(`${'\n'.repeat(Math.max(1, rows - 1))}\u001b[H`);
    this.#draw();
  }

  /** Redraws the live area once the window size has settled. */
  readonly onResize = (): void => {
    const { columns, rows } = sizeOf(this.#terminal);
    clearTimeout(this.#resizing);
    this.#resizing = setTimeout(() => this.#endResize(), this.#resize.settledMs);
    this.#store.dispatch({ type: 'resized', columns, rows });
  };

  /** Erases the live area until `resume`, so that the shell can write. */
  pause(): void {
    this.#eraseLiveArea();
    this.#isPaused = true;
    this.#terminal.write(DEFAULT_MODES);
  }

  /** Redraws below what was written in the meantime. */
  resume(): void {
    this.#isPaused = false;
    this.#draw();
  }

  /** Draws everything anew below what others have written; what was drawn stays. */
  startBelow(): void {
    this.#area.forget();
    this.#page.forget();
    this.onResize();
    this.#endResize();
  }

  /** Erases the live area and leaves the shell on a new line below `lines`. */
  end(lines: readonly string[]): void {
    if (this.#isEnded) return;
    this.#eraseLiveArea();
    this.#isEnded = true;
    this.#unsubscribe();
    this.#terminal.write(`${DEFAULT_MODES}${lines.map((line) => `${line}\n`).join('')}`);
    process.off('exit', this.#restore);
  }

  /** Prints pending finished lines first. */
  #eraseLiveArea(): void {
    this.#page.close();
    this.#endResize();
    this.#area.erase();
  }

  #endResize(): void {
    clearTimeout(this.#resizing);
    this.#resizing = undefined;
    this.#draw();
  }

  /** Changes in the same tick are drawn together. */
  readonly #queueDraw = (): void => {
    if (this.#isQueued) return;
    this.#isQueued = true;
    queueMicrotask(() => this.#draw());
  };

  #draw(): void {
    this.#isQueued = false;
    if (this.#isPaused || this.#isEnded) return;
    const state = this.#store.getState();
    if (state.overlay?.kind === 'transcript') {
      this.#page.draw(transcriptLines(state, state.overlay.position), state, state.theme);
      return;
    }
    this.#page.close();
    refreshSize(this.#terminal);
    // A frame drawn for an outdated width would leave rows behind.
    if (this.#resizing) return;
    const { lines } = state.print;
    this.#area.draw(lines, layoutScreen(state), state.theme);
    if (lines.length > 0) this.#store.dispatch({ type: 'printed', count: lines.length });
  }

  /** Leaves a usable terminal when the process exits in any other way. */
  readonly #restore = (): void => {
    this.#page.close();
    this.#terminal.write(`${DEFAULT_MODES}\u001b[?2004l`);
  };

  #askBackground({ theme }: ScreenState): void {
    const isKnown = theme.background !== undefined || !theme.colors || theme.depth === '16';
    if (isKnown) return;
    this.#terminal.write(ASK_BACKGROUND);
    void this.#replies.next('background');
  }
}

/** Node updates the size in its signal handler, which runs after timers; this reads it now and emits `resize` on a change. */
function refreshSize(terminal: WriteStream & { _refreshSize?: () => void }): void {
  terminal._refreshSize?.();
}
