import type { RefreshProgress } from '@robota-sdk/agent-archive';
import type { Output } from '../output.ts';

/** A progress bar that appears only if the work takes long. */
export interface ProgressBar {
  show(progress: RefreshProgress): void;
  /** Erases the bar before something else is written. */
  clear(): void;
}

const BAR_CELLS = 20;
/** Minimum time between redraws. */
const REDRAW_MS = 100;
/** Delay before the bar appears. */
const QUIET_MS = 1000;

/** A bar on stderr after one second; if that is not a terminal, a single line instead. */
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
