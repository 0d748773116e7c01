import { describe, expect, it } from 'vitest';
import { readRetryAfterMs } from '../../src/translate/retry-after.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const retryInfo = (retryDelay: string) =>
  JSON.stringify({
    error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }] },
  });

describe('readRetryAfterMs', () => {
  it.each([
    [{ 'retry-after': '7' }, undefined, 7000],
    [{ 'retry-after': '0.5' }, undefined, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, undefined, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, undefined, 0],
    [{ 'retry-after-ms': '1234', 'retry-after': '9' }, undefined, 1234],
    [{}, retryInfo('37s'), 37_000],
    [{}, `[${retryInfo('0.25s')}]`, 250],
    [{ 'retry-after': 'soon' }, undefined, undefined],
    [{ 'retry-after': '-3' }, undefined, undefined],
    [{ 'retry-after': ' ' }, 'no JSON', undefined],
    [{}, undefined, undefined],
  ])('reads %o with body %s as %s', (headers, body, expected) => {
    expect(readRetryAfterMs(headers as Record<string, string>, body, NOW)).toBe(expected);
  });
});
