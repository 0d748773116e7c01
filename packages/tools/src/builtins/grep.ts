import type { Tool } from '@robota-sdk/agent-core';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import type { SearchEngineChoice } from '../search/find-engine.ts';
import { builtinTool } from './builtin-tool.ts';
import { touchesPath } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

/** Directories and engine of the search. */
export interface GrepToolOptions extends Omit<WorkspaceToolOptions, 'sandbox'> {
  /** The search engine; both give the same hits. */
  readonly engine?: SearchEngineChoice | undefined;
  /** Timeout of a search in milliseconds (default 60000). */
  readonly timeoutMs?: number | undefined;
}

const parameters = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      minLength: 1,
      description: 'Regular expression (JavaScript syntax), matched line by line.',
    },
    path: {
      description: 'Folder or file to search (default: the working directory).',
      type: 'string',
    },
    glob: {
      description: 'Search only files that match, for example "*.{ts,tsx}" or "src/**".',
      type: 'string',
    },
    outputMode: {
      description: 'File paths (default), matching lines, or matching lines counted per file.',
      type: 'string',
      enum: ['files_with_matches', 'content', 'count'],
    },
    contextLines: {
      description: 'Lines to show before and after each match (content only).',
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    contextBefore: {
      description: 'Lines to show before each match (content only).',
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    contextAfter: {
      description: 'Lines to show after each match (content only).',
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    ignoreCase: {
      description: 'Upper and lower case are the same (default false).',
      type: 'boolean',
    },
    lineNumbers: {
      description: 'Show line numbers (content only, default true).',
      type: 'boolean',
    },
    headLimit: {
      description: 'Show only the first matches: lines for content, else files (default 1000).',
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  required: ['pattern'],
} as const;

export type GrepParameters = ParametersOf<typeof parameters>;

/** Finds text in files. */
export function createGrepTool(options: GrepToolOptions = {}): Tool {
  return builtinTool({
    name: 'Grep',
    description:
      'Searches files for a regular expression. Skips binaries, .git, node_modules and what .gitignore names.',
    parameters,
    cwd: options.cwd,
    // The engines are loaded with the first search.
    run: async (given, scope) => {
      const { grep } = await import('../search/grep.ts');
      return await grep(options, given, scope);
    },
    touches: ({ path = '.' }, cwd) => touchesPath(path, { kind: 'read', cwd, options: {} }),
  });
}

/** Finds text in files, relative to the process's directory. */
export const grepTool: Tool = createGrepTool();
