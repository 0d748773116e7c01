import type { UserMessageBlock } from '@robota-sdk/agent-transcript';
import { contentText } from '../../../export/block-text.ts';
import { bandedLine } from '../../layout/fit-line.ts';
import { wrapLines } from '../../layout/wrap-lines.ts';
import { type StyledLine, span, splitLines } from '../../markdown/styled-text.ts';

/** The user's message on a coloured band. */
export function userMessageLines(block: UserMessageBlock, columns: number): StyledLine[] {
  return promptBand(contentText(block.content), columns);
}

export function promptBand(text: string, columns: number): StyledLine[] {
  const rows = wrapLines(splitLines([span(text)]), columns - 3);
  return rows.map((row, index) =>
    bandedLine([span(index === 0 ? '❯ ' : '  ', 'user'), ...row], 'prompt', columns),
  );
}
