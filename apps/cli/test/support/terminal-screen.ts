import { type IPty, spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { PROGRAM } from './program.ts';
import type { Place } from './run-robota.ts';

/** How long a screen may take before the test says what it shows instead. */
const PATIENCE_MS = 20_000;

const PICTURE_BEGINS = '\u001b[?2026h';
const PICTURE_ENDS = '\u001b[?2026l';

interface TerminalScreenOptions {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  readonly rows?: number;
  /** What stands in the terminal already. */
  readonly before?: string;
  /** How long what the program writes is on its way, in milliseconds; as over a slow line, keys go out meanwhile. */
  readonly delayMs?: number;
  /** Started from a shell with job control, as people do. */
  readonly isInShell?: boolean;
  /** What stands before the command in that shell. */
  readonly shellPrefix?: string;
}

/** The program in a real pseudo-terminal, its screen read through a terminal emulator. */
export class TerminalScreen implements AsyncDisposable {
  readonly #pty: IPty;
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  readonly #waiting = new Set<() => void>();
  readonly #exited: Promise<number>;
  #written = '';
  #drawn = '';

  constructor(place: Place, args: readonly string[] = [], options: TerminalScreenOptions = {}) {
    const { columns = 80, rows = 24, env = {}, before = '', delayMs = 0, isInShell } = options;
    const { shellPrefix = '' } = options;
    this.#terminal = new headless.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      scrollback: 5000,
    });
    this.#terminal.write(before);
    const file = isInShell ? 'bash' : process.execPath;
    this.#pty = spawn(file, isInShell ? ['--norc', '-i'] : [PROGRAM, ...args], {
      name: env.TERM ?? 'xterm-256color',
      cols: columns,
      rows,
      cwd: place.project,
      env: { PATH: process.env.PATH ?? '', HOME: place.home, TERM: 'xterm-256color', ...env },
    });
    this.#pty.onData((data) => {
      this.#written += data;
      if (delayMs === 0) this.#draw(data);
      else setTimeout(() => this.#draw(data), delayMs);
    });
    // As a real terminal does: it answers questions in the order of what it is sent.
    this.#terminal.onData((reply) => this.#pty.write(reply));
    const command = [process.execPath, PROGRAM, ...args].join(' ');
    if (isInShell) this.type(`${shellPrefix} ${command}\r`);
    this.#exited = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** What stands on the screen and above it, empty lines at the end left out. */
  text(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    );
    return lines.join('\n').trimEnd();
  }

  /** Nobody looks at half a picture: programs mark where one begins and ends. */
  #draw(data: string): void {
    this.#terminal.write(data, () => {
      this.#drawn += data;
      for (const look of this.#waiting) look();
    });
  }

  get #isWhole(): boolean {
    return this.#drawn.lastIndexOf(PICTURE_BEGINS) <= this.#drawn.lastIndexOf(PICTURE_ENDS);
  }

  /** The rows of the window, without what has scrolled up. */
  window(): string {
    const { active } = this.#terminal.buffer;
    const rows = Array.from(
      { length: this.#terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    );
    return rows.join('\n').trimEnd();
  }

  cursor(): { x: number; y: number } {
    const { active } = this.#terminal.buffer;
    return { x: active.cursorX, y: active.cursorY };
  }

  /** Resolves as soon as the screen shows all of it. */
  shows(...wanted: readonly (string | RegExp)[]): Promise<void> {
    return this.until(() => {
      const text = this.text();
      return wanted.every((item) =>
        typeof item === 'string' ? text.includes(item) : item.test(text),
      );
    });
  }

  until(isThere: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        this.#waiting.delete(look);
        clearTimeout(timer);
        finish();
      };
      const look = () => {
        if (this.#isWhole && isThere()) settle(resolve);
      };
      const timer = setTimeout(
        () =>
          settle(() =>
            reject(new Error(`The screen never came to show it. It shows:\n${this.text()}`)),
          ),
        PATIENCE_MS,
      );
      this.#waiting.add(look);
      look();
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  paste(text: string): void {
    this.#pty.write(`\u001b[200~${text}\u001b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.resizeUntold(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** The window changes and the program has not heard of it, as in tmux for a quarter of a second. */
  resizeUntold(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** Everything the program has written, as it came. */
  get written(): string {
    return this.#written;
  }

  /** The terminal is gone, and only the shell in it is told so. */
  disconnect(): void {
    process.kill(this.#pty.pid, 'SIGKILL');
    (this.#pty as IPty & { destroy(): void }).destroy();
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  /** Resolves with the exit code once everything that was written is on the screen. */
  async exited(): Promise<number> {
    const code = await this.#exited;
    await new Promise<void>((resolve) => this.#terminal.write('', resolve));
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(this.#pty.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
    await this.#exited;
    this.#terminal.dispose();
  }
}

export const KEYS = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlO: '\u000f',
  ctrlR: '\u0012',
  shiftTab: '\u001b[Z',
  tab: '\t',
  ctrlL: '\u000c',
} as const;
