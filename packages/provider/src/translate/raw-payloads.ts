import type { ChatOptions, ProviderNativeRawPayload } from '@robota-sdk/agent-core';
import type { Fetch } from '../http/node-fetch.ts';
import { parseJson } from './tool-arguments.ts';

type RawPayloadCallback = NonNullable<ChatOptions['onProviderNativeRawPayload']>;

/** Reports the payloads of one call, numbered from 0. Keys are in headers, which it never reports. */
export class RawPayloadReporter {
  readonly #origin: { readonly provider: string; readonly apiSurface: string };
  readonly #report: RawPayloadCallback | undefined;
  #sequence = 0;

  constructor(
    origin: { readonly provider: string; readonly apiSurface: string },
    report: RawPayloadCallback | undefined,
  ) {
    this.#origin = { provider: origin.provider, apiSurface: origin.apiSurface };
    this.#report = report;
  }

  get isWanted(): boolean {
    return this.#report !== undefined;
  }

  report(payloadKind: ProviderNativeRawPayload['payloadKind'], payload: unknown): void {
    this.#report?.({ ...this.#origin, payloadKind, payload, sequence: this.#sequence++ });
  }

  /** Wraps `fetch` to report each request before it is sent, and each response's status and headers. */
  watch(fetch: Fetch): Fetch {
    if (!this.#report) return fetch;
    return async (input, init) => {
      const body = typeof init?.body === 'string' ? init.body : '';
      this.report('request', parseJson(body) ?? body);
      const response = await fetch(input, init);
      this.report('response', { status: response.status, headers: reportable(response.headers) });
      return response;
    };
  }
}

const PRIVATE_HEADERS = new Set(['set-cookie', 'authorization', 'x-api-key', 'x-goog-api-key']);

function reportable(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !PRIVATE_HEADERS.has(name)));
}
