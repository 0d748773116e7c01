import { resolve } from 'node:path';
import type { Tool } from '@robota-sdk/agent-core';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { builtinTool } from './builtin-tool.ts';
import { touchesPath } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

const parameters = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      minLength: 1,
      description: 'Glob such as "**/*.{ts,tsx}" or "src/*.md", from `path`.',
    },
    path: { description: 'Folder to look in (default: the working directory).', type: 'string' },
    limit: {
      description: 'Most paths to show (default 1000).',
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  required: ['pattern'],
} as const;

export type GlobParameters = ParametersOf<typeof parameters>;

/** Directories of the search. */
export type GlobToolOptions = Omit<WorkspaceToolOptions, 'sandbox'>;

/** Finds files by name. */
export function createGlobTool(options: GlobToolOptions = {}): Tool {
  return builtinTool({
    name: 'Glob',
    description:
      'Finds files by a glob, the most recently changed first. Skips .git, node_modules and what .gitignore names.',
    parameters,
    cwd: options.cwd,
    // The walk and the matcher are loaded with the first call.
    run: async (given, scope) => {
      const { glob } = await import('../search/glob.ts');
      return await glob(options, given, scope);
    },
    touches: async ({ pattern, path = '.' }, cwd) => {
      const { splitPattern } = await import('../search/glob.ts');
      const folder = resolve(cwd, path, splitPattern(pattern).base);
      return touchesPath(folder, { kind: 'read', cwd, options: {} });
    },
  });
}

/** Finds files by name, relative to the process's directory. */
export const globTool: Tool = createGlobTool();
