/**
 * Port: where the lines of one session's log go, redacted already. `append` never throws and returns once the text survives the end
 * of the process; text that cannot be written is kept and tried again with the next append. Where it answers with promises, they
 * settle in the order of the calls, and reject for one reason alone: with `session_fenced`, when somebody else has become the writer.
 */
export interface LogSink {
  /** A number that no entry in the log exceeds; 0 for a new log. */
  readonly lastNumber: number;
  append(text: string): void | Promise<void>;
  /** How many bytes the log has; undefined while something could not be written. */
  size(): number | undefined;
  /** The line with large values replaced by references. */
  shrink(line: Record<string, unknown>): Record<string, unknown>;
  /** Keeps a value beside the log, once, and gives the reference to it. */
  store(value: unknown): unknown;
}
