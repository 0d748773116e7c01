import type { Output } from '../output.ts';

/** How many cells a line has where answers go; undefined where that is no terminal. */
export function terminalWidth({ out }: Output): number | undefined {
  if (!('isTTY' in out) || out.isTTY !== true) return undefined;
  return 'columns' in out && typeof out.columns === 'number' ? out.columns : 80;
}
