import { neutraliseEscapes } from '@robota-sdk/agent-transcript';
import { wrapLines } from '../../layout/wrap-lines.ts';
import { type Highlighter, renderMarkdown } from '../../markdown/render-markdown.ts';
import { type StyledLine, span } from '../../markdown/styled-text.ts';

const INDENT = '  ';

/** Text of the model, or a part of it. */
export function assistantTextLines(
  text: string,
  { columns, highlight }: { readonly columns: number; readonly highlight: Highlighter },
): StyledLine[] {
  const width = Math.max(10, columns - INDENT.length);
  const lines = wrapLines(
    renderMarkdown(neutraliseEscapes(text), { highlight, columns: width }),
    width,
  );
  return lines.map((line) => (line.length === 0 ? line : [span(INDENT), ...line]));
}
