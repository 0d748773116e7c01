import type { ToolDiffLine } from '@robota-sdk/agent-transcript';

/** The counterpart of a removed or added line; undefined where lines do not pair one to one. */
export function partnerOf(lines: readonly ToolDiffLine[], index: number): string | undefined {
  const sign = lines[index]?.sign;
  if (sign !== '+' && sign !== '-') return undefined;
  const first = runStart(lines, index, sign);
  const length = runLength(lines, first, sign);
  const other = sign === '-' ? '+' : '-';
  const otherFirst = sign === '-' ? first + length : runStart(lines, Math.max(first - 1, 0), other);
  if (lines[otherFirst]?.sign !== other) return undefined;
  if (runLength(lines, otherFirst, other) !== length) return undefined;
  return lines[otherFirst + index - first]?.text;
}

/** Where `text` differs from `other`, extended to whole words; undefined when too little is the same. */
export function changedPart(
  text: string,
  other: string,
): { readonly start: number; readonly end: number } | undefined {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start++;
  let tail = 0;
  while (tail < most - start && text.at(-1 - tail) === other.at(-1 - tail)) tail++;
  while (start > 0 && isWord(text[start - 1]) && isWord(text[start])) start--;
  let end = text.length - tail;
  while (end < text.length && isWord(text[end]) && isWord(text[end - 1])) end++;
  const same = text.length - (end - start);
  return end > start && same >= text.length * 0.3 ? { start, end } : undefined;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function runStart(lines: readonly ToolDiffLine[], index: number, sign: string): number {
  let start = index;
  while (start > 0 && lines[start]?.sign === sign && lines[start - 1]?.sign === sign) start--;
  return start;
}

function runLength(lines: readonly ToolDiffLine[], first: number, sign: string): number {
  let length = 0;
  while (lines[first + length]?.sign === sign) length++;
  return length;
}
