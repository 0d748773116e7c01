import type { Message } from '../messages/message.ts';

/** What one model request cost in tokens, as the vendor counted. */
export interface TokenUsage {
  /** All of the input, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** As reported; left out where the vendor gave no total of its own. */
  readonly totalTokens?: number;
}

/** The usage a provider left in a message's metadata, or undefined when input and output are not both there. */
export function readUsage(message: Message): TokenUsage | undefined {
  const { metadata } = message;
  const usage = (message as { readonly usage?: unknown }).usage;
  return usageFrom(metadata) ?? usageFrom(parsedUsage(metadata?.usage)) ?? usageFrom(usage);
}

/** Usage of several requests together. */
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
    // A vendor's free text under this name is no usage.
    return undefined;
  }
}
