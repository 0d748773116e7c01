import { Box, Text } from 'ink';
import { createElement, type ReactElement } from 'react';
import type { StyledLine } from '../markdown/styled-text.ts';
import { paintOf } from '../palette.ts';

/** Lines that already fit: one row each, never wrapped again. Rows have no identity but their place, so they need no keys. */
export function StyledLines(props: {
  readonly lines: readonly StyledLine[];
  readonly colors: boolean;
}): ReactElement {
  const rows = props.lines.map((line) => drawLine(line, props.colors));
  return createElement(Box, { flexDirection: 'column' }, ...rows);
}

function drawLine(line: StyledLine, colors: boolean): ReactElement {
  const pieces = line.map(({ text, style }) => createElement(Text, paintOf(style, colors), text));
  return createElement(Text, { wrap: 'truncate' }, ...(pieces.length === 0 ? [' '] : pieces));
}
