import type { Tool } from '@robota-sdk/agent-core';
import { describeFileProblem } from '../files/file-problem.ts';
import { readResolvedFile, untilAborted } from '../files/file-source.ts';
import { withPathLock } from '../files/path-lock.ts';
import { type ReplaceResult, replaceText } from '../files/replace-text.ts';
import { codecFor } from '../files/text-codec.ts';
import { accessDenied, type WorkspacePath } from '../files/workspace.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';
import { locate, movedProblem, touchesPath } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';
import { save } from './write.ts';

const parameters = {
  type: 'object',
  properties: {
    filePath: {
      type: 'string',
      minLength: 1,
      description: 'Path of the file, absolute or from the working directory.',
    },
    oldString: {
      type: 'string',
      description:
        'The exact text to replace, with its indentation; it must occur once unless replaceAll is set.',
    },
    newString: { type: 'string', description: 'The text to put in its place.' },
    replaceAll: { description: 'Replace every occurrence (default false).', type: 'boolean' },
  },
  required: ['filePath', 'oldString', 'newString'],
} as const;

type EditParameters = ParametersOf<typeof parameters>;

/** Replaces text in files. */
export function createEditTool(options: WorkspaceToolOptions = {}): Tool {
  return builtinTool({
    name: 'Edit',
    description:
      'Replaces exact text in a file. Line ends and encoding of the file stay as they are.',
    parameters,
    cwd: options.cwd,
    run: (given, scope) => edit(options, given, scope),
    touches: ({ filePath }, cwd) => touchesPath(filePath, { kind: 'write', cwd, options }),
  });
}

/** Replaces text in files, relative to the process's directory. */
export const editTool: Tool = createEditTool();

async function edit(
  options: WorkspaceToolOptions,
  given: EditParameters,
  scope: CallScope,
): Promise<ToolAnswer> {
  const path = await locate(given.filePath, { cwd: scope.cwd, options });
  if (path === null) return refused(accessDenied(given.filePath));
  const moved = movedProblem(path, scope.grant);
  if (moved !== undefined) return refused(moved);
  if (given.oldString === '') {
    return refused(
      `oldString is empty: name the text to replace in ${given.filePath}, or use Write.`,
    );
  }
  if (given.oldString === given.newString) {
    return refused(`oldString and newString are identical: nothing to change in ${given.filePath}`);
  }
  return withPathLock(path.real, () => change(options, { path, given, signal: scope.signal }));
}

interface EditCall {
  readonly path: WorkspacePath;
  readonly given: EditParameters;
  readonly signal: AbortSignal;
}

async function change(options: WorkspaceToolOptions, call: EditCall): Promise<ToolAnswer> {
  const { path, given, signal } = call;
  let action: 'read' | 'write' = 'read';
  try {
    const bytes = await untilAborted(load(options, path), signal);
    const codec = codecFor(bytes);
    const result = replaceText(codec.decode(bytes), {
      oldString: codec.adapt(given.oldString),
      newString: codec.adapt(given.newString),
      replaceAll: given.replaceAll ?? false,
    });
    if (result.kind === 'replaced') {
      action = 'write';
      await save(options, path, { content: codec.encode(result.text), signal });
    }
    return describe(result, given.filePath);
  } catch (error) {
    if (signal.aborted) throw error;
    return refused(describeFileProblem(error, { action, path: given.filePath }));
  }
}

function load({ sandbox }: WorkspaceToolOptions, path: WorkspacePath): Promise<Uint8Array> {
  return sandbox ? sandbox.readFile(path.absolute) : readResolvedFile(path.real);
}

function describe(result: ReplaceResult, path: string): ToolAnswer {
  switch (result.kind) {
    case 'not_found':
      return refused(`oldString not found in file: ${path}`);
    case 'not_unique':
      return refused(
        `oldString is not unique in file (found ${result.count} occurrences). Provide more context to make it unique, or use replaceAll:true.`,
      );
    case 'replaced':
      return answered(`Replaced ${result.count} occurrence(s) in ${path}`, {
        startLine: result.startLine,
      });
  }
}
