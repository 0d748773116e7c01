import type { TokenUsage } from './session-metadata.ts';

/** One request to a model's service that the agent wrote down, or that follows from its totals. */
export interface ModelRequest {
  /** The same in every transcript that has the request, so that shared history is counted once. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly model: string | undefined;
  readonly cause: RequestCause;
  /** `main`, or the id of the subagent's thread. */
  readonly thread: string;
  /** As the agent counts; whether `inputTokens` holds the cached ones differs between agents. */
  readonly usage: TokenUsage;
  /** Everything the model read, cached tokens included, whatever `inputTokens` means. */
  readonly promptTokens: number;
  /** What the agent itself took for its price. */
  readonly costUSD?: number | undefined;
  /** Copied from another session, which has paid for it. */
  readonly isCopy?: true | undefined;
}

/** `warmup`: the program filled a cache by itself. `other`: known from totals alone, for no known reason. */
export type RequestCause =
  | 'turn'
  | 'subagent'
  | 'compaction'
  | 'retry'
  | 'title'
  | 'warmup'
  | 'other';

/** Requests by id: of several records of one request the one with the most output counts. */
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
