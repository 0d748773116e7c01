import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Tool, ToolParameters } from '@robota-sdk/agent-core';
import type { DiffLine } from '@robota-sdk/agent-core/log';
import { unifiedDiff } from './unified-diff.ts';

const CONTEXT_LINES = 3;
/** Larger files are shown without context lines. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Adds a diff to the metadata of each successful Edit, computed right after it, before the file changes again. */
export function withEditDiff(tool: Tool, cwd: string): Tool {
  if (tool.schema.name !== 'Edit') return tool;
  return {
    ...tool,
    schema: tool.schema,
    ...(tool.validateParameters && { validateParameters: tool.validateParameters.bind(tool) }),
    ...(tool.touches && { touches: tool.touches.bind(tool) }),
    async execute(toolArgs, context) {
      const outcome = await tool.execute(toolArgs, context);
      const { data } = outcome;
      const toolResultData = typeof data === 'string' ? data : JSON.stringify(data);
      const diff = outcome.success ? diffOfEdit({ toolArgs, toolResultData, cwd }) : undefined;
      return diff ? { ...outcome, metadata: { ...outcome.metadata, diff } } : outcome;
    },
  };
}

interface EditDiff {
  readonly diffFile: string;
  readonly diffLines: readonly DiffLine[];
}

interface FinishedEdit {
  readonly toolArgs: ToolParameters;
  readonly toolResultData?: string | undefined;
  readonly cwd: string;
}

/** What a finished Edit changed, with three lines of the file around it. */
function diffOfEdit(edit: FinishedEdit): EditDiff | undefined {
  const diffFile = textOf(edit.toolArgs, 'filePath', 'file_path');
  const oldString = textOf(edit.toolArgs, 'oldString', 'old_string');
  const newString = textOf(edit.toolArgs, 'newString', 'new_string');
  if (diffFile === undefined || oldString === undefined || newString === undefined)
    return undefined;
  const start = startLineOf(edit.toolResultData);
  const file = linesOf(isAbsolute(diffFile) ? diffFile : join(edit.cwd, diffFile));
  return { diffFile, diffLines: unifiedDiff(siteOf({ oldString, newString, start, file })) };
}

interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly start: number;
  /** The file after the edit. */
  readonly file: readonly string[];
}

/** Extends the replaced text to complete lines, using the file as it is after the edit. */
function siteOf({ oldString, newString, start, file }: Replacement) {
  const written = newString.split('\n');
  const now = file.slice(start - 1, start - 1 + written.length);
  const offset = now[0]?.indexOf(written[0] ?? '') ?? -1;
  const head = offset > 0 ? (now[0]?.slice(0, offset) ?? '') : '';
  const last = now.at(-1) ?? '';
  const lastPiece = written.length === 1 ? `${head}${newString}` : (written.at(-1) ?? '');
  const tail = last.startsWith(lastPiece) ? last.slice(lastPiece.length) : '';
  const end = start - 1 + written.length;
  return {
    before: `${head}${oldString}${tail}`.split('\n'),
    after: `${head}${newString}${tail}`.split('\n'),
    start,
    leading: file.slice(Math.max(0, start - 1 - CONTEXT_LINES), start - 1),
    trailing: file.slice(end, end + CONTEXT_LINES),
  };
}

function startLineOf(resultData: string | undefined): number {
  try {
    const { startLine } = JSON.parse(resultData ?? '{}') as { startLine?: unknown };
    return typeof startLine === 'number' && startLine > 0 ? startLine : 1;
  } catch {
    // A truncated result: the change is shown from line 1.
    return 1;
  }
}

function linesOf(path: string): readonly string[] {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return [];
    const lines = readFileSync(path, 'utf8').split(/\r?\n/);
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  } catch {
    // Deleted since, or in a sandbox: the change is shown without context lines.
    return [];
  }
}

function textOf(toolArgs: ToolParameters, ...names: readonly string[]): string | undefined {
  return names.map((name) => toolArgs[name]).find((value) => typeof value === 'string');
}
