import type { AgentProcess, ProgramCommand } from '../process/agent-process.ts';
import type { TreeFile } from '../workspace/walk-tree.ts';

/**
 * Port: the directories and processes of an `AgentSandbox`. Paths are absolute. `stop` ends every process started
 * here; files stay.
 */
export interface AgentHome {
  /** Replaces the user's home: settings, credentials and transcripts of the agent. */
  readonly homeDirectory: string;
  /** Where the agent works. */
  readonly workspaceDirectory: string;
  /** Prepares the home for use; may be called again after `stop` or when the directories were lost. */
  start(): Promise<void>;
  isHealthy(): Promise<boolean>;
  /** Rejects when the program cannot be started. */
  spawn(command: Omit<ProgramCommand, 'cwd'>): Promise<AgentProcess>;
  /** The file from `offset` bytes on; `undefined` when there is none. */
  readFile(path: string, offset?: number): Promise<Buffer | undefined>;
  /** Creates missing folders. Atomic: a reader sees the old content or the new. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  /** Does nothing when there is no such file. */
  deleteFile(path: string): Promise<void>;
  /** Files below a folder, sorted by path, without the folders named in `ignore` and without files ignored by git. */
  listFiles(folder: string, ignore?: readonly string[]): Promise<readonly HomeFile[]>;
  /** Ends every process started here. */
  stop(): Promise<void>;
}

/** A file of an agent's home. */
export type HomeFile = TreeFile;
