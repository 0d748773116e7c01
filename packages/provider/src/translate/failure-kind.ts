import type { ProviderErrorKind } from '@robota-sdk/agent-core';

/** What a vendor said when it refused, reduced to what decides the kind. */
export interface Refusal {
  readonly status: number | undefined;
  /** Machine-readable words of the refusal: error type, code, status name. */
  readonly codes: string;
  readonly text: string;
}

export interface FailureKind {
  readonly kind: ProviderErrorKind;
  readonly isRetryable: boolean;
}

const OVERFLOW =
  /context[_ ]length|context window|maximum context|prompt is too long|input is too long|too many tokens|exceeds the (?:maximum|model'?s?) .*tokens|input token count|request_too_large/i;

export function classify(refusal: Refusal): FailureKind {
  return byWords(refusal) ?? byStatus(refusal.status);
}

function byWords({ codes, text, status }: Refusal): FailureKind | undefined {
  const mayBeTooLong = status === undefined || status === 400 || status === 413 || status === 422;
  if (mayBeTooLong && OVERFLOW.test(`${codes} ${text}`)) return final('context_overflow');
  // A used-up balance does not refill while we wait.
  if (/insufficient_quota|billing|credit balance/i.test(`${codes} ${text}`)) {
    return final('rate_limit');
  }
  // Google answers a wrong key with 400.
  if (/authentication|api_key_invalid|invalid_api_key|unauthenticated/i.test(codes)) {
    return final('authentication');
  }
  if (/permission/i.test(codes)) return final('authentication');
  if (/rate_limit|resource_exhausted/i.test(codes)) return passing('rate_limit');
  if (/overloaded|unavailable/i.test(codes)) return passing('overloaded');
  if (/invalid_request|invalid_argument|not_found/i.test(codes)) return final('invalid_request');
  return undefined;
}

function byStatus(status: number | undefined): FailureKind {
  if (status === undefined) return passing('server');
  if (status === 401 || status === 403) return final('authentication');
  if (status === 429) return passing('rate_limit');
  if (status === 503 || status === 529) return passing('overloaded');
  if (status === 413) return final('context_overflow');
  if (status === 408 || status === 409 || status >= 500) return passing('server');
  return final('invalid_request');
}

function passing(kind: ProviderErrorKind): FailureKind {
  return { kind, isRetryable: true };
}

function final(kind: ProviderErrorKind): FailureKind {
  return { kind, isRetryable: false };
}
