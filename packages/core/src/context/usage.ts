import type { Message } from '../messages/message.ts';

/** Tokens of one model request, as reported by the vendor. */
export interface TokenUsage {
  /** All input tokens, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** As reported; absent if the vendor reports no total. */
  readonly totalTokens?: number;
}

/** The usage in a message's metadata; undefined unless input and output are both present. */
export function readUsage(message: Message): TokenUsage | undefined {
  const { metadata } = message;
  const usage = (message as { readonly usage?: unknown }).usage;
  return usageFrom(metadata) ?? usageFrom(parsedUsage(metadata?.usage)) ?? usageFrom(usage);
}

/** Sum of two usages. */
export function addUsage(left: TokenUsage | undefined, right: TokenUsage): TokenUsage {
  if (left === undefined) return right;
  const sum: Record<string, number> = {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
  for (const key of OPTIONAL_COUNTS) {
    if (left[key] !== undefined || right[key] !== undefined) {
      sum[key] = (left[key] ?? 0) + (right[key] ?? 0);
    }
  }
  return sum as unknown as TokenUsage;
}

const OPTIONAL_COUNTS = [
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'totalTokens',
] as const;

function usageFrom(value: unknown): TokenUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const inputTokens = count(fields.inputTokens) ?? count(fields.promptTokens);
  const outputTokens = count(fields.outputTokens) ?? count(fields.completionTokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;

  const usage: Record<string, number> = { inputTokens, outputTokens };
  for (const key of OPTIONAL_COUNTS) {
    const tokens = count(fields[key]);
    if (tokens !== undefined) usage[key] = tokens;
  }
  return usage as unknown as TokenUsage;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function parsedUsage(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // Some vendors put free text under this name.
    return undefined;
  }
}
