import { fenceAfter } from '../markdown/code-fence.ts';

/** The search for paragraphs of a streaming text that can no longer change; every line is looked at once. */
export interface ParagraphScan {
  readonly blockId: string;
  /** Where the unprinted text begins. */
  readonly from: number;
  /** Start of the first line that is not complete. */
  readonly position: number;
  /** Length of the text whose rendering is final. */
  readonly stable: number;
  /** The code fence that is open at `position`. */
  readonly fence: string | undefined;
  /** The line before `position` is empty, outside code. */
  readonly isAfterEmpty: boolean;
}

interface StreamingText {
  readonly id: string;
  readonly content: string;
}

/** Continues a search, or begins one where another part of the text is unprinted now. */
export function scanParagraphs(
  { id, content }: StreamingText,
  from: number,
  before: ParagraphScan | undefined,
): ParagraphScan {
  const isSame = before?.blockId === id && before.from === from;
  let scan: ParagraphScan = isSame
    ? before
    : { blockId: id, from, position: from, stable: from, fence: undefined, isAfterEmpty: false };
  const lines = content.slice(scan.position).split('\n');
  const rest = lines.pop() ?? '';
  for (const line of lines) scan = afterLine(scan, line);
  return beginsParagraph(scan, rest) ? { ...scan, stable: scan.position } : scan;
}

function afterLine(scan: ParagraphScan, line: string): ParagraphScan {
  const { position, from } = scan;
  const fence = fenceAfter(scan.fence, line);
  return {
    ...scan,
    stable: beginsParagraph(scan, line) ? position : scan.stable,
    position: position + line.length + 1,
    fence,
    isAfterEmpty: line.trim() === '' && fence === undefined && position > from,
  };
}

/** An indented line may belong to the list above. */
function beginsParagraph({ isAfterEmpty }: ParagraphScan, line: string): boolean {
  return isAfterEmpty && /^\S/.test(line);
}
