/** @jsxRuntime automatic */
import type { WriteStream } from 'node:tty';
import { type Instance, render } from 'ink';
import { Screen } from '../components/screen.tsx';
import { ASK_BACKGROUND, ASK_DRAWN, type TerminalReply } from '../keys/terminal-replies.ts';
import type { ScreenState } from '../state/screen-state.ts';
import type { ScreenStore } from '../state/screen-store.ts';
import { transcriptLines } from '../views/transcript-pager.ts';
import { paintLine } from './paint.ts';
import { ScreenSurface } from './screen-surface.ts';
import { backgroundOf } from './theme.ts';

/** Longer than Ink waits before it writes a picture. */
const FRAME_WRITTEN_MS = 100;
/** After this time a terminal is taken for one that does not answer. */
const NO_ANSWER_MS = 2_000;

const OTHER_SCREEN_ON = '\u001b[?1049h\u001b[?25l';
const OTHER_SCREEN_OFF = '\u001b[?1049l\u001b[?25h';
const SHOW_CURSOR = '\u001b[?25h';

/** Everything that is written to the terminal. What has scrolled up is never erased. */
export class TerminalOutput {
  readonly #terminal: WriteStream;
  #surface: ScreenSurface;
  readonly #store: ScreenStore;
  #app: Instance;
  readonly #unsubscribe: () => void;
  /** Those who wait for a sign that everything was drawn, in the order in which they asked. */
  readonly #awaiting: (() => void)[] = [];
  #isPaging = false;
  #wasResizedBehind = false;
  #isEnded = false;

  constructor(terminal: WriteStream, store: ScreenStore) {
    this.#terminal = terminal;
    this.#store = store;
    this.#surface = new ScreenSurface(terminal);
    this.#app = this.#mount();
    this.#unsubscribe = store.subscribe(() => this.#page(store.getState()));
    process.once('exit', this.#restore);
    this.#askBackground(store.getState());
  }

  /** Resolves when the terminal has drawn what is on the screen now; keys sent before that have arrived by then. */
  async whenDrawn(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, FRAME_WRITTEN_MS));
    if (this.#isEnded) return;
    await new Promise<void>((resolve) => {
      this.#awaiting.push(resolve);
      this.#terminal.write(ASK_DRAWN);
      setTimeout(resolve, NO_ANSWER_MS).unref();
    });
  }

  readonly onReply = (reply: TerminalReply): void => {
    if (reply.kind === 'drawn') this.#awaiting.shift()?.();
    else this.#store.dispatch({ type: 'background_known', background: backgroundOf(reply) });
  };

  /** A fresh screen: what stood on it is pushed up into the scrollback. */
  scrollAway(): void {
    const { rows } = this.#store.getState();
    this.#app.clear();
    this.#terminal.write(`${'\n'.repeat(Math.max(1, rows - 1))}\u001b[H`);
    this.#app.rerender(this.#picture());
  }

  readonly onResize = (): void => {
    const { columns = 80, rows = 24 } = this.#terminal;
    const hasOtherWidth = columns !== this.#store.getState().columns;
    if (this.#isPaging) this.#wasResizedBehind ||= hasOtherWidth;
    else if (hasOtherWidth) this.#surface.blankFrame();
    this.#store.dispatch({ type: 'resized', columns, rows });
  };

  /** Takes the live part away until `resume`, so that a shell can write here. */
  pause(): void {
    this.#takeAway();
    this.#app.unmount();
    this.#terminal.write(SHOW_CURSOR);
  }

  /** Draws anew below what was written meanwhile. */
  resume(): void {
    this.#surface = new ScreenSurface(this.#terminal);
    this.#app = this.#mount();
    this.#page(this.#store.getState());
  }

  /** Takes the live part away and leaves the shell a fresh line below `lines`. */
  end(lines: readonly string[]): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#unsubscribe();
    this.#takeAway();
    this.#terminal.write(`${SHOW_CURSOR}${lines.map((line) => `${line}\n`).join('')}`);
    this.#app.unmount();
    process.off('exit', this.#restore);
  }

  #takeAway(): void {
    if (this.#isPaging) this.#leavePage();
    this.#app.clear();
    this.#surface.close();
  }

  #mount(): Instance {
    return render(this.#picture(), {
      stdout: this.#surface as unknown as WriteStream,
      exitOnCtrlC: false,
      patchConsole: false,
    });
  }

  #picture() {
    return <Screen store={this.#store} surface={this.#surface} />;
  }

  /** A process that ends in any other way leaves a usable terminal too. */
  readonly #restore = (): void => {
    this.#terminal.write(`${this.#isPaging ? OTHER_SCREEN_OFF : ''}${SHOW_CURSOR}\u001b[?2004l`);
  };

  #askBackground({ theme }: ScreenState): void {
    const isKnown = theme.background !== undefined || !theme.colors || theme.depth === '16';
    if (!isKnown) this.#terminal.write(ASK_BACKGROUND);
  }

  #page(state: ScreenState): void {
    const { overlay } = state;
    if (overlay?.kind !== 'transcript') {
      if (this.#isPaging) this.#leavePage();
      return;
    }
    if (!this.#isPaging) {
      this.#isPaging = true;
      this.#surface.hold();
      this.#terminal.write(OTHER_SCREEN_ON);
    }
    const rows = transcriptLines(state, overlay.position).map(
      (line) => `${paintLine(line, state.theme)}\u001b[K`,
    );
    this.#terminal.write(`\u001b[H${rows.join('\r\n')}`);
  }

  #leavePage(): void {
    this.#isPaging = false;
    this.#terminal.write(OTHER_SCREEN_OFF);
    if (this.#wasResizedBehind) this.#surface.blankFrame();
    this.#wasResizedBehind = false;
    this.#surface.release();
    if (!this.#isEnded) this.#app.rerender(this.#picture());
  }
}
