import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../src/http/proxy.ts';

const PROXY = { HTTPS_PROXY: 'http://proxy.test:3128', HTTP_PROXY: 'http://plain.test:80' };

describe('proxyFor', () => {
  it.each([
    ['https://api.vendor.test/v1', PROXY, 'proxy.test:3128'],
    ['http://api.vendor.test/v1', PROXY, 'plain.test'],
    ['https://api.vendor.test/v1', { all_proxy: 'any.test:8080' }, 'any.test:8080'],
    ['https://api.vendor.test/v1', { https_proxy: 'lower.test:1', ...PROXY }, 'lower.test:1'],
    ['https://api.vendor.test/v1', {}, undefined],
    ['https://api.vendor.test/v1', { ...PROXY, NO_PROXY: '*' }, undefined],
    ['https://api.vendor.test/v1', { ...PROXY, NO_PROXY: 'other.test, vendor.test' }, undefined],
    ['https://api.vendor.test/v1', { ...PROXY, NO_PROXY: '.vendor.test' }, undefined],
    ['https://api.vendor.test/v1', { ...PROXY, NO_PROXY: 'api.vendor.test:443' }, undefined],
    [
      'https://api.vendor.test/v1',
      { ...PROXY, NO_PROXY: 'api.vendor.test:8443' },
      'proxy.test:3128',
    ],
    ['https://notvendor.test/v1', { ...PROXY, NO_PROXY: 'vendor.test' }, 'proxy.test:3128'],
  ])('for %s under %o is %s', (target, environment, expected) => {
    expect(proxyFor(new URL(target), environment)?.host).toBe(expected);
  });

  it('reports a proxy that is not a URL', () => {
    expect(() => proxyFor(new URL('https://a.test'), { HTTPS_PROXY: 'http://' })).toThrow(
      'HTTPS_PROXY is not a URL',
    );
  });
});
