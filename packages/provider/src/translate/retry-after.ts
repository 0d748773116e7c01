import { isRecord, parseJson } from './tool-arguments.ts';

type Headers = Readonly<Record<string, string>>;

/** The delay in milliseconds the vendor requested, from any of the places vendors put it. */
export function readRetryAfterMs(
  headers: Headers,
  body: string | undefined,
  now: number = Date.now(),
): number | undefined {
  return (
    fromMilliseconds(headers['retry-after-ms']) ??
    fromRetryAfter(headers['retry-after'], now) ??
    fromRetryInfo(body)
  );
}

function fromMilliseconds(text: string | undefined): number | undefined {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined;
}

/** Seconds, or an HTTP date. */
function fromRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Google: `{error:{details:[{"@type":"…RetryInfo","retryDelay":"37s"}]}}`. */
function fromRetryInfo(body: string | undefined): number | undefined {
  const parsed = parseJson(body ?? '');
  const first = Array.isArray(parsed) ? parsed[0] : parsed;
  const error = isRecord(first) ? first.error : undefined;
  const details = isRecord(error) && Array.isArray(error.details) ? error.details : [];
  for (const detail of details) {
    if (!isRecord(detail) || !String(detail['@type']).endsWith('RetryInfo')) continue;
    const match = /^(\d+(?:\.\d+)?)s$/.exec(String(detail.retryDelay));
    if (match) return Math.ceil(Number(match[1]) * 1000);
  }
  return undefined;
}
