import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareLines, linesOfText, type ToolDiff, toolDiff } from '@robota-sdk/agent-transcript';

/** Larger files are not read; the change is shown without context lines. */
const MAX_BYTES = 2 * 1024 * 1024;

export interface PreviewedCall {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}

/** The diff of an Edit or Write that has not run yet, with the file's line numbers and context lines. */
export function previewEdit({ toolName, input, cwd }: PreviewedCall): ToolDiff | undefined {
  const path = textOf(input, 'filePath', 'file_path');
  if (path === undefined || (toolName !== 'Edit' && toolName !== 'Write')) return undefined;
  const before = fileText(resolve(cwd, path));
  const after = toolName === 'Write' ? textOf(input, 'content', 'content') : edited(before, input);
  if (before === undefined || after === undefined) return undefined;
  const change = {
    before: linesOfText(before),
    after: linesOfText(after.replaceAll('\r\n', '\n')),
  };
  return toolDiff(compareLines({ ...change, startLine: 1 }));
}

/** Undefined when the text to replace is missing, so that no change is shown that will not happen. */
function edited(
  text: string | undefined,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  const from = textOf(input, 'oldString', 'old_string')?.replaceAll('\r\n', '\n');
  const to = textOf(input, 'newString', 'new_string')?.replaceAll('\r\n', '\n');
  if (!text || !from || to === undefined || !text.includes(from)) return undefined;
  const isAll = input.replaceAll === true || input.replace_all === true;
  return isAll ? text.replaceAll(from, () => to) : text.replace(from, () => to);
}

/** Empty for a missing file; undefined for one that is unreadable or too large. */
function fileText(path: string): string | undefined {
  try {
    if (statSync(path).size > MAX_BYTES) return undefined;
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined;
  }
}

function textOf(
  input: Readonly<Record<string, unknown>>,
  ours: string,
  claude: string,
): string | undefined {
  const value = input[ours] ?? input[claude];
  return typeof value === 'string' ? value : undefined;
}
