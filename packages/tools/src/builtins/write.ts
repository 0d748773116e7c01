import type { Tool } from '@robota-sdk/agent-core';
import { describeFileProblem } from '../files/file-problem.ts';
import { untilAborted } from '../files/file-source.ts';
import { NotAFileError } from '../files/not-a-file-error.ts';
import { withPathLock } from '../files/path-lock.ts';
import { accessDenied, type WorkspacePath } from '../files/workspace.ts';
import { statIfExists, writeResolved } from '../files/write-atomic.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';
import { locate, movedProblem, touchesPath } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

const parameters = {
  type: 'object',
  properties: {
    filePath: {
      type: 'string',
      minLength: 1,
      description: 'Path of the file, absolute or from the working directory.',
    },
    content: { type: 'string', description: 'The whole new content.' },
  },
  required: ['filePath', 'content'],
} as const;

/** Writes files. */
export function createWriteTool(options: WorkspaceToolOptions = {}): Tool {
  return builtinTool({
    name: 'Write',
    description:
      'Writes a file: creates it and its folders, or replaces its whole content in one step. Use Edit for a change inside a file.',
    parameters,
    cwd: options.cwd,
    run: (given, scope) => write(options, given, scope),
    touches: ({ filePath }, cwd) => touchesPath(filePath, { kind: 'write', cwd, options }),
  });
}

/** Writes files, relative to the process's directory. */
export const writeTool: Tool = createWriteTool();

async function write(
  options: WorkspaceToolOptions,
  { filePath, content }: ParametersOf<typeof parameters>,
  scope: CallScope,
): Promise<ToolAnswer> {
  const path = await locate(filePath, { cwd: scope.cwd, options });
  if (path === null) return refused(accessDenied(filePath));
  const moved = movedProblem(path, scope.grant);
  if (moved !== undefined) return refused(moved);
  try {
    await withPathLock(path.real, () => save(options, path, { content, signal: scope.signal }));
  } catch (error) {
    if (scope.signal.aborted) throw error;
    return refused(describeFileProblem(error, { action: 'write', path: filePath }));
  }
  return answered(`Written ${Buffer.byteLength(content)} bytes to ${filePath}`);
}

/** Saves a file in the sandbox or, atomically, on this machine. */
export async function save(
  { sandbox }: WorkspaceToolOptions,
  path: WorkspacePath,
  { content, signal }: { readonly content: string | Uint8Array; readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  if (sandbox) return untilAborted(sandbox.writeFile(path.absolute, content), signal);
  const existing = await statIfExists(path.real);
  if (existing && !existing.isFile()) throw new NotAFileError(path.given);
  await writeResolved(path.real, content);
}
