import { expect, it } from 'vitest';
import { createAnthropicVendor } from '../../src/anthropic/vendor.ts';
import { malformed } from '../../src/translate/to-provider-error.ts';

it('redacts the key in the quote of an unreadable reply', () => {
  const apiKey = 'sk-ant-a-key-of-this-test';
  const vendor = createAnthropicVendor({ apiKey, environment: {} });

  const { message } = malformed(`unexpected "${apiKey}" in the reply`, vendor);

  expect(message).toMatch(/^Anthropic sent a reply that cannot be read: unexpected /);
  expect(message).not.toContain(apiKey);
});
