import { hash } from 'node:crypto';
import type { RequestPricer } from '@robota-sdk/agent-core';
import type { ModelRequest } from '@robota-sdk/agent-transcript';
import type { LedgerRequest } from '../ledger.ts';

/** A request with each token in one place only, and its price. */
export function toLedgerRequest(
  type: string,
  request: ModelRequest,
  pricer: RequestPricer,
): LedgerRequest {
  const { usage, promptTokens, model, isCopy = false } = request;
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  const tokens = {
    input: Math.max(0, promptTokens - cacheRead - cacheWrite),
    // Some agents count reasoning apart from the output; the total holds it in any case.
    output: Math.max(usage.outputTokens, usage.totalTokens - promptTokens),
    cacheRead,
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, usage.cacheWrite1hTokens ?? 0),
  };
  const at = Date.parse(request.at) || 0;
  const listed = model === undefined ? null : pricer.price(model, tokens, at);
  return {
    key: requestKey(type, request.id),
    at,
    model: model ?? null,
    cause: request.cause === 'turn' ? 'main' : request.cause,
    ...tokens,
    thinking: usage.thinkingTokens ?? 0,
    cost: listed ?? request.costUSD ?? null,
    isCopy,
  };
}

/** 63 bits, so that it is a positive integer of any database. A text of digits is had sooner than a buffer. */
function requestKey(type: string, id: string): string {
  return String(BigInt(`0x${hash('sha1', `${type}:${id}`).slice(0, 16)}`) >> 1n);
}
