/** Port: a started agent program that is talked to in lines. */
export interface AgentProcess {
  /** Lines of its standard output, to one reader; ends when the program has ended. */
  readonly lines: AsyncIterable<string>;
  /** Settles when the program has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  writeLine(text: string): void;
  /** Ends the program and everything it started; returns when nothing of it is left. */
  end(): Promise<void>;
}

/** How a program ended. */
export interface ProcessExit {
  /** A hint only: programs exit with 0 after an interrupt, and with 1 after a turn that was answered. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The last it said on standard error. */
  readonly complaint: string;
}

/** A program and its arguments. */
export interface ProgramCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
