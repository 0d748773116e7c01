import type { ToolSandbox } from '@robota-sdk/agent-core';

/** Directories and sandbox of a file tool. */
export interface WorkspaceToolOptions {
  /** Base of relative paths. */
  readonly cwd?: string | undefined;
  /** Folders the tool may access; all by default. */
  readonly roots?: readonly string[] | undefined;
  /** Where the tool runs; this machine by default. */
  readonly sandbox?: ToolSandbox | undefined;
}
