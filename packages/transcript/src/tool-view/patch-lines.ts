import { DiffWriter, linesOfText, type ToolDiffLine } from './line-diff.ts';

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const HUNK = /^@@(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@)?/;
/** Header lines of a patch. */
const HEADER = /^(?:\*\*\* |Index: |={10,}|--- |\+\+\+ |\\ No newline|diff --git )/;

/** Reads a unified diff or a Codex patch. */
export function patchLines(patch: string): ToolDiffLine[] {
  const lines = linesOfText(patch);
  const writer = new DiffWriter();
  const hasSeveral = lines.filter((line) => FILE.test(line)).length > 1;
  for (const line of lines) {
    const file = FILE.exec(line);
    const hunk = HUNK.exec(line);
    if (file) beginFile(writer, file, hasSeveral);
    else if (hunk) beginHunk(writer, hunk);
    else if (!HEADER.test(line)) writeLine(writer, line);
  }
  return writer.lines;
}

function beginFile(
  writer: DiffWriter,
  [, kind, path = '']: RegExpExecArray,
  isNamed: boolean,
): void {
  writer.jump(kind === 'Add' ? 1 : undefined);
  if (isNamed) writer.lines.push({ sign: '@', text: path });
}

function beginHunk(writer: DiffWriter, [, before, after]: RegExpExecArray): void {
  if (writer.lines.length > 0) writer.lines.push({ sign: '@', text: '' });
  if (before !== undefined) writer.jump(Number(before), Number(after));
}

function writeLine(writer: DiffWriter, line: string): void {
  const text = line.slice(1);
  if (line.startsWith('+')) writer.add(text);
  else if (line.startsWith('-')) writer.remove(text);
  else writer.keep(text);
}
