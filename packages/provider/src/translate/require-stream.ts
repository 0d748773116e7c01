import { ProviderError } from '@robota-sdk/agent-core';
import type { Fetch } from '../http/node-fetch.ts';
import type { Vendor } from './vendor.ts';

/** A page or a document where a stream belongs means that the address is not the vendor's. */
export function requireStream(fetch: Fetch, vendor: Vendor): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !/html|json/.test(type)) return response;
    await response.body?.cancel();
    throw new ProviderError(
      `${vendor.title} answered with ${type} instead of a stream. Check ${vendor.baseUrlVariable}.`,
      {
        provider: vendor.name,
        kind: 'malformed_reply',
        isRetryable: false,
        status: response.status,
      },
    );
  };
}
