/** Port: a running agent program with line-based input and output. */
export interface AgentProcess {
  /** Lines of its standard output, for a single reader; ends when the program has exited. */
  readonly lines: AsyncIterable<string>;
  /** Resolves when the program has exited. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  writeLine(text: string): void;
  /** Ends the program and its child processes; resolves when none is left. */
  end(): Promise<void>;
}

/** How a program exited. */
export interface ProcessExit {
  /** Only a hint: programs exit with 0 after an interrupt, and with 1 after a completed turn. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of its standard error output. */
  readonly complaint: string;
}

/** A program and its arguments. */
export interface ProgramCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
