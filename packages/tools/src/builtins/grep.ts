import { join, relative } from 'node:path';
import { isOwnSecret, type Tool } from '@robota-sdk/agent-core';
import { boundText } from '../bounded-text.ts';
import { accessDenied, resolveInWorkspace, type WorkspacePath } from '../files/workspace.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { type SearchEngineChoice, searchEngine } from '../search/find-engine.ts';
import { globFilter } from '../search/glob-filter.ts';
import { HitReport } from '../search/hit-report.ts';
import { ReadFilter } from '../search/read-filter.ts';
import type { SearchQuery } from '../search/search-query.ts';
import { searchRootKind } from '../search/search-root.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';
import { leadsElsewhere, ledElsewhereMeanwhile, touchesPath } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

const DEFAULT_LIMIT = 1_000;
const OUTPUT_CHARS = 100_000;
const TIMEOUT_MS = 60_000;

/** Where text is looked for, and with which engine. */
export interface GrepToolOptions extends Omit<WorkspaceToolOptions, 'sandbox'> {
  /** Which engine searches; both find the same. */
  readonly engine?: SearchEngineChoice | undefined;
  /** Milliseconds until a search is given up (default 60000). */
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

type GrepParameters = ParametersOf<typeof parameters>;

/** Finds text in files. */
export function createGrepTool(options: GrepToolOptions = {}): Tool {
  return builtinTool({
    name: 'Grep',
    description:
      'Searches files for a regular expression. Skips binaries, .git, node_modules and what .gitignore names.',
    parameters,
    cwd: options.cwd,
    run: (given, scope) => grep(options, given, scope),
    touches: ({ path = '.' }, cwd) => touchesPath(path, { kind: 'read', cwd, options: {} }),
  });
}

/** Finds text in files, from the process's own directory. */
export const grepTool: Tool = createGrepTool();

async function grep(
  options: GrepToolOptions,
  given: GrepParameters,
  scope: CallScope,
): Promise<ToolAnswer> {
  const path = given.path ?? scope.cwd;
  const place = await resolveInWorkspace(path, { cwd: scope.cwd, roots: options.roots });
  if (place === null) return refused(accessDenied(path));
  const invalid = invalidRegex(given.pattern);
  if (invalid !== undefined) return refused(`Invalid regex pattern: ${invalid}`);
  // What is searched is the place that was judged, whatever a link on the way says by then.
  const rootKind = await searchRootKind(place.real);
  if (rootKind === 'missing') return refused(`Path not found: ${path}`);
  if (rootKind === 'special') return refused(`Path is not a file: ${path}`);
  const moved = leadsElsewhere(place, scope.grant);
  if (moved !== undefined) return refused(moved);
  if (rootKind === 'binary') return answered('(no matches)');
  const query = toQuery(given, place.real, rootKind);
  const filter = new ReadFilter({ ...place, absolute: place.real }, scope.grant?.mayRead);
  const answer = await search(options, filter.over(query), { given, scope, filter, place });
  const ledAway = await ledElsewhereMeanwhile(place);
  return ledAway === undefined ? answer : refused(ledAway);
}

interface GrepCall {
  readonly given: GrepParameters;
  readonly scope: CallScope;
  readonly filter: ReadFilter;
  readonly place: WorkspacePath;
}

async function search(
  options: GrepToolOptions,
  query: SearchQuery,
  { given, scope, filter, place }: GrepCall,
): Promise<ToolAnswer> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  const report = new HitReport(query, {
    limit: query.mostLines,
    numbers: given.lineNumbers ?? true,
  });
  try {
    const signal = AbortSignal.any([scope.signal, timeout]);
    const engine = filter.engineFor(options.engine ?? 'auto');
    for await (const hits of searchEngine(engine)(query, signal)) {
      if (!isOwnSecret(hits.file)) report.add({ ...hits, file: asGiven(hits.file, place) });
    }
  } catch (error) {
    if (!timeout.aborted || scope.signal.aborted) throw error;
    const found = boundText(report.toString(), OUTPUT_CHARS);
    return refused(
      `Search timed out after ${timeoutMs}ms: use a simpler pattern or a smaller path`,
      found,
    );
  }
  return answered(boundText(report.toString(), OUTPUT_CHARS) + filter.note());
}

/** A file that was found, under the name of the folder that was asked for. */
function asGiven(file: string, { absolute, real }: WorkspacePath): string {
  return absolute === real ? file : join(absolute, relative(real, file));
}

function toQuery(
  given: GrepParameters,
  root: string,
  rootKind: SearchQuery['rootKind'],
): SearchQuery {
  // The inline flag of other dialects, which JavaScript lacks.
  const pattern = given.pattern.replace(/^\(\?i\)/, '');
  return {
    pattern,
    ignoreCase: (given.ignoreCase ?? false) || pattern !== given.pattern,
    root,
    rootKind,
    glob: given.glob,
    accepts: globFilter(root, given.glob),
    mode: given.outputMode ?? 'files_with_matches',
    before: given.contextBefore ?? given.contextLines ?? 0,
    after: given.contextAfter ?? given.contextLines ?? 0,
    mostLines: given.headLimit ?? DEFAULT_LIMIT,
  };
}

/** What is wrong with a pattern; undefined when nothing is. */
function invalidRegex(pattern: string): string | undefined {
  try {
    new RegExp(pattern.replace(/^\(\?i\)/, ''));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
