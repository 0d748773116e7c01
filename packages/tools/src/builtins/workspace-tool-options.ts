import type { ToolSandbox } from '@robota-sdk/agent-core';

/** Where a file tool works and where it may go. */
export interface WorkspaceToolOptions {
  /** Relative paths start here. */
  readonly cwd?: string | undefined;
  /** Folders the tool may act in; without them it may act anywhere. */
  readonly roots?: readonly string[] | undefined;
  /** Where the tool acts; this machine unless given. */
  readonly sandbox?: ToolSandbox | undefined;
}
