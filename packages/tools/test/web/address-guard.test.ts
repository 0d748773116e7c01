import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/web/address-guard.ts';

const PUBLIC =
  '1.1.1.1 8.8.8.8 9.9.9.9 93.184.215.14 104.16.0.1 151.101.1.140 172.15.255.255 172.32.0.1 192.167.255.255 192.169.0.1 11.0.0.1 100.63.255.255 100.128.0.1 198.17.255.255 198.20.0.1 223.255.255.255 2606:4700:4700::1111 2a00:1450:4001:81b::200e 2620:fe::fe 2001:4860:4860::8888 ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8'.split(
    ' ',
  );
const PRIVATE =
  '0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.1.2.3 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::2 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::ffff:169.254.169.254 64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2001:db8::1 2001::1 2002:7f00:1:: 3fff::1 100::1 5f00::1 localhost 127.1 0x7f.1 '.split(
    ' ',
  );

describe('the addresses that everybody can reach', () => {
  it.each(PUBLIC)('include %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(PRIVATE)('do not include %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
