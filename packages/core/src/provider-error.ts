/** A failed model request, with what the loop and the user need to react. Never contains a key. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  readonly kind: ProviderErrorKind;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The wait the vendor asked for. */
  readonly retryAfterMs: number | undefined;
  readonly isRetryable: boolean;

  constructor(message: string, facts: ProviderErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.provider = facts.provider;
    this.kind = facts.kind;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.isRetryable = facts.isRetryable;
  }
}

/** Why a request failed. */
export type ProviderErrorKind =
  | 'authentication'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'context_overflow'
  | 'network'
  | 'malformed_reply'
  | 'idle_timeout'
  | 'server';

/** Details of a provider error. */
export interface ProviderErrorFacts {
  readonly provider: string;
  readonly kind: ProviderErrorKind;
  readonly isRetryable: boolean;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}
