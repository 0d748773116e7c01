import { ProviderError } from '../provider-error.ts';

/** How a provider call that failed before it streamed anything is retried. */
export interface RetryPolicy {
  /** Retries after the first attempt; 0 disables them. */
  readonly maxRetries?: number | undefined;
  /** The first delay; each further one doubles. */
  readonly baseDelayMs?: number | undefined;
  readonly maxDelayMs?: number | undefined;
  /** The call fails if the vendor asks for a longer wait than this. */
  readonly maxRetryAfterMs?: number | undefined;
}

const DEFAULTS = {
  maxRetries: 4,
  baseDelayMs: 1_000,
  maxDelayMs: 30_000,
  maxRetryAfterMs: 300_000,
};

/** Milliseconds to wait before retrying a call that failed `failures` times; null to give up. */
export function retryDelayMs(
  error: unknown,
  failures: number,
  policy: RetryPolicy = {},
): number | null {
  const {
    maxRetries = DEFAULTS.maxRetries,
    baseDelayMs = DEFAULTS.baseDelayMs,
    maxDelayMs = DEFAULTS.maxDelayMs,
    maxRetryAfterMs = DEFAULTS.maxRetryAfterMs,
  } = policy;
  if (failures > maxRetries || !isRetryable(error)) return null;

  const requested = error instanceof ProviderError ? error.retryAfterMs : undefined;
  if (requested !== undefined && requested > maxRetryAfterMs) return null;
  return Math.max(requested ?? 0, Math.min(baseDelayMs * 2 ** (failures - 1), maxDelayMs));
}

/** Only rate limits, overload, server errors and dropped connections are temporary. */
function isRetryable(error: unknown): boolean {
  if (error instanceof ProviderError) return error.isRetryable;
  if (typeof error !== 'object' || error === null) return false;
  const { status, code, cause } = error as { status?: unknown; code?: unknown; cause?: unknown };
  if (typeof status === 'number') return status === 408 || status === 429 || status >= 500;
  if (typeof code === 'string' && DROPPED_SOCKET_CODES.has(code)) return true;
  return cause !== undefined && cause !== error && isRetryable(cause);
}

const DROPPED_SOCKET_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);
