import { KEYS, type TerminalScreen } from './terminal-screen.ts';

/** Gives a question on the screen the keys, unless it has them already. */
export async function enterQuestion(screen: TerminalScreen): Promise<void> {
  await screen.shows(/tab answers|then enter/);
  if (screen.window().includes('tab answers')) screen.type(KEYS.tab);
  await screen.shows('then enter');
}
