import { cellWidth } from '../layout/cell-width.ts';
import { type Span, type StyledLine, span, type TextStyle } from '../markdown/styled-text.ts';
import type { ScreenState } from '../state/screen-state.ts';

/** Model, context, cost, mode, branch: left out from the right when the terminal is narrow. */
export function statusLine(state: ScreenState): StyledLine {
  const { status } = state;
  const facts: Span[] = [
    span(status.mode, status.mode === 'bypassPermissions' ? 'failure' : 'accent'),
    span(status.model, 'dim'),
    span(
      `${Math.round(status.contextPercentage)}% context`,
      contextStyle(status.contextPercentage),
    ),
    ...(status.costUsd === undefined ? [] : [span(`$${status.costUsd.toFixed(2)}`, 'dim')]),
    ...(status.isSaved ? [] : [span('not being saved', 'failure')]),
    ...(status.branch === undefined ? [] : [span(status.branch, 'dim')]),
    ...(status.sessionName === undefined ? [] : [span(status.sessionName, 'dim')]),
  ];
  return fitting(facts, state.columns);
}

function contextStyle(percentage: number): TextStyle {
  if (percentage >= 90) return 'failure';
  return percentage >= 70 ? 'warning' : 'dim';
}

function fitting(facts: readonly Span[], columns: number): StyledLine {
  const line: Span[] = [];
  let used = 0;
  for (const fact of facts) {
    const width = cellWidth(fact.text) + (line.length === 0 ? 2 : 3);
    if (used + width > columns) break;
    line.push(span(line.length === 0 ? '  ' : ' · ', 'dim'), fact);
    used += width;
  }
  return line;
}
