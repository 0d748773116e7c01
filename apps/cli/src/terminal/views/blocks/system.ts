import type { SystemBlock } from '@robota-sdk/agent-transcript';
import { wrapLines } from '../../layout/wrap-lines.ts';
import { type StyledLine, span, splitLines } from '../../markdown/styled-text.ts';

/** A notice of the session; an error is one line, with what can be done about it. */
export function systemLines(
  block: SystemBlock,
  { columns, hint }: { readonly columns: number; readonly hint: string | undefined },
): StyledLine[] {
  if (block.subtype === 'error') {
    const message = firstSentence(block.message);
    const advice = hint === undefined ? [] : [span(` · ${hint}`, 'dim')];
    return wrapLines([[span('✗ ', 'failure'), span(message, 'failure'), ...advice]], columns);
  }
  const style = block.subtype === 'auth_status' ? 'warning' : 'dim';
  const lines = splitLines([span(block.message, style)]);
  return wrapLines(
    lines.map((line, index) => [span(index === 0 ? '· ' : '  ', style), ...line]),
    columns,
  );
}

/** Vendors put whole documents behind the first line. */
function firstSentence(message: string): string {
  const line = message.trim().split('\n')[0] ?? '';
  return line.replace(/^Error: /, '');
}
