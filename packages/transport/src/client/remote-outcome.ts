import type { ResultEvent, TurnResult } from '../protocol.ts';
import { RemoteError } from './remote-error.ts';

/** How a prompt ended; a failed turn is an outcome, as with a local session. */
export type RemoteOutcome =
  | { readonly status: 'completed' | 'interrupted'; readonly result: TurnResult }
  | { readonly status: 'failed'; readonly error: Error }
  | { readonly status: 'superseded' }
  | { readonly status: 'refused'; readonly reason: string };

export function outcomeOf(event: ResultEvent): RemoteOutcome {
  const { status, turn, result } = event;
  if ((status === 'completed' || status === 'interrupted') && turn) return { status, result: turn };
  if (status === 'superseded') return { status };
  if (status === 'refused') return { status, reason: result };
  return { status: 'failed', error: new RemoteError(event.error_code ?? 'error', result) };
}
