import { AISDKError, APICallError } from '@ai-sdk/provider';
import { ProviderError, type ProviderErrorKind } from '@robota-sdk/agent-core';
import { classify } from './failure-kind.ts';
import { readRetryAfterMs } from './retry-after.ts';
import { isRecord, parseJson } from './tool-arguments.ts';
import type { Vendor } from './vendor.ts';

/** Converts any error of a provider package or the network to one that callers can act on. */
export function toProviderError(error: unknown, vendor: Vendor): ProviderError {
  if (error instanceof ProviderError) return error;
  if (APICallError.isInstance(error)) return fromApiCall(error, vendor);
  if (AISDKError.isInstance(error)) return malformed(error.message, vendor);
  if (error instanceof Error) return unreachable(error, vendor);
  return refused({ status: undefined, headers: {}, body: JSON.stringify(error) }, vendor);
}

/** The reply ended before the vendor finished it. */
export function cutOffError(vendor: Vendor): ProviderError {
  return new ProviderError(
    `The reply from ${vendor.title} ended before it was complete; a retry may help.`,
    { provider: vendor.name, kind: 'network', isRetryable: true },
  );
}

export function missingKeyError(vendor: Vendor): ProviderError {
  return new ProviderError(
    `There is no key for ${vendor.title}: set ${vendor.keyVariable} in the environment.`,
    { provider: vendor.name, kind: 'authentication', isRetryable: false },
  );
}

export function noStopSequencesError(vendor: Vendor): ProviderError {
  return new ProviderError(
    `${vendor.title} has no stop sequences in its protocol ${vendor.apiSurface}: leave stopSequences out, or choose api: 'chat'.`,
    { provider: vendor.name, kind: 'invalid_request', isRetryable: false },
  );
}

export function malformed(detail: string, vendor: Vendor): ProviderError {
  const text = withoutSecrets(firstLine(detail), vendor.secrets);
  return new ProviderError(`${vendor.title} sent a reply that cannot be read: ${text}`, {
    provider: vendor.name,
    kind: 'malformed_reply',
    isRetryable: true,
  });
}

function fromApiCall(error: APICallError, vendor: Vendor): ProviderError {
  const isAnswer = error.statusCode !== undefined && error.statusCode >= 300;
  if (!isAnswer) return unreachable(deepestCause(error), vendor);
  const { statusCode: status, responseHeaders: headers = {}, responseBody: body } = error;
  return refused(
    { status, headers, body: body || JSON.stringify({ message: error.message }) },
    vendor,
  );
}

interface ErrorReply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function refused(answer: ErrorReply, vendor: Vendor): ProviderError {
  const { text, codes } = readErrorBody(answer);
  const { kind, isRetryable } = classify({ status: answer.status, codes, text });
  const message = withoutSecrets(firstLine(text), vendor.secrets);
  const status = answer.status === undefined ? '' : ` (${answer.status})`;
  const hint = advice(kind, answer, vendor);
  const stop = hint === '' || /[.!?]$/.test(message) ? '' : '.';
  // A rate limit passes by itself; an account without credit does not.
  const isSpent = kind === 'rate_limit' && !isRetryable;
  const begin = isSpent ? `${vendor.title} has no credit left for this key` : opening(kind, vendor);
  return new ProviderError(`${begin}${status}: ${message}${stop}${hint}`, {
    provider: vendor.name,
    kind,
    isRetryable,
    status: answer.status,
    requestId: requestIdOf(answer.headers),
    retryAfterMs: readRetryAfterMs(answer.headers, answer.body),
  });
}

const OPENINGS: Partial<Record<ProviderErrorKind, (title: string) => string>> = {
  authentication: (title) => `${title} refused the key`,
  rate_limit: (title) => `${title} is limiting requests`,
  overloaded: (title) => `${title} is overloaded`,
  invalid_request: (title) => `${title} did not accept the request`,
  context_overflow: (title) => `The conversation is too long for this model of ${title}`,
};

function opening(kind: ProviderErrorKind, vendor: Vendor): string {
  return OPENINGS[kind]?.(vendor.title) ?? `${vendor.title} failed`;
}

function advice(kind: ProviderErrorKind, answer: ErrorReply, vendor: Vendor): string {
  const { status } = answer;
  if (kind === 'authentication') return ` Check ${vendor.keyVariable}.`;
  if (kind === 'context_overflow') return ' Compact or clear the conversation.';
  if (status !== undefined && status < 400) {
    return ` It redirects to ${answer.headers.location ?? 'elsewhere'}: set ${vendor.baseUrlVariable} to the final address.`;
  }
  if (status === 404) return ` Check the model name and ${vendor.baseUrlVariable}.`;
  return '';
}

export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['request-id'] ?? headers['x-request-id'] ?? headers['x-goog-request-id'];
}

function readErrorBody(answer: ErrorReply): { text: string; codes: string } {
  const parsed = parseJson(answer.body);
  const root = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isRecord(root)) return { text: answer.body || 'no explanation given', codes: '' };
  const error = innermost(root);
  const reasons = Array.isArray(error.details) ? error.details.filter(isRecord) : [];
  const codes = [error.type, error.code, error.status, ...reasons.map((detail) => detail.reason)];
  const text = typeof error.message === 'string' ? error.message : answer.body;
  return { text, codes: codes.filter((code) => typeof code === 'string').join(' ') };
}

/** `{error}`, `{response:{error}}`, or the error itself. */
function innermost(root: Record<string, unknown>): Record<string, unknown> {
  const holder = isRecord(root.response) ? root.response : root;
  if (isRecord(holder.error)) return holder.error;
  return typeof holder.error === 'string' ? { message: holder.error } : holder;
}

function unreachable(error: Error, vendor: Vendor): ProviderError {
  const { code } = error as NodeJS.ErrnoException;
  const message = withoutSecrets(firstLine(error.message || 'no connection'), vendor.secrets);
  const reason = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  return new ProviderError(
    `The connection to ${vendor.title} failed: ${reason}. Check the network, the proxy variables and ${vendor.baseUrlVariable}.`,
    { provider: vendor.name, kind: 'network', isRetryable: true, cause: code ?? error.name },
  );
}

function deepestCause(error: Error): Error {
  return error.cause instanceof Error ? deepestCause(error.cause) : error;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/** Vendors quote keys in their messages, in part or completely; our errors never repeat them. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, '[REDACTED]'), text);
  return known.replace(/\b(?:sk-|AIza)[\w*.-]{4,}/g, '[REDACTED]');
}
