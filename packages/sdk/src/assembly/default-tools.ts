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

/** The eight built-in tools, bound to one directory. Where they may go is for the permission gate to say. */
export function createDefaultTools(options: DefaultToolsOptions): Tool[] {
  const { cwd, sandbox, shell, background } = options;
  const place = { cwd, ...(sandbox && { sandbox }) };
  return [
    createBashTool({ cwd, sandbox: shell, background }),
    createReadTool(place),
    createWriteTool(place),
    createEditTool(place),
    createGlobTool({ cwd }),
    createGrepTool({ cwd }),
    createWebFetchTool(),
    createWebSearchTool(),
  ];
}
