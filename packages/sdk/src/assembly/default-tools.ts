import type { Tool, ToolSandbox } from '@robota-sdk/agent-core';
import {
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
}

/** The eight built-in tools, bound to one directory. Where they may go is for the permission gate to say. */
export function createDefaultTools({ cwd, sandbox, shell }: DefaultToolsOptions): Tool[] {
  const place = { cwd, ...(sandbox && { sandbox }) };
  return [
    createBashTool({ cwd, sandbox: shell }),
    createReadTool(place),
    createWriteTool(place),
    createEditTool(place),
    createGlobTool({ cwd }),
    createGrepTool({ cwd }),
    createWebFetchTool(),
    createWebSearchTool(),
  ];
}
