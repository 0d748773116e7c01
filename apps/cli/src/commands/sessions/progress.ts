import type { Output } from '../../output.ts';

export interface Progress {
  step(): void;
  /** Takes the bar off the screen before something else is written. */
  clear(): void;
}

const BAR_CELLS = 20;
/** Drawn at most this often. */
const REDRAW_MS = 100;

/** A bar on the notes stream; nothing where that is no terminal. */
export function createProgress(output: Output, label: string, total: number): Progress {
  const isShown = 'isTTY' in output.notes && output.notes.isTTY === true && total > 20;
  if (!isShown) return { step: () => undefined, clear: () => undefined };
  let done = 0;
  let drawnAt = 0;
  return {
    step() {
      done += 1;
      if (Date.now() - drawnAt < REDRAW_MS) return;
      drawnAt = Date.now();
      const filled = Math.round((done / total) * BAR_CELLS);
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
      output.notes.write(`\r${label} ${bar} ${done}/${total}`);
    },
    clear: () => void output.notes.write('\r\u001b[K'),
  };
}
