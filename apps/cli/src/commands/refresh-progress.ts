import type { RefreshProgress } from '@robota-sdk/agent-archive';
import type { Output } from '../output.ts';

/** A bar for work that turns out to last. */
export interface ProgressBar {
  show(progress: RefreshProgress): void;
  /** Takes the bar off the screen before something else is written. */
  clear(): void;
}

const BAR_CELLS = 20;
/** Drawn at most this often. */
const REDRAW_MS = 100;
/** Work that is done sooner needs no bar. */
const QUIET_MS = 1000;

/** A bar on the notes stream, after a second; where that is no terminal, one line says what is waited for. */
export function createProgress(output: Output, now: () => number = Date.now): ProgressBar {
  const isTerminal = 'isTTY' in output.notes && output.notes.isTTY === true;
  const startedAt = now();
  let drawnAt = 0;
  return {
    show({ done, total }) {
      if (now() - startedAt < QUIET_MS || now() - drawnAt < REDRAW_MS) return;
      if (!isTerminal && drawnAt > 0) return;
      drawnAt = now();
      if (isTerminal) output.notes.write(`\r${barOf(done, total)}`);
      else output.note(`Indexing, ${done} of ${total} sessions`);
    },
    clear() {
      if (isTerminal && drawnAt > 0) output.notes.write('\r\u001b[K');
    },
  };
}

function barOf(done: number, total: number): string {
  const filled = Math.round((done / Math.max(1, total)) * BAR_CELLS);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
  return `Indexing ${bar} ${done} of ${total} (ctrl+c to continue later)`;
}
