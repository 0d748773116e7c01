import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareLines, linesOfText, type ToolDiff, toolDiff } from '@robota-sdk/agent-transcript';

/** Larger files are shown without the lines around a change. */
const MOST_BYTES = 2 * 1024 * 1024;

export interface FileCall {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}

/** What an Edit or Write is about to change, with the file's own numbers and lines around it; asked before it runs. */
export function previewEdit({ toolName, input, cwd }: FileCall): ToolDiff | undefined {
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

/** Undefined when the text to replace is not there, so that nobody is shown a change that will not happen. */
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

/** A file that is not there is empty; one that cannot be read or is too large is unknown. */
function fileText(path: string): string | undefined {
  try {
    if (statSync(path).size > MOST_BYTES) return undefined;
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
