import { BlockList, isIP } from 'node:net';

/** Non-public IPv4 networks: loopback, private networks, cloud metadata, documentation, multicast. */
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Non-public parts of the global IPv6 block: protocol assignments and Teredo, documentation, 6to4. */
const PRIVATE_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

// Two lists: in a common one, an entry for mapped addresses would match every IPv4 address.
const privateIpv4 = listOf(PRIVATE_IPV4, 'ipv4');
const privateIpv6 = listOf(PRIVATE_IPV6, 'ipv6');
const globalIpv6 = listOf([['2000::', 3]], 'ipv6');

function listOf(
  networks: readonly (readonly [string, number])[],
  family: 'ipv4' | 'ipv6',
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether an IP address is publicly reachable; false for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !privateIpv4.check(address, 'ipv4');
  if (family !== 6) return false;
  const words = wordsOf(address);
  const inner = embeddedIpv4(words);
  if (inner !== undefined) return !privateIpv4.check(inner, 'ipv4');
  const plain = words.map((word) => word.toString(16)).join(':');
  return globalIpv6.check(plain, 'ipv6') && !privateIpv6.check(plain, 'ipv6');
}

/** The eight 16-bit groups of an IPv6 address, without the zone. */
function wordsOf(address: string): readonly number[] {
  const [plain = ''] = address.split('%');
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(plain);
  const [a = 0, b = 0, c = 0, d = 0] = (dotted ?? []).slice(1).map(Number);
  const hex =
    dotted === null ? plain : `${plain.slice(0, dotted.index)}${hexWord(a, b)}:${hexWord(c, d)}`;
  const [head = '', tail] = hex.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const words = [...(before ?? []), ...Array.from({ length: zeros }, () => '0'), ...(after ?? [])];
  return words.map((word) => Number.parseInt(word, 16));
}

function hexWord(high: number, low: number): string {
  return (high * 256 + low).toString(16);
}

/** The IPv4 address inside a mapped (`::ffff:0:0/96`) or translated (`64:ff9b::/96`) one. */
function embeddedIpv4(words: readonly number[]): string | undefined {
  const start = words.slice(0, 6).join(',');
  if (start !== '0,0,0,0,0,65535' && start !== '100,65435,0,0,0,0') return undefined;
  return words
    .slice(6)
    .flatMap((word) => [word >> 8, word & 0xff])
    .join('.');
}
