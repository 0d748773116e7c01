import type { SystemBlock } from '@robota-sdk/agent-transcript';
import { wrapLines } from '../../layout/wrap-lines.ts';
import { type StyledLine, span, splitLines } from '../../markdown/styled-text.ts';
import type { ErrorAdvice } from '../../state/screen-state.ts';

interface SystemView {
  readonly columns: number;
  readonly advice: ErrorAdvice | undefined;
  readonly isUnfolded: boolean;
}

/** Details of a retried request. */
export interface Retry {
  readonly attempt: number;
  /** The fallback model, if it is not the one that failed. */
  readonly model: string | undefined;
  readonly reason: string;
}

export function retryOf({ metadata, message }: SystemBlock): Retry | undefined {
  const retry = metadata?.retry;
  if (typeof retry !== 'object' || retry === null) return undefined;
  const { attempt, model } = retry as { readonly attempt?: unknown; readonly model?: unknown };
  return {
    attempt: typeof attempt === 'number' ? attempt : 1,
    model: typeof model === 'string' ? model : undefined,
    reason: message.replace(/^The model is asked again \(attempt \d+\): /, ''),
  };
}

/** A retry with the same model is shown only unfolded: the activity line shows a current one, a past one is a detail. */
function retryLines(
  { message }: SystemBlock,
  { model }: Retry,
  { columns, isUnfolded }: Omit<SystemView, 'advice'>,
): StyledLine[] {
  if (model === undefined && !isUnfolded) return [];
  const style = model === undefined ? 'dim' : 'warning';
  const mark = model === undefined ? '· ' : '! ';
  return wrapLines([[span(`${mark}${message}`, style)]], columns);
}

/** A notice of the session; an error is one line, with advice. */
export function systemLines(
  block: SystemBlock,
  { columns, advice, isUnfolded }: SystemView,
): StyledLine[] {
  const retry = retryOf(block);
  if (retry) return retryLines(block, retry, { columns, isUnfolded });
  if (block.subtype === 'error') {
    const { notice, hint } = advice ?? {};
    const message = notice ?? firstSentence(block.message);
    const what = hint === undefined ? [] : [span(` · ${hint}`, 'dim')];
    return wrapLines([[span('✗ ', 'failure'), span(message, 'failure'), ...what]], columns);
  }
  const style = block.subtype === 'auth_status' ? 'warning' : 'dim';
  const lines = splitLines([span(block.message, style)]);
  return wrapLines(
    lines.map((line, index) => [span(index === 0 ? '· ' : '  ', style), ...line]),
    columns,
  );
}

/** Provider errors may contain entire documents after the first line. */
function firstSentence(message: string): string {
  const line = message.trim().split('\n')[0] ?? '';
  return line.replace(/^Error: /, '');
}
