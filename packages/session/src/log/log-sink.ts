/**
 * Port: destination of one session's log lines, already redacted. `append` never throws and returns once the text
 * survives the end of the process; text that cannot be written is kept and retried with the next append. If it returns
 * promises, they settle in call order, and reject only with `session_fenced`, when another writer took over.
 */
export interface LogSink {
  /** An upper bound for the entry numbers in the log; 0 for a new log. */
  readonly lastNumber: number;
  append(text: string): void | Promise<void>;
  /** Size of the log in bytes; undefined while text is unwritten. */
  size(): number | undefined;
  /** The line with large values replaced by references. */
  shrink(line: Record<string, unknown>): Record<string, unknown>;
  /** Stores a value next to the log, once, and returns a reference to it. */
  store(value: unknown): unknown;
}
