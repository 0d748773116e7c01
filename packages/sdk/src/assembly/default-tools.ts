import type { Tool, ToolSandbox } from '@robota-sdk/agent-core';
import {
  createBashTool,
  createEditTool,
  createGlobTool,
  createGrepTool,
  createLocalSandbox,
  createReadTool,
  createWebFetchTool,
  createWebSearchTool,
  createWriteTool,
} from '@robota-sdk/agent-tools';
import { withEnvironment } from './sandbox-environment.ts';

export interface DefaultToolsOptions {
  readonly cwd: string;
  readonly sandbox: ToolSandbox | undefined;
  /** Variables that commands see. */
  readonly env: Readonly<Record<string, string>>;
}

/** The eight built-in tools, bound to one directory. Where they may go is for the permission gate to say. */
export function createDefaultTools({ cwd, sandbox, env }: DefaultToolsOptions): Tool[] {
  const place = { cwd, ...(sandbox && { sandbox }) };
  const shell =
    Object.keys(env).length === 0
      ? place
      : { cwd, sandbox: withEnvironment(sandbox ?? createLocalSandbox(), env) };
  return [
    createBashTool(shell),
    createReadTool(place),
    createWriteTool(place),
    createEditTool(place),
    createGlobTool({ cwd }),
    createGrepTool({ cwd }),
    createWebFetchTool(),
    createWebSearchTool(),
  ];
}
