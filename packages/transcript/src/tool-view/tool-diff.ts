import type { ToolResultBlock } from '../blocks.ts';
import { asArray, asNumber, asRecord, asString, type JsonRecord } from '../json-record.ts';
import { compareLines, linesOfText, type ToolDiffLine } from './line-diff.ts';
import { patchLines } from './patch-lines.ts';

/** The file changes of a call. */
export interface ToolDiff {
  readonly lines: readonly ToolDiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** Counts the added and removed lines. */
export function toolDiff(lines: readonly ToolDiffLine[]): ToolDiff {
  return {
    lines,
    added: lines.filter(({ sign }) => sign === '+').length,
    removed: lines.filter(({ sign }) => sign === '-').length,
  };
}

/** The change requested by a call, from its arguments and result; `undefined` if it changes no file. */
export function diffOfCall(
  input: JsonRecord,
  result: ToolResultBlock | undefined,
  startLine: number | undefined,
): ToolDiff | undefined {
  const shown = asString(asRecord(asRecord(result?.metadata).display).fileDiff);
  const lines =
    (shown === undefined ? undefined : patchLines(shown)) ??
    changesLines(input) ??
    patchArgument(input) ??
    replacementLines(input, result, startLine) ??
    contentLines(input);
  return lines && lines.length > 0 ? toolDiff(lines) : undefined;
}

/** Codex lists changes by file. */
function changesLines(input: JsonRecord): ToolDiffLine[] | undefined {
  const changes = asArray(input.changes).map(asRecord);
  if (changes.length === 0) return undefined;
  return changes.flatMap((change) => {
    const diff = asString(change.diff) ?? '';
    const path = asString(change.path) ?? '';
    const name: ToolDiffLine[] = changes.length > 1 ? [{ sign: '@', text: path }] : [];
    const isWhole = change.kind === 'add' || change.kind === 'delete';
    if (!isWhole || /^@@/m.test(diff)) return [...name, ...patchLines(diff)];
    const side = change.kind === 'add' ? 'after' : 'before';
    const whole = { before: [], after: [], startLine: 1, [side]: linesOfText(diff) };
    return [...name, ...compareLines(whole)];
  });
}

function patchArgument(input: JsonRecord): ToolDiffLine[] | undefined {
  const command = asArray(input.command);
  const candidates = [input.patch, input.input, input.patchText, command.at(-1), input.diff];
  const patch = candidates.map(asString).find((text) => text?.includes('*** Begin Patch'));
  return patch === undefined ? undefined : patchLines(patch);
}

function replacementLines(
  input: JsonRecord,
  result: ToolResultBlock | undefined,
  startLine: number | undefined,
): ToolDiffLine[] | undefined {
  const edits = asArray(input.edits).map(asRecord);
  if (edits.length > 0) {
    const parts = edits.flatMap((edit) => {
      const lines = replacementLines(edit, undefined, undefined);
      return lines ? [lines] : [];
    });
    return parts.flatMap((lines, index): ToolDiffLine[] =>
      index === 0 ? lines : [{ sign: '@', text: '' }, ...lines],
    );
  }
  const before = firstText(input, 'oldString', 'old_string', 'oldText');
  const after = firstText(input, 'newString', 'new_string', 'newText');
  if (before === undefined || after === undefined) return undefined;
  const change = { before: linesOfText(before), after: linesOfText(after) };
  const snippet = result && snippetAround(result, change.after);
  return compareLines(snippet ? widened(change, snippet) : { ...change, startLine });
}

function contentLines(input: JsonRecord): ToolDiffLine[] | undefined {
  const content = firstText(input, 'content', 'file_text', 'contents');
  if (content === undefined) return undefined;
  return compareLines({ before: [], after: linesOfText(content), startLine: 1 });
}

interface Snippet {
  /** Lines of the file after the change, around the changed ones. */
  readonly leading: readonly string[];
  readonly trailing: readonly string[];
  readonly firstLine: number;
  /** The changed part as complete lines. */
  readonly now: readonly string[];
}

/** Claude's result of some edits contains numbered lines, which give the position of the change. */
function snippetAround(result: ToolResultBlock, after: readonly string[]): Snippet | undefined {
  const numbered = linesOfText(asString(result.output) ?? '').flatMap((line) => {
    const match = /^\s*(\d+)(?:\u2192|\t)(.*)$/.exec(line);
    return match ? [{ number: Number(match[1]), text: match[2] ?? '' }] : [];
  });
  const [first = ''] = after;
  const at = numbered.findIndex(({ text }, index) =>
    text.includes(first)
      ? after.every((line, row) => numbered[index + row]?.text.includes(line))
      : false,
  );
  const firstLine = asNumber(numbered[0]?.number);
  if (at === -1 || firstLine === undefined || after.length === 0) return undefined;
  const texts = numbered.map(({ text }) => text);
  return {
    leading: texts.slice(0, at),
    trailing: texts.slice(at + after.length),
    firstLine,
    now: texts.slice(at, at + after.length),
  };
}

/** Extends a change within lines to the complete lines. */
function widened(
  change: { readonly before: readonly string[]; readonly after: readonly string[] },
  { leading, trailing, firstLine, now }: Snippet,
) {
  const head = (now[0] ?? '').slice(0, (now[0] ?? '').indexOf(change.after[0] ?? ''));
  const lastLine = now.at(-1) ?? '';
  const lastPiece = change.after.at(-1) ?? '';
  const tail = lastLine.slice(lastLine.indexOf(lastPiece) + lastPiece.length);
  const before = `${head}${change.before.join('\n')}${tail}`.split('\n');
  return {
    before: [...leading, ...before, ...trailing],
    after: [...leading, ...now, ...trailing],
    startLine: firstLine,
  };
}

function firstText(input: JsonRecord, ...names: readonly string[]): string | undefined {
  return names.map((name) => asString(input[name])).find((text) => text !== undefined);
}
