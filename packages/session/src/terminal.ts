/** Port: output to and questions for the user. Without a terminal, implement it with no-ops. */
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

/** A progress indicator in a terminal. */
export interface Spinner {
  stop(): void;
  update(message: string): void;
}
