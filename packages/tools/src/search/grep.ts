import { join, relative } from 'node:path';
import { isOwnSecret } from '@robota-sdk/agent-core';
import { boundText } from '../bounded-text.ts';
import type { CallScope } from '../builtins/builtin-tool.ts';
import { movedProblem, movedSinceProblem } from '../builtins/file-tool.ts';
import type { GrepParameters, GrepToolOptions } from '../builtins/grep.ts';
import { accessDenied, resolveInWorkspace, type WorkspacePath } from '../files/workspace.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { searchEngine } from './find-engine.ts';
import { globFilter } from './glob-filter.ts';
import { HitReport } from './hit-report.ts';
import { ReadFilter } from './read-filter.ts';
import { searchRootKind } from './search-root.ts';
import type { TextSearch } from './text-search.ts';

const DEFAULT_LIMIT = 1_000;
const OUTPUT_CHARS = 100_000;
const TIMEOUT_MS = 60_000;

/** Finds lines that match a pattern. */
export async function grep(
  options: GrepToolOptions,
  given: GrepParameters,
  scope: CallScope,
): Promise<ToolAnswer> {
  const path = given.path ?? scope.cwd;
  const place = await resolveInWorkspace(path, { cwd: scope.cwd, roots: options.roots });
  if (place === null) return refused(accessDenied(path));
  const invalid = invalidRegex(given.pattern);
  if (invalid !== undefined) return refused(`Invalid regex pattern: ${invalid}`);
  // Searches the path that was checked, even if a link has changed since.
  const rootKind = await searchRootKind(place.real);
  if (rootKind === 'missing') return refused(`Path not found: ${path}`);
  if (rootKind === 'special') return refused(`Path is not a file: ${path}`);
  const moved = movedProblem(place, scope.grant);
  if (moved !== undefined) return refused(moved);
  if (rootKind === 'binary') return answered('(no matches)');
  const query = toQuery(given, place.real, rootKind);
  const filter = new ReadFilter({ ...place, absolute: place.real }, scope.grant?.mayRead);
  const answer = await search(options, filter.over(query), { given, scope, filter, place });
  const movedSince = await movedSinceProblem(place);
  return movedSince === undefined ? answer : refused(movedSince);
}

interface GrepCall {
  readonly given: GrepParameters;
  readonly scope: CallScope;
  readonly filter: ReadFilter;
  readonly place: WorkspacePath;
}

async function search(
  options: GrepToolOptions,
  query: TextSearch,
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
      if (!isOwnSecret(hits.file))
        report.add({ ...hits, file: belowGivenFolder(hits.file, place) });
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

/** The path of a hit, below the folder as it was given. */
function belowGivenFolder(file: string, { absolute, real }: WorkspacePath): string {
  return absolute === real ? file : join(absolute, relative(real, file));
}

function toQuery(
  given: GrepParameters,
  root: string,
  rootKind: TextSearch['rootKind'],
): TextSearch {
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

/** Why a pattern is invalid; undefined when it is valid. */
function invalidRegex(pattern: string): string | undefined {
  try {
    new RegExp(pattern.replace(/^\(\?i\)/, ''));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
