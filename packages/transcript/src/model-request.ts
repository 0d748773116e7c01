import type { TokenUsage } from './session-metadata.ts';

/** One model request, as the agent recorded it or derived from its totals. */
export interface ModelRequest {
  /** Identical in every transcript that contains the request, so that shared history is counted once. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly model: string | undefined;
  readonly cause: RequestCause;
  /** `main`, or the id of the subagent's thread. */
  readonly thread: string;
  /** As the agent counts; whether `inputTokens` includes cached tokens differs between agents. */
  readonly usage: TokenUsage;
  /** All tokens the model read, cached ones included, regardless of what `inputTokens` means. */
  readonly promptTokens: number;
  /** The cost computed by the agent itself. */
  readonly costUSD?: number | undefined;
  /** Copied from another session, where the cost belongs. */
  readonly isCopy?: true | undefined;
}

/** `warmup`: the program filled a cache on its own. `other`: known only from totals; the cause is unknown. */
export type RequestCause =
  | 'turn'
  | 'subagent'
  | 'compaction'
  | 'retry'
  | 'title'
  | 'warmup'
  | 'other';

/** Deduplicates by id; of several records of one request the one with the most output wins. */
export function mergeRequests(lists: Iterable<readonly ModelRequest[]>): ModelRequest[] {
  const merged = new Map<string, ModelRequest>();
  for (const list of lists) {
    for (const request of list) {
      const known = merged.get(request.id);
      if (known === undefined) merged.set(request.id, request);
      else if (request.usage.outputTokens > known.usage.outputTokens)
        merged.set(request.id, { ...known, usage: request.usage });
    }
  }
  return [...merged.values()];
}
