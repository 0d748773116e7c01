import { hash } from 'node:crypto';
import type { RequestPricer } from '@robota-sdk/agent-core';
import type { ModelRequest } from '@robota-sdk/agent-transcript';
import type { LedgerRequest } from '../ledger.ts';

/** A request with each token counted in one field only, and its price. */
export function toLedgerRequest(
  type: string,
  request: ModelRequest,
  pricer: RequestPricer,
): LedgerRequest {
  const { usage, model, isCopy = false } = request;
  const promptTokens = plausible(request.promptTokens);
  const cacheRead = plausible(usage.cacheReadTokens);
  const cacheWrite = plausible(usage.cacheWriteTokens);
  const tokens = {
    input: Math.max(0, promptTokens - cacheRead - cacheWrite),
    // Some agents count reasoning apart from the output; the total always includes it.
    output: Math.max(plausible(usage.outputTokens), plausible(usage.totalTokens) - promptTokens),
    cacheRead,
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, plausible(usage.cacheWrite1hTokens)),
  };
  const at = Date.parse(request.at) || 0;
  const listed = model === undefined ? null : pricer.price(model, tokens, at);
  return {
    key: requestKey(type, request.id),
    at,
    model: model ?? null,
    cause: request.cause === 'turn' ? 'main' : request.cause,
    ...tokens,
    thinking: plausible(usage.thinkingTokens),
    cost: listed ?? recordedCost(request),
    isCopy,
  };
}

/** A count that no request can have is damage in the transcript; sums of such counts would not be numbers any more. */
function plausible(count: number | undefined): number {
  return count !== undefined && count > 0 && count <= MAX_TOKENS ? Math.round(count) : 0;
}

const MAX_TOKENS = 1e9;
/** In dollars. */
const MAX_COST = 1e6;

/** Agents record zero for a model whose price they do not know, which is not the same as free. */
function recordedCost({ costUSD, usage }: ModelRequest): number | null {
  if (costUSD === undefined || costUSD > MAX_COST) return null;
  if (costUSD > 0) return costUSD;
  return usage.totalTokens === 0 ? 0 : null;
}

/** 63 bits, to fit a positive integer in any database; parsing hex digits is faster than reading a buffer. */
function requestKey(type: string, id: string): string {
  return String(BigInt(`0x${hash('sha1', `${type}:${id}`).slice(0, 16)}`) >> 1n);
}
