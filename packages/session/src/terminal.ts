/** Port: where a session can ask and tell a person. A surface without a terminal answers with no-ops. */
export interface TerminalOutput {
  write(text: string): void;
  writeLine(text: string): void;
  writeMarkdown(markdown: string): void;
  writeError(text: string): void;
  prompt(question: string): Promise<string>;
  /** Resolves with the index of the chosen option. */
  select(options: string[], initialIndex?: number): Promise<number>;
  spinner(message: string): Spinner;
}

/** A sign in a terminal that something is going on. */
export interface Spinner {
  stop(): void;
  update(message: string): void;
}
