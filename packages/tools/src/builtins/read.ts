import type { Tool, ToolSandbox } from '@robota-sdk/agent-core';
import { type FileKind, SNIFF_BYTES, sniffKind, type TextEncoding } from '../files/file-kind.ts';
import { describeFileProblem } from '../files/file-problem.ts';
import { type FileBytes, readLocalFile, readSandboxFile } from '../files/file-source.ts';
import { type LineRange, LineWindow } from '../files/line-window.ts';
import { accessDenied, type WorkspacePath } from '../files/workspace.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';
import { locate, movedProblem, touchesPath } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

const DEFAULT_LIMIT = 2_000;
/** Providers refuse images above 5 MB of base64. */
const MAX_IMAGE_BYTES = 3_750_000;

const parameters = {
  type: 'object',
  properties: {
    filePath: {
      type: 'string',
      minLength: 1,
      description: 'Path of the file, absolute or from the working directory.',
    },
    offset: {
      description: 'Number of the first line wanted (default 1).',
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    limit: {
      description: 'How many lines are wanted (default 2000).',
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  required: ['filePath'],
} as const;

/** Reads files, text and images. */
export function createReadTool(options: WorkspaceToolOptions = {}): Tool {
  return builtinTool({
    name: 'Read',
    description:
      'Reads a text file with line numbers, or shows an image (PNG, JPEG, GIF, WebP). Use offset and limit for a part of a long file.',
    parameters,
    cwd: options.cwd,
    run: (given, scope) => read(options, given, scope),
    touches: ({ filePath }, cwd) => touchesPath(filePath, { kind: 'read', cwd, options }),
  });
}

/** Reads files, relative to the process's directory. */
export const readTool: Tool = createReadTool();

async function read(
  options: WorkspaceToolOptions,
  { filePath, offset = 1, limit = DEFAULT_LIMIT }: ParametersOf<typeof parameters>,
  scope: CallScope,
): Promise<ToolAnswer> {
  const path = await locate(filePath, { cwd: scope.cwd, options });
  if (path === null) return refused(accessDenied(filePath));
  const moved = movedProblem(path, scope.grant);
  if (moved !== undefined) return refused(moved);
  try {
    const bytes = openBytes(options.sandbox, path, scope.signal);
    return await readBytes(bytes, filePath, { offset, limit });
  } catch (error) {
    if (scope.signal.aborted) throw error;
    return refused(describeFileProblem(error, { action: 'read', path: filePath }));
  }
}

function openBytes(
  sandbox: ToolSandbox | undefined,
  path: WorkspacePath,
  signal: AbortSignal,
): FileBytes {
  return sandbox
    ? readSandboxFile(sandbox, path.absolute, signal)
    : readLocalFile(path.real, signal);
}

async function readBytes(bytes: FileBytes, path: string, range: LineRange): Promise<ToolAnswer> {
  const window = new LineWindow(range);
  let push: ((chunk: Buffer) => void) | undefined;
  let image: ImageBytes | undefined;
  for await (const chunk of bytes) {
    if (push === undefined) {
      const kind = sniffKind(chunk.subarray(0, SNIFF_BYTES));
      if (kind.kind === 'binary') return refused(`Binary file not supported: ${path}`);
      image = kind.kind === 'image' ? new ImageBytes(kind) : undefined;
      push = image ? (part) => image?.push(part) : toUtf8(encodingIn(kind), window);
    }
    push(chunk);
  }
  return image ? image.answer(path) : answered(numbered(window, path, range));
}

function encodingIn(kind: FileKind): TextEncoding {
  return kind.kind === 'text' ? kind.encoding : 'utf-8';
}

function toUtf8(encoding: TextEncoding, window: LineWindow): (chunk: Buffer) => void {
  if (encoding === 'utf-8') return (chunk) => window.push(chunk);
  const decoder = new TextDecoder(encoding);
  return (chunk) => window.push(Buffer.from(decoder.decode(chunk, { stream: true })));
}

function numbered(window: LineWindow, path: string, { offset }: LineRange): string {
  const { lines, total } = window.finish();
  if (lines.length === total) return `[File: ${path} (${total} lines)]\n${number(lines, 1)}`;
  if (lines.length === 0)
    return `[File: ${path} (${total} lines; offset ${offset} is past the end)]\n`;
  const last = offset + lines.length - 1;
  return `[File: ${path} (lines ${offset}-${last} of ${total})]\n${number(lines, offset)}`;
}

function number(lines: readonly string[], first: number): string {
  const width = String(first + lines.length - 1).length;
  return lines.map((line, index) => `${String(first + index).padStart(width)}\t${line}`).join('\n');
}

/** Collects an image up to the size that providers accept. */
class ImageBytes {
  readonly #mimeType: string;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor({ mimeType }: { readonly mimeType: string }) {
    this.#mimeType = mimeType;
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_IMAGE_BYTES) this.#chunks.push(Buffer.from(chunk));
  }

  answer(path: string): ToolAnswer {
    if (this.#bytes > MAX_IMAGE_BYTES) {
      return refused(
        `Image too large: ${path} (${this.#bytes} bytes, at most ${MAX_IMAGE_BYTES} can be shown)`,
      );
    }
    const data = Buffer.concat(this.#chunks).toString('base64');
    return {
      ...answered(`[Image: ${path} (${this.#mimeType}, ${this.#bytes} bytes)]`),
      parts: [{ type: 'image_inline', mimeType: this.#mimeType, data }],
    };
  }
}
