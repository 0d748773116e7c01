import type { ProviderErrorKind } from '@robota-sdk/agent-core';

/** The facts of a vendor's error response that determine its kind. */
export interface ErrorResponse {
  readonly status: number | undefined;
  /** Machine-readable codes: error type, code, status name. */
  readonly codes: string;
  readonly text: string;
}

export interface FailureKind {
  readonly kind: ProviderErrorKind;
  readonly isRetryable: boolean;
}

const OVERFLOW =
  /context[_ ]length|context window|maximum context|prompt is too long|input is too long|too many tokens|exceeds the (?:maximum|model'?s?) .*tokens|input token count|request_too_large/i;

export function classify(response: ErrorResponse): FailureKind {
  return byCodes(response) ?? byStatus(response.status);
}

function byCodes({ codes, text, status }: ErrorResponse): FailureKind | undefined {
  const mayBeTooLong = status === undefined || status === 400 || status === 413 || status === 422;
  if (mayBeTooLong && OVERFLOW.test(`${codes} ${text}`)) return final('context_overflow');
  // Waiting does not help when the balance is used up.
  if (/insufficient_quota|billing|credit balance/i.test(`${codes} ${text}`)) {
    return final('rate_limit');
  }
  // Google responds to a wrong key with 400.
  if (/authentication|api_key_invalid|invalid_api_key|unauthenticated/i.test(codes)) {
    return final('authentication');
  }
  if (/permission/i.test(codes)) return final('authentication');
  if (/rate_limit|resource_exhausted/i.test(codes)) return temporary('rate_limit');
  if (/overloaded|unavailable/i.test(codes)) return temporary('overloaded');
  if (/invalid_request|invalid_argument|not_found/i.test(codes)) return final('invalid_request');
  return undefined;
}

function byStatus(status: number | undefined): FailureKind {
  if (status === undefined) return temporary('server');
  if (status === 401 || status === 403) return final('authentication');
  if (status === 429) return temporary('rate_limit');
  if (status === 503 || status === 529) return temporary('overloaded');
  if (status === 413) return final('context_overflow');
  if (status === 408 || status === 409 || status >= 500) return temporary('server');
  return final('invalid_request');
}

function temporary(kind: ProviderErrorKind): FailureKind {
  return { kind, isRetryable: true };
}

function final(kind: ProviderErrorKind): FailureKind {
  return { kind, isRetryable: false };
}
