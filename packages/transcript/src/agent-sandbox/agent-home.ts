import type { AgentProcess, ProgramCommand } from '../process/agent-process.ts';
import type { TreeFile } from '../workspace/walk-tree.ts';

/**
 * Port: the directories and processes an `AgentSandbox` lives on. Paths are absolute. Whatever was started here ends
 * with `stop`; files stay.
 */
export interface AgentHome {
  /** Stands in for the user's home: settings, credentials and transcripts of the agent. */
  readonly homeDirectory: string;
  /** Where the agent works. */
  readonly workspaceDirectory: string;
  /** Makes it usable; also after `stop`, or when it had gone. */
  start(): Promise<void>;
  isHealthy(): Promise<boolean>;
  /** Rejects when the program cannot be started. */
  spawn(command: Omit<ProgramCommand, 'cwd'>): Promise<AgentProcess>;
  /** The file from `offset` bytes on; `undefined` when there is none. */
  readFile(path: string, offset?: number): Promise<Buffer | undefined>;
  /** Makes the folders it needs; a reader sees the old content or the new. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  /** A file that is not there is deleted already. */
  deleteFile(path: string): Promise<void>;
  /** Files below a folder, sorted by path; folders named in `ignore` are left out, and what `.gitignore` files say. */
  listFiles(folder: string, ignore?: readonly string[]): Promise<readonly HomeFile[]>;
  /** Ends every process started here. */
  stop(): Promise<void>;
}

/** A file of an agent's home. */
export type HomeFile = TreeFile;
