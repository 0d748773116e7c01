import type { TerminalOutput } from '@robota-sdk/agent-session';

/** Discards output, because surfaces use events instead. Questions get the empty answer. */
export const NOOP_TERMINAL: TerminalOutput = {
  write() {},
  writeLine() {},
  writeMarkdown() {},
  writeError() {},
  prompt: () => Promise.resolve(''),
  select: (_options, initialIndex) => Promise.resolve(initialIndex ?? 0),
  spinner: () => ({ stop() {}, update() {} }),
};
