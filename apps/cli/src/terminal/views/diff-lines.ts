import type { ToolDiff, ToolDiffLine } from '@robota-sdk/agent-transcript';
import { bandedLine } from '../layout/fit-line.ts';
import { wrapLines } from '../layout/wrap-lines.ts';
import type { Highlighter } from '../markdown/render-markdown.ts';
import { type Span, type StyledLine, span } from '../markdown/styled-text.ts';
import { visibleText } from './folded-output.ts';
import { counted } from './format.ts';

export interface DiffOptions {
  readonly columns: number;
  readonly highlight: Highlighter;
  /** The file extension selects the language for highlighting. */
  readonly path: string;
  /** Maximum rows; the rest is only counted. */
  readonly limit: number;
  /** Prefix of each row. */
  readonly indent: string;
}

/** A diff with line numbers and syntax highlighting. */
export function diffLines(diff: ToolDiff, view: DiffOptions): StyledLine[] {
  const shown = diff.lines.length > view.limit + 1 ? diff.lines.slice(0, view.limit) : diff.lines;
  const colored = coloredTexts(shown, view);
  const width = Math.max(1, ...shown.map((line) => String(numberOf(line) ?? '').length));
  const rows = shown.flatMap((line, index) =>
    diffRows(line, colored[index] ?? [], { ...view, width }),
  );
  const rest = diff.lines.length - shown.length;
  const more: StyledLine[] =
    rest > 0 ? [[span(`${view.indent}${counted(rest, 'more line')} · ctrl+o`, 'dim')]] : [];
  return [...rows, ...more];
}

export function changeCount({ added, removed }: ToolDiff): StyledLine {
  return [span(`+${added}`, 'success'), span(' '), span(`-${removed}`, 'failure')];
}

function numberOf({ oldLine, newLine }: ToolDiffLine): number | undefined {
  return newLine ?? oldLine;
}

function diffRows(
  line: ToolDiffLine,
  text: StyledLine,
  { columns, indent, width }: DiffOptions & { readonly width: number },
): StyledLine[] {
  if (line.sign === '@') return [[span(`${indent}${line.text === '' ? '⋯' : line.text}`, 'dim')]];
  const number = String(numberOf(line) ?? '').padStart(width);
  const lead = `${indent}${number} ${line.sign} `;
  const rows = wrapLines([text], Math.max(10, columns - lead.length));
  return rows.map((row, index) => {
    const start: Span[] =
      index === 0
        ? [span(`${indent}${number} `, 'dim'), span(`${line.sign} `)]
        : [span(' '.repeat(lead.length))];
    const whole = [...start, ...row];
    if (line.sign === ' ') return whole;
    return bandedLine(whole, line.sign === '+' ? 'added' : 'removed', columns);
  });
}

/** Highlights both sides separately, so that a quote on a removed line does not affect the added lines. */
function coloredTexts(
  lines: readonly ToolDiffLine[],
  { highlight, path }: DiffOptions,
): StyledLine[] {
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const isOld = ({ sign }: ToolDiffLine) => sign === '-';
  const color = (side: readonly ToolDiffLine[]) =>
    highlight(side.map(({ text }) => visibleText(text)).join('\n'), language);
  const [oldSide, newSide] = [
    color(lines.filter(isOld)),
    color(lines.filter((line) => !isOld(line))),
  ];
  let [oldAt, newAt] = [0, 0];
  return lines.map((line) => asCode((isOld(line) ? oldSide[oldAt++] : newSide[newAt++]) ?? []));
}

/** Unhighlighted code is drawn plain: a diff has enough colours. */
function asCode(line: StyledLine): StyledLine {
  return line.map((piece) => (piece.style === 'code' ? { ...piece, style: 'plain' } : piece));
}
