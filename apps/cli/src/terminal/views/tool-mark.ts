import type { ToolView } from '@robota-sdk/agent-transcript';
import { type Span, span } from '../markdown/styled-text.ts';

const MARKS: Readonly<Record<ToolView['state'], Span>> = {
  running: span('◐ ', 'accent'),
  success: span('● ', 'success'),
  error: span('● ', 'failure'),
  denied: span('● ', 'warning'),
};

/** The status mark before a call; text at the right edge says the same without colour. */
export function markOf(state: ToolView['state']): Span {
  return MARKS[state];
}
