/**
 * Port: where Bash, Read, Write and Edit run. Paths are absolute inside the sandbox. `run` resolves for any exit code;
 * it rejects only when the sandbox itself fails. An aborted `run` leaves no process behind.
 */
export interface ToolSandbox {
  run(command: string, options: SandboxRunOptions): Promise<SandboxRunResult>;
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, content: Uint8Array | string): Promise<void>;
  /** Returns an opaque id to restore later; a sandbox without snapshots omits both methods. */
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

/** Outcome of a command in a sandbox. */
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
