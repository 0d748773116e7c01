import type { Tool, ToolSandbox } from '@robota-sdk/agent-core';
import {
  type CommandBackground,
  createBashTool,
  createEditTool,
  createGlobTool,
  createGrepTool,
  createReadTool,
  createWebFetchTool,
  createWebSearchTool,
  createWriteTool,
} from '@robota-sdk/agent-tools';

export interface DefaultToolsOptions {
  readonly cwd: string;
  /** Where files are read and written; this machine unless given. */
  readonly sandbox: ToolSandbox | undefined;
  /** Where commands run. */
  readonly shell: ToolSandbox;
  readonly background?: CommandBackground | undefined;
}

/** The eight built-in tools, bound to one directory. Access is decided by the permission gate, not here. */
export function createDefaultTools(options: DefaultToolsOptions): Tool[] {
  const { cwd, sandbox, shell, background } = options;
  const files = { cwd, ...(sandbox && { sandbox }) };
  return [
    createBashTool({ cwd, sandbox: shell, background }),
    createReadTool(files),
    createWriteTool(files),
    createEditTool(files),
    createGlobTool({ cwd }),
    createGrepTool({ cwd }),
    createWebFetchTool(),
    createWebSearchTool(),
  ];
}
