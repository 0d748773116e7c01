/**
 * Port: where Bash, Read, Write and Edit act. Paths are absolute inside the sandbox. `run` resolves for any
 * exit code; it rejects only when the sandbox itself fails. An aborted `run` leaves no process behind.
 */
export interface ToolSandbox {
  run(command: string, options: SandboxRunOptions): Promise<SandboxRunResult>;
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, content: Uint8Array | string): Promise<void>;
  /** An opaque id to come back to; a sandbox that cannot be snapshotted leaves both out. */
  snapshot?(): Promise<string>;
  restore?(snapshotId: string): Promise<void>;
}

/** How a command runs in a sandbox. */
export interface SandboxRunOptions {
  readonly timeoutMs: number;
  readonly workingDirectory?: string | undefined;
  readonly signal: AbortSignal;
  /** Bytes kept of each stream; the rest is counted and dropped while it is read. */
  readonly outputLimitBytes: number;
  /** Called with output as it arrives; a sandbox that cannot stream never calls it. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** What a command in a sandbox came to. */
export interface SandboxRunResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly timedOut: boolean;
  /** Bytes dropped beyond the limit, both streams together. */
  readonly droppedBytes: number;
}
